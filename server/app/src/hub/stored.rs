//! What was stored of a session, as a screen to play.
//!
//! It is the end of the record, redacted; the whole of it is read elsewhere.

use bytes::Bytes;
use wire::SessionId;

use crate::error::ApiError;
use crate::http::transcript;
use crate::state::App;

/// The end of a session's record, with the size it was printed at.
pub(super) async fn load(app: &App, session: SessionId) -> Result<(Bytes, u16, u16), ApiError> {
    let drawn = transcript::drawn(&app.store, session).await?;
    Ok((drawn.bytes.into(), drawn.cols, drawn.rows))
}
