//! What went wrong in a request, as its caller is told.
//!
//! Which error to use where:
//! * a handler answers `Result<_, ApiError>`, nothing else;
//! * something the caller can act on: `ApiError::new(code, message)`, with a message that says
//!   what to do and holds no secret;
//! * an error of the store or the link: `?`, which keeps its code;
//! * a fault of ours: [`ApiError::internal`], which logs the cause and tells the caller nothing
//!   of it.
//!
//! The status follows from the code, in one table, so that the two cannot disagree.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use link::CallError;
use store::StoreError;
use wire::{ErrorBody, ErrorCode, ErrorReply};

/// A failed request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ApiError(pub ErrorBody);

impl ApiError {
    /// An error that the caller can act on.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self(ErrorBody::new(code, message))
    }

    /// A fault of ours: the cause goes to the log and not to the caller.
    pub fn internal(cause: impl std::fmt::Display) -> Self {
        tracing::error!(%cause, "a request failed");
        Self::new(ErrorCode::Internal, "Something went wrong here; the core's log has more.")
    }

    /// No such thing.
    pub fn not_found(what: &str) -> Self {
        Self::new(ErrorCode::NotFound, format!("There is no such {what}."))
    }

    /// What the caller acts on.
    pub fn code(&self) -> ErrorCode {
        self.0.code
    }

    /// The HTTP status that goes with the code.
    pub fn status(&self) -> StatusCode {
        match self.0.code {
            ErrorCode::BadMessage => StatusCode::BAD_REQUEST,
            ErrorCode::Unauthorized | ErrorCode::BadTicket => StatusCode::UNAUTHORIZED,
            ErrorCode::Forbidden
            | ErrorCode::BadOrigin
            | ErrorCode::ReadOnly
            | ErrorCode::CwdOutside => StatusCode::FORBIDDEN,
            ErrorCode::NotFound => StatusCode::NOT_FOUND,
            ErrorCode::Stale
            | ErrorCode::Full
            | ErrorCode::Conflict
            | ErrorCode::Exited
            | ErrorCode::HeldBy
            | ErrorCode::LeaseStale
            | ErrorCode::AfterRefused
            | ErrorCode::Dropped
            | ErrorCode::Gap => StatusCode::CONFLICT,
            ErrorCode::Lost => StatusCode::GONE,
            ErrorCode::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            ErrorCode::BadHost => StatusCode::MISDIRECTED_REQUEST,
            ErrorCode::CwdMissing | ErrorCode::CommandMissing | ErrorCode::SpawnFailed => {
                StatusCode::UNPROCESSABLE_ENTITY
            }
            ErrorCode::RateLimited => StatusCode::TOO_MANY_REQUESTS,
            ErrorCode::Internal => StatusCode::INTERNAL_SERVER_ERROR,
            ErrorCode::Unsupported => StatusCode::NOT_IMPLEMENTED,
            ErrorCode::Exhausted
            | ErrorCode::Busy
            | ErrorCode::HostDown
            | ErrorCode::WrongStore
            | ErrorCode::BadSecret
            | ErrorCode::StoreDown => StatusCode::SERVICE_UNAVAILABLE,
            ErrorCode::Timeout => StatusCode::GATEWAY_TIMEOUT,
        }
    }
}

impl From<ErrorBody> for ApiError {
    fn from(body: ErrorBody) -> Self {
        Self(body)
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::NotFound(what) => Self::not_found(what),
            StoreError::Full => Self::new(ErrorCode::Full, "There is no free place left."),
            StoreError::Busy => Self::new(ErrorCode::Busy, "Too much changes at once. Try again."),
            StoreError::Stale => {
                Self::new(ErrorCode::Stale, "It was changed meanwhile: read it again.")
            }
            StoreError::Expired => Self::new(ErrorCode::Unauthorized, "It has expired."),
            StoreError::Down(why) => {
                tracing::warn!(why, "the store does not answer");
                Self::new(ErrorCode::StoreDown, "The store cannot be reached; nothing was changed.")
            }
            StoreError::Migrate(_) | StoreError::Broken(_) => Self::internal(error),
        }
    }
}

impl From<CallError> for ApiError {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Refused(body) => Self(body),
            CallError::Timeout => {
                Self::new(ErrorCode::Timeout, "The pane host did not answer in time.")
            }
            CallError::Closed => {
                Self::new(ErrorCode::HostDown, "The pane host went away before it answered.")
            }
        }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let status = self.status();
        let mut response = (status, Json(ErrorReply { error: self.0 })).into_response();
        if status == StatusCode::SERVICE_UNAVAILABLE || status == StatusCode::TOO_MANY_REQUESTS {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
