//! Errors as they cross a wire: a closed code for programs, a sentence for people.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;

/// What went wrong, for a program to act on.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// A message or body that does not parse, or whose values are out of range.
    BadMessage,
    /// A message or body over its limit.
    TooLarge,
    /// Nobody is signed in, or the sign-in ended.
    Unauthorized,
    /// Signed in, but not allowed.
    Forbidden,
    /// The request came from a page that is not ours.
    BadOrigin,
    /// The request named a host that is not ours.
    BadHost,
    /// The ticket is unknown, used, expired, or for something else.
    BadTicket,
    /// No such thing.
    NotFound,
    /// The thing changed since it was read: read it again.
    Stale,
    /// The room has no free slot, or there are as many rooms as allowed.
    Full,
    /// A name that is taken, or an act that the state forbids.
    Conflict,
    /// The working directory does not exist or is no directory.
    CwdMissing,
    /// The working directory lies outside every registered folder.
    CwdOutside,
    /// The command was not found or is not executable.
    CommandMissing,
    /// The program could not be started for another reason, which the message names.
    SpawnFailed,
    /// Too many files, processes or sessions: try again later.
    Exhausted,
    /// The session has ended.
    Exited,
    /// The session is gone with its host.
    Lost,
    /// Somebody else may type now.
    HeldBy,
    /// The input came under a lease that has ended.
    LeaseStale,
    /// An earlier input of this run was refused, so this one was not applied either.
    AfterRefused,
    /// The holder changed, left or interrupted before this was written whole.
    Dropped,
    /// The queue is full: nothing of the message was taken.
    Busy,
    /// This viewer may only watch.
    ReadOnly,
    /// Too many requests.
    RateLimited,
    /// The pane host cannot be reached.
    HostDown,
    /// The host serves another store.
    WrongStore,
    /// The secret of the hello is wrong.
    BadSecret,
    /// The other side does not know this request.
    Unsupported,
    /// The store cannot be reached or refused: nothing was changed.
    StoreDown,
    /// The deadline passed before there was an answer.
    Timeout,
    /// The offset or session in the request does not fit.
    Gap,
    /// A fault of ours; the log has more.
    Internal,
}

/// An error on a wire.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema, thiserror::Error)]
#[error("{message}")]
#[serde(rename_all = "camelCase")]
pub struct ErrorBody {
    /// For programs.
    pub code: ErrorCode,
    /// For people: what happened and what to do. Holds no secret.
    pub message: String,
    /// More for people or programs, such as the name of the holder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub details: Option<String>,
}

impl ErrorBody {
    /// An error without details.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), details: None }
    }
}

/// The body of every failed HTTP answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS, ToSchema)]
pub struct ErrorReply {
    /// What went wrong.
    pub error: ErrorBody,
}
