//! What core and pane host say to each other in JSON (link frame kind 1).
//!
//! Unknown fields and events are ignored, an unknown request answers `unsupported`: a core speaks
//! to every host of the last twelve months. Field names are in snake case here, unlike on HTTP.

mod event;
mod reply;
mod request;

use serde::{Deserialize, Serialize};

pub use event::HostEvent;
pub use reply::{JoinHead, LeaseFacts, Mark, MarkKind, Reply, SessionFacts};
pub use request::{By, Hello, InputHead, LeaseAction, Request, Spawn, Theme};

use crate::ErrorBody;

/// The version of the link that this build speaks.
pub const LINK_VERSION: u32 = 1;

/// One control frame from core to host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RequestFrame {
    /// Names the reply. Never reused on one connection.
    pub id: u32,
    /// What is asked.
    #[serde(flatten)]
    pub request: Request,
}

/// One control frame from host to core.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum HostFrame {
    /// The answer to a request.
    Reply {
        /// The request's id.
        id: u32,
        /// What came of it.
        reply: Result<Reply, ErrorBody>,
    },
    /// Something that happened.
    Event {
        /// What.
        event: HostEvent,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ErrorCode, Seq, SessionId};

    #[test]
    fn an_unknown_request_or_event_is_no_parse_error() {
        let frame: RequestFrame =
            serde_json::from_str(r#"{"id":4,"do":"fly","height":3}"#).unwrap();
        assert_eq!(frame, RequestFrame { id: 4, request: Request::Unknown });
        let frame: HostFrame = serde_json::from_str(r#"{"event":{"event":"eclipse"}}"#).unwrap();
        assert_eq!(frame, HostFrame::Event { event: HostEvent::Unknown });
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let session = SessionId::from_random([1; 16]);
        let text = format!(r#"{{"id":4,"do":"took","session":"{session}","seq":9,"mood":"calm"}}"#);
        let frame: RequestFrame = serde_json::from_str(&text).unwrap();
        assert_eq!(frame.request, Request::Took { session, seq: Seq(9) });
    }

    #[test]
    fn replies_come_back_as_they_went() {
        let reply = HostFrame::Reply { id: 1, reply: Ok(Reply::Done) };
        let text = serde_json::to_string(&reply).unwrap();
        assert_eq!(serde_json::from_str::<HostFrame>(&text).unwrap(), reply);
        let reply = HostFrame::Reply {
            id: 2,
            reply: Err(ErrorBody::new(ErrorCode::CwdMissing, "no such folder: /nowhere")),
        };
        let text = serde_json::to_string(&reply).unwrap();
        assert_eq!(serde_json::from_str::<HostFrame>(&text).unwrap(), reply);
    }
}
