//! What the store takes and gives back.
//!
//! Times are milliseconds since 1970 from the caller's clock; the store has none of its own.

mod layout;
mod people;
mod record;
mod sessions;

pub use layout::{NewPane, NewRoom, Pane, RoomPatch};
pub use people::{Fresh, NewSignin, Person, Signin, TokenHash};
pub use record::{Batch, Gap, Item, Page, Role, Row};
pub use sessions::{NewSession, Session, SessionNote};
