//! Names of things. Each is 16 bytes, written as a UUID in text.
//!
//! An id is never made here: whoever makes one passes the random bytes in.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use utoipa::ToSchema;
use uuid::Uuid;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS,
            ToSchema,
        )]
        #[serde(transparent)]
        #[ts(type = "string")]
        #[schema(value_type = String, format = "uuid")]
        pub struct $name(pub Uuid);

        impl $name {
            /// Makes an id of 16 random bytes that the caller provides.
            pub fn from_random(bytes: [u8; 16]) -> Self {
                Self(uuid::Builder::from_random_bytes(bytes).into_uuid())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )*};
}

ids! {
    /// A room: a set of panes that a person arranges.
    RoomId;
    /// A place on the screen; has at most one session at a time.
    PaneId;
    /// One program on one PTY. A restart is a new session.
    SessionId;
    /// A pane host, for as long as its state directory lives.
    HostId;
    /// A store: a host serves the first one that it meets and refuses others.
    StoreId;
    /// One page load, or one other client: made by the viewer, never by the core.
    ViewerId;
    /// Who is asking: a person, an agent's token or a guest.
    CallerId;
    /// One sign-in of a person: what a cookie stands for.
    SigninId;
    /// A folder in which panes may start.
    FolderId;
}
