//! What was stored of a session, as a screen to play.
//!
//! It is the end of the record, redacted; the whole of it is read elsewhere.

use bytes::Bytes;
use wire::SessionId;

use crate::error::ApiError;
use crate::state::App;

/// How much of the record a viewer is shown: about what a terminal keeps.
const SHOWN_BYTES: usize = 256 * 1024;

/// The end of a session's record, with the size it was printed at.
pub(super) async fn load(app: &App, session: SessionId) -> Result<(Bytes, u16, u16), ApiError> {
    let rows = app.store.transcript_tail(session, SHOWN_BYTES).await?;
    let known = app.store.session(session).await?;
    let bytes: Vec<u8> = rows.into_iter().flat_map(|row| row.bytes).collect();
    Ok((bytes.into(), known.cols, known.rows))
}
