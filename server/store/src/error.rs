//! Why the store said no. Which one to use:
//!
//! * what a caller can act on has its own variant and holds no text from the database;
//! * a database that cannot answer now is [`StoreError::Down`]: nothing was changed, or, when the
//!   connection broke while committing, it is not known whether it was; every write here can be
//!   asked again safely;
//! * everything else is a fault of ours and [`StoreError::Broken`].

use sqlx::error::ErrorKind;
use wire::Seq;

/// Why the store said no.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// There is no such thing (any more).
    #[error("no such {0}")]
    NotFound(&'static str),
    /// Every slot is taken.
    #[error("no free slot")]
    Full,
    /// Others were faster each time it was tried: ask again.
    #[error("too many changes at once")]
    Busy,
    /// It changed since it was read: read it again.
    #[error("it changed meanwhile")]
    Stale,
    /// The one-time token ran out before it was redeemed.
    #[error("the token has expired")]
    Expired,
    /// The database cannot be reached, is overloaded or is out of room.
    #[error("the database does not answer: {0}")]
    Down(String),
    /// The store's own migrations could not be applied.
    #[error("the database could not be brought up to date: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// A value that no rule of ours allows, or a fault in the database.
    #[error("the database answered something unexpected: {0}")]
    Broken(String),
}

/// Why a batch of the record was not stored.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Another recorder has the role: stop recording this session.
    #[error("another recorder has taken over")]
    Fenced,
    /// The record does not end where the batch begins: a reply was lost, or somebody else wrote.
    /// Go on from here.
    #[error("the record ends at {durable}, mark {mark}")]
    Moved {
        /// How far the session is recorded.
        durable: Seq,
        /// The last mark that is recorded.
        mark: u64,
        /// The redactor's state there.
        redact_state: u8,
    },
    /// The batch does not tile: a fault of ours, nothing was tried.
    #[error("the batch does not tile at {at}")]
    Torn {
        /// Where it breaks.
        at: Seq,
    },
    /// The store said no.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What the database minds about a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Minds {
    /// A value that is there already.
    Unique,
    /// A row it refers to is missing.
    Missing,
    /// Something else, or it is no matter of a row.
    Other,
}

/// Sorts out what a constraint said.
pub(crate) fn minds(error: &sqlx::Error) -> Minds {
    match error.as_database_error().map(|e| e.kind()) {
        Some(ErrorKind::UniqueViolation) => Minds::Unique,
        Some(ErrorKind::ForeignKeyViolation) => Minds::Missing,
        _ => Minds::Other,
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let down = matches!(
            error,
            sqlx::Error::Io(_)
                | sqlx::Error::Tls(_)
                | sqlx::Error::Protocol(_)
                | sqlx::Error::PoolTimedOut
                | sqlx::Error::PoolClosed
                | sqlx::Error::WorkerCrashed
                | sqlx::Error::BeginFailed
        ) || error
            .as_database_error()
            .and_then(|e| e.code())
            .is_some_and(|code| says_down(&code));
        if down { Self::Down(error.to_string()) } else { Self::Broken(error.to_string()) }
    }
}

/// Whether a database's error code means "not now".
///
/// PostgreSQL (five characters): 08 connection, 40 serialization and deadlock, 53 out of
/// resources, 55P03 lock timeout, 57 cancelled, shut down or starting, 58 the system's I/O.
/// SQLite (a number, the low byte is the primary code): 5 busy, 6 locked, 8 read only, 10 I/O,
/// 13 full, 14 cannot open.
fn says_down(code: &str) -> bool {
    if code.len() == 5 {
        return ["08", "40", "53", "57", "58"].iter().any(|class| code.starts_with(class))
            || code == "55P03"
            || code == "25006";
    }
    code.parse::<u32>().is_ok_and(|n| matches!(n & 0xff, 5 | 6 | 8 | 10 | 13 | 14))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_that_is_busy_full_or_shutting_down_is_down() {
        for code in ["57014", "57P01", "53300", "08006", "40P01", "5", "13", "522", "2570"] {
            assert!(says_down(code), "{code}");
        }
        for code in ["23505", "42703", "1555", "2067", "19", "1"] {
            assert!(!says_down(code), "{code}");
        }
    }
}
