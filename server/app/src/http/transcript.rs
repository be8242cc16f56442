//! The record of a session: what it printed, redacted, with its gaps.
//!
//! Rows are given whole, so a page may begin before `from` and end after `to`; whoever wants it
//! exact cuts. The redacted bytes of a row have no offsets of their own.

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use store::{Item, Store, StoreError};
use wire::http::{TranscriptItem, TranscriptReply};
use wire::{ErrorCode, Seq, SessionId};

use super::answer::Id;
use crate::error::ApiError;
use crate::state::App;

/// Bytes of rows in one answer; in base64 a third more. Small enough to be read within a
/// fraction of a second on either database.
const PAGE_BYTES: usize = 1024 * 1024;

/// Bytes of rows that draw a session whose host no longer has it.
const DRAWN_BYTES: usize = 256 * 1024;

/// Which part of the record.
#[derive(Debug, Deserialize)]
pub(crate) struct Part {
    /// The first byte's offset; the start if none is given.
    #[serde(default)]
    from: Seq,
    /// One past the last byte's; the end if none is given.
    to: Option<Seq>,
}

/// `GET /api/sessions/{id}/transcript?from=&to=`: a page of it; `next` asks for the next.
pub(crate) async fn transcript(
    State(app): State<App>,
    Id(session): Id<SessionId>,
    part: Result<Query<Part>, QueryRejection>,
) -> Result<Json<TranscriptReply>, ApiError> {
    let Query(Part { from, to }) =
        part.map_err(|wrong| ApiError::new(ErrorCode::BadMessage, wrong.body_text()))?;
    let to = to.unwrap_or(Seq(u64::MAX));
    if to < from {
        return Err(ApiError::new(ErrorCode::BadMessage, "`to` lies before `from`."));
    }
    let page = app.store.transcript(session, from, to, PAGE_BYTES).await?;
    Ok(Json(TranscriptReply {
        session,
        from: page.items.first().map_or(from, Item::from),
        durable: page.durable,
        items: page.items.into_iter().map(item).collect(),
        next: page.next,
    }))
}

fn item(item: Item) -> TranscriptItem {
    match item {
        Item::Row(row) => TranscriptItem::Row {
            from: row.from,
            to: row.to,
            at_ms: row.at_ms,
            data: STANDARD.encode(row.bytes),
        },
        Item::Gap(gap) => TranscriptItem::Gap { from: gap.from, to: gap.to, why: gap.why },
    }
}

/// What draws a session from its record, when no host has it any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// Columns at its end.
    pub cols: u16,
    /// Rows at its end.
    pub rows: u16,
    /// How far it is recorded: where `bytes` end.
    pub seq: Seq,
    /// The last of its output, redacted. Begins at the start of a line unless it is the whole.
    pub bytes: Vec<u8>,
}

/// Reads what draws a session from its record.
///
/// # Errors
///
/// [`StoreError::NotFound`], [`StoreError::Down`].
pub async fn drawn(store: &Store, id: SessionId) -> Result<Drawn, StoreError> {
    let session = store.session(id).await?;
    let (cols, rows) = store.last_size(id).await?.unwrap_or((session.cols, session.rows));
    let recorded = store.transcript_tail(id, DRAWN_BYTES).await?;
    let whole = recorded.first().is_none_or(|row| row.from == Seq::ZERO);
    let seq = recorded.last().map_or(session.durable, |row| row.to);
    let mut bytes: Vec<u8> = recorded.into_iter().flat_map(|row| row.bytes).collect();
    if !whole {
        // A row may end inside a sequence; a line break is in none.
        let line = bytes.iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        bytes.drain(..line);
    }
    Ok(Drawn { cols, rows, seq, bytes })
}
