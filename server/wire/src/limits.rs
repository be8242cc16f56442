//! Every number that both ends of a wire must agree on, once.
//!
//! The page gets them as `limits.ts` from the same list.

macro_rules! limits {
    ($($(#[$doc:meta])* $name:ident = $value:expr;)*) => {
        $($(#[$doc])* pub const $name: u64 = $value;)*

        /// Every limit by name, for the generated `limits.ts`.
        pub const ALL: &[(&str, u64)] = &[$((stringify!($name), $value)),*];
    };
}

limits! {
    /// Most bytes of output in one frame to a viewer. Small, so that a key waits behind little.
    OUTPUT_FRAME_MAX_BYTES = 8 * 1024;
    /// Most UTF-16 units in one `input` message. Larger is refused with `too_large`.
    INPUT_MAX_UNITS = 1_000_000;
    /// Most bytes of one WebSocket message after inflation; larger closes with 1009.
    MESSAGE_MAX_BYTES = 16 * 1024 * 1024;
    /// Most columns a terminal may have.
    COLS_MAX = 400;
    /// Fewest columns a terminal may have.
    COLS_MIN = 2;
    /// Most rows a terminal may have.
    ROWS_MAX = 200;
    /// Fewest rows a terminal may have.
    ROWS_MIN = 2;
    /// Panes in a room: slots 0 to 15.
    PANES_PER_ROOM = 16;
    /// How long a lease lasts without renewal.
    LEASE_TTL_MS = 30_000;
    /// How often a visible holder renews: a third of the TTL, so two lost renewals are survived.
    LEASE_HEARTBEAT_MS = 10_000;
    /// How long a ticket may be redeemed.
    TICKET_TTL_MS = 15_000;
    /// Unused tickets one caller may have; the oldest goes first.
    TICKETS_PER_CALLER = 256;
    /// Panes that one `POST /api/tickets` may name.
    TICKETS_PER_REQUEST = 16;
    /// Input that was not acknowledged for this long is offered back, never sent by itself.
    UNACKED_INPUT_MAX_AGE_MS = 10_000;
    /// A viewer back within this time keeps its lease epoch.
    VIEWER_RETURN_MS = 5_000;
    /// The first window of a viewer: output sent and not yet parsed.
    VIEWER_WINDOW_BYTES = 64 * 1024;
    /// The window of a hidden viewer.
    HIDDEN_WINDOW_BYTES = 16 * 1024;
    /// What a page queues unparsed for one hidden pane.
    HIDDEN_PANE_QUEUE_BYTES = 128 * 1024;
    /// What a page queues unparsed for all hidden panes.
    HIDDEN_PAGE_QUEUE_BYTES = 1024 * 1024;
    /// Most bytes handed to xterm.js at once.
    TERMINAL_WRITE_MAX_BYTES = 1024 * 1024;
    /// Rooms that a page keeps connected.
    WARM_ROOMS = 6;
    /// Panes that a page keeps connected.
    WARM_PANES = 96;
    /// Panes that a touch device keeps connected.
    WARM_PANES_TOUCH = 24;
    /// WebGL contexts that a page may hold: browsers start dropping them at 16.
    WEBGL_CONTEXTS = 8;
    /// How often the server pings a viewer.
    PING_MS = 10_000;
    /// Recent output a host keeps of a session.
    RING_BYTES = 8 * 1024 * 1024;
    /// Recent output a hub keeps for its viewers.
    TAIL_BYTES = 1024 * 1024;
    /// Output a host sends to a core before the hub `took` it.
    LIVE_AHEAD_BYTES = 4 * 1024 * 1024;
    /// Input a session holds before it refuses a whole message with `busy`.
    INPUT_QUEUE_BYTES = 1024 * 1024;
    /// Most bytes of one link frame as declared by its length.
    LINK_FRAME_MAX_BYTES = 8 * 1024 * 1024;
    /// Most bytes of one link frame before the hello.
    LINK_FRAME_MAX_BYTES_UNKNOWN = 64 * 1024;
    /// Most payload bytes in a link frame that we send.
    LINK_CHUNK_BYTES = 64 * 1024;
    /// Most bytes one `read` answers.
    READ_MAX_BYTES = 256 * 1024;
    /// Longest name of a room or pane, in characters.
    NAME_MAX_CHARS = 100;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lost_renewals_do_not_lose_the_lease() {
        const { assert!(3 * LEASE_HEARTBEAT_MS <= LEASE_TTL_MS) };
    }

    #[test]
    fn a_resume_within_the_tail_is_shorter_than_the_ring() {
        const { assert!(TAIL_BYTES < RING_BYTES && LIVE_AHEAD_BYTES < RING_BYTES) };
    }
}
