//! The record of a session as it is read, and the right to write it. How it is written is each
//! database's own (`append`).
//!
//! A page is fetched in two steps, sizes first: a limit in bytes then costs no byte that is not
//! given out. A row is never changed or removed under a reader: what replaces rows holds the same
//! spans.

use sqlx::FromRow;
use wire::browser::SessionState;
use wire::host::{Mark, MarkKind};
use wire::{Seq, SessionId};

use super::{Connection, from_json, sessions, signed, unsigned};
use crate::error::StoreError;
use crate::rows::{Gap, Item, Page, Role, Row};

/// Most rows in one page, whatever their size: a page stays one short query.
const PAGE_ROWS: i64 = 4096;

#[derive(FromRow)]
struct TranscriptRow {
    from_seq: i64,
    to_seq: i64,
    at_ms: i64,
    bytes: Vec<u8>,
}

impl TryFrom<TranscriptRow> for Row {
    type Error = StoreError;

    fn try_from(row: TranscriptRow) -> Result<Self, StoreError> {
        let (from, to) = (Seq(unsigned(row.from_seq)?), Seq(unsigned(row.to_seq)?));
        Ok(Self { from, to, at_ms: row.at_ms, bytes: row.bytes })
    }
}

/// Takes the role: whoever had it before is refused from now on.
pub(crate) async fn take_role(db: &mut Connection, id: SessionId) -> Result<Role, StoreError> {
    let row: Option<(i64, i64, i32, i16)> = sqlx::query_as(
        "UPDATE session SET recorder = recorder + 1 WHERE id = $1
         RETURNING durable, mark, recorder, redact_state",
    )
    .bind(id.0)
    .fetch_optional(db)
    .await?;
    role(row.ok_or(StoreError::NotFound("session"))?)
}

/// Where the record stands and who may write it.
pub(crate) async fn standing(db: &mut Connection, id: SessionId) -> Result<Role, StoreError> {
    let row: Option<(i64, i64, i32, i16)> =
        sqlx::query_as("SELECT durable, mark, recorder, redact_state FROM session WHERE id = $1")
            .bind(id.0)
            .fetch_optional(db)
            .await?;
    role(row.ok_or(StoreError::NotFound("session"))?)
}

fn role((durable, mark, epoch, state): (i64, i64, i32, i16)) -> Result<Role, StoreError> {
    Ok(Role {
        durable: Seq(unsigned(durable)?),
        mark: unsigned(mark)?,
        epoch,
        redact_state: u8::try_from(state)
            .map_err(|_| StoreError::Broken("a redactor's state".to_owned()))?,
    })
}

/// Writes a gap. One without an end is none of the record's.
pub(crate) async fn insert_gap(
    db: &mut Connection,
    id: SessionId,
    gap: &Gap,
) -> Result<(), StoreError> {
    let to = gap.to.ok_or_else(|| StoreError::Broken("a gap without an end".to_owned()))?;
    sqlx::query(
        "INSERT INTO gap (session, from_seq, to_seq, at_ms, why) VALUES ($1, $2, $3, $4, $5)",
    )
    .bind(id.0)
    .bind(signed(gap.from.0)?)
    .bind(signed(to.0)?)
    .bind(gap.at_ms)
    .bind(&gap.why)
    .execute(db)
    .await?;
    Ok(())
}

/// Rows and gaps from the one that holds `from`, up to `to` and about `max_bytes` (at least one
/// row).
pub(crate) async fn page(
    db: &mut Connection,
    id: SessionId,
    from: Seq,
    to: Seq,
    max_bytes: usize,
) -> Result<Page, StoreError> {
    let session = sessions::get(db, id).await?;
    let (from, to) = (from.min(session.durable), to.min(session.durable));
    let start = start_of(db, id, from).await?;
    let sizes: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT to_seq, CAST(LENGTH(bytes) AS BIGINT) FROM transcript
         WHERE session = $1 AND from_seq >= $2 AND from_seq < $3 ORDER BY from_seq LIMIT $4",
    )
    .bind(id.0)
    .bind(start)
    .bind(signed(to.0)?)
    .bind(PAGE_ROWS)
    .fetch_all(&mut *db)
    .await?;
    let fits = fits(&sizes, max_bytes);
    // Where the page ends: after the last row that fits, or after everything.
    let end = if fits < sizes.len() || i64::try_from(fits) == Ok(PAGE_ROWS) {
        sizes.get(fits - 1).map_or(start, |(to, _)| *to)
    } else {
        signed(to.0)?
    };
    let rows = rows(db, id, start, end).await?;
    let gaps = gaps(db, id, start, end).await?;
    let mut items = merge(rows, gaps);
    let end = Seq(unsigned(end)?);
    let next = (end < to).then_some(end);
    if next.is_none() && to == session.durable && session.state == SessionState::Lost {
        let at_ms = session.ended_ms.unwrap_or(session.started_ms);
        let why = "the session ended with its host".to_owned();
        items.push(Item::Gap(Gap { from: session.durable, to: None, at_ms, why }));
    }
    Ok(Page { items, next, durable: session.durable })
}

/// The last rows of a session, about `max_bytes` of them (at least one), in order.
pub(crate) async fn tail(
    db: &mut Connection,
    id: SessionId,
    max_bytes: usize,
) -> Result<Vec<Row>, StoreError> {
    let sizes: Vec<(i64, i64)> = sqlx::query_as(
        "SELECT from_seq, CAST(LENGTH(bytes) AS BIGINT) FROM transcript
         WHERE session = $1 ORDER BY from_seq DESC LIMIT $2",
    )
    .bind(id.0)
    .bind(PAGE_ROWS)
    .fetch_all(&mut *db)
    .await?;
    let Some((start, _)) = fits(&sizes, max_bytes).checked_sub(1).and_then(|n| sizes.get(n)) else {
        return Ok(Vec::new());
    };
    rows(db, id, *start, i64::MAX).await
}

/// Marks after `after`, in order, at most `limit`.
pub(crate) async fn marks(
    db: &mut Connection,
    id: SessionId,
    after: u64,
    limit: u32,
) -> Result<Vec<Mark>, StoreError> {
    let rows: Vec<(i64, i64, i64, String)> = sqlx::query_as(
        "SELECT n, seq, at_ms, data FROM event WHERE session = $1 AND n > $2 ORDER BY n LIMIT $3",
    )
    .bind(id.0)
    .bind(signed(after)?)
    .bind(i64::from(limit))
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|(n, seq, at_ms, data)| {
            Ok(Mark {
                n: unsigned(n)?,
                seq: Seq(unsigned(seq)?),
                at_ms: unsigned(at_ms)?,
                kind: from_json(&data)?,
            })
        })
        .collect()
}

/// The size of the session's PTY at the end of its record; none before its first mark.
pub(crate) async fn last_size(
    db: &mut Connection,
    id: SessionId,
) -> Result<Option<(u16, u16)>, StoreError> {
    let data: Option<String> = sqlx::query_scalar(
        "SELECT data FROM event WHERE session = $1 AND kind IN ('start', 'resize')
         ORDER BY n DESC LIMIT 1",
    )
    .bind(id.0)
    .fetch_optional(db)
    .await?;
    Ok(match data.as_deref().map(from_json).transpose()? {
        Some(MarkKind::Start { cols, rows } | MarkKind::Resize { cols, rows, .. }) => {
            Some((cols, rows))
        }
        Some(MarkKind::Exit { .. } | MarkKind::Gap { .. }) | None => None,
    })
}

/// How many of these, from the first on, hold at most `max_bytes`; at least one if there is any.
fn fits(sizes: &[(i64, i64)], max_bytes: usize) -> usize {
    let mut left = i64::try_from(max_bytes).unwrap_or(i64::MAX);
    let mut count = 0;
    for (_, bytes) in sizes {
        left -= bytes;
        if left < 0 && count > 0 {
            break;
        }
        count += 1;
    }
    count
}

/// Where the row or gap begins that holds `from`.
async fn start_of(db: &mut Connection, id: SessionId, from: Seq) -> Result<i64, StoreError> {
    let from = signed(from.0)?;
    let row: Option<(i64, i64)> = sqlx::query_as(
        "SELECT from_seq, to_seq FROM transcript WHERE session = $1 AND from_seq <= $2
         ORDER BY from_seq DESC LIMIT 1",
    )
    .bind(id.0)
    .bind(from)
    .fetch_optional(&mut *db)
    .await?;
    let gap: Option<(i64, i64)> = sqlx::query_as(
        "SELECT from_seq, to_seq FROM gap WHERE session = $1 AND from_seq <= $2
         ORDER BY from_seq DESC LIMIT 1",
    )
    .bind(id.0)
    .bind(from)
    .fetch_optional(db)
    .await?;
    Ok(row.into_iter().chain(gap).find(|(_, to)| *to > from).map_or(from, |(start, _)| start))
}

async fn rows(
    db: &mut Connection,
    id: SessionId,
    from: i64,
    to: i64,
) -> Result<Vec<Row>, StoreError> {
    let rows: Vec<TranscriptRow> = sqlx::query_as(
        "SELECT from_seq, to_seq, at_ms, bytes FROM transcript
         WHERE session = $1 AND from_seq >= $2 AND from_seq < $3 ORDER BY from_seq",
    )
    .bind(id.0)
    .bind(from)
    .bind(to)
    .fetch_all(db)
    .await?;
    rows.into_iter().map(Row::try_from).collect()
}

async fn gaps(
    db: &mut Connection,
    id: SessionId,
    from: i64,
    to: i64,
) -> Result<Vec<Gap>, StoreError> {
    let rows: Vec<(i64, i64, i64, String)> = sqlx::query_as(
        "SELECT from_seq, to_seq, at_ms, why FROM gap
         WHERE session = $1 AND from_seq >= $2 AND from_seq < $3 ORDER BY from_seq",
    )
    .bind(id.0)
    .bind(from)
    .bind(to)
    .fetch_all(db)
    .await?;
    rows.into_iter()
        .map(|(from, to, at_ms, why)| {
            Ok(Gap { from: Seq(unsigned(from)?), to: Some(Seq(unsigned(to)?)), at_ms, why })
        })
        .collect()
}

fn merge(rows: Vec<Row>, gaps: Vec<Gap>) -> Vec<Item> {
    let mut items: Vec<Item> =
        rows.into_iter().map(Item::Row).chain(gaps.into_iter().map(Item::Gap)).collect();
    items.sort_by_key(Item::from);
    items
}
