//! A viewer's far end: parses what it is sent and checks that it continues what it has.

use std::collections::VecDeque;
use std::time::Instant;

use pane::viewer::Viewer;
use wire::Seq;

/// Something on its way to the far end, or waiting there to be parsed.
#[derive(Debug)]
pub(crate) enum Sent {
    /// `ready`, with the number of the size, and where output begins.
    Ready {
        session: u32,
        from: Seq,
        size: u64,
    },
    /// Another session, which begins at nothing.
    Replaced {
        session: u32,
        stream: u32,
    },
    Resized {
        size: u64,
    },
    /// Output, laid out for a size.
    Output {
        from: Seq,
        bytes: Vec<u8>,
        size: u64,
    },
    /// A whole snapshot: output from `from` on, or a bare screen of it.
    Snapshot {
        n: u32,
        from: Seq,
        bytes: Vec<u8>,
        seq: Seq,
        size: u64,
    },
    Ping {
        seq: Seq,
        n: u32,
    },
}

/// A page, with its end of the socket.
#[derive(Debug)]
pub(crate) struct Page {
    /// The core's end of the socket.
    pub(crate) machine: Viewer,
    /// Sent and not parsed.
    pub(crate) inbox: VecDeque<Sent>,
    pub(crate) visible: bool,
    /// Bytes it was ever sent.
    pub(crate) sent_bytes: usize,
    /// What it draws: output from `from` to `end`, at a size.
    from: Seq,
    end: Seq,
    drawn: Vec<u8>,
    size: u64,
    /// The session it shows; 0 before the first.
    session: u32,
    stream: u32,
    /// The last snapshot it drew.
    snapshot: Option<u32>,
}

impl Page {
    pub(crate) fn new(now: Instant) -> Self {
        Self {
            machine: Viewer::new(None, now),
            inbox: VecDeque::new(),
            visible: true,
            sent_bytes: 0,
            from: Seq::ZERO,
            end: Seq::ZERO,
            drawn: Vec::new(),
            size: 0,
            session: 0,
            stream: 1,
            snapshot: None,
        }
    }

    /// Comes back on a new socket, with what it has if the pane still runs that session.
    pub(crate) fn reconnect(&mut self, session: u32, now: Instant) {
        let has = (self.session == session).then_some(self.end);
        self.machine = Viewer::new(has, now);
        self.machine.on_visible(self.visible);
        self.inbox.clear();
        (self.stream, self.snapshot) = (1, None);
    }

    pub(crate) fn has(&self) -> (Seq, Seq, &[u8], u64) {
        (self.from, self.end, &self.drawn, self.size)
    }

    /// Output that waits to be parsed, since the last fresh start.
    pub(crate) fn waiting_bytes(&self) -> usize {
        let fresh = |sent: &&Sent| !matches!(sent, Sent::Snapshot { .. } | Sent::Replaced { .. });
        let bytes =
            |sent: &Sent| if let Sent::Output { bytes, .. } = sent { bytes.len() } else { 0 };
        self.inbox.iter().rev().take_while(fresh).map(bytes).sum()
    }

    /// Parses all that waits.
    pub(crate) fn parse(&mut self, say_so: bool, now: Instant) {
        while let Some(sent) = self.inbox.pop_front() {
            match sent {
                Sent::Ready { session, from, size } => {
                    // Who continues keeps its size until it is told of another.
                    if session != self.session {
                        self.reset(from);
                        (self.session, self.size) = (session, size);
                    }
                }
                Sent::Replaced { session, stream } => {
                    (self.session, self.stream, self.snapshot) = (session, stream, None);
                    self.reset(Seq::ZERO);
                }
                Sent::Resized { size } => self.size = size,
                Sent::Output { from, bytes, size } => {
                    assert_eq!(from, self.end, "output continues what the viewer has");
                    assert_eq!(self.size, size, "it is laid out for the viewer's size");
                    assert!(bytes.len() <= 8 * 1024);
                    assert!(std::str::from_utf8(&bytes).is_ok(), "no character is cut");
                    self.end = self.end.advance(bytes.len().try_into().unwrap());
                    self.drawn.extend(bytes);
                }
                Sent::Snapshot { n, from, bytes, seq, size } => {
                    self.reset(from);
                    (self.drawn, self.end, self.size) = (bytes, seq, size);
                    self.snapshot = Some(n);
                }
                Sent::Ping { seq, n } => {
                    self.machine.on_ack(self.stream, seq, Some(n), now).unwrap()
                }
            }
        }
        if say_so {
            self.machine
                .on_ack(self.stream, self.end.min(self.machine.sent()), self.snapshot, now)
                .unwrap();
        }
    }

    fn reset(&mut self, at: Seq) {
        (self.from, self.end) = (at, at);
        self.drawn.clear();
    }
}
