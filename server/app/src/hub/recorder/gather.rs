//! What is to be stored next of one session: raw output and marks go in, redacted batches that
//! tile come out.
//!
//! No I/O and no clock. Three offsets move here, each at or before the next: what was taken into
//! batches, what the redactor has released, what was fed. A mark is stored once everything before
//! it is: a recorder that starts after a crash then meets it again exactly where it stands.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use pane::batch::{self, Batch};
use pane::redact::{Redactor, State};
use store::{Gap, Item, Role, Row};
use wire::browser::Exit;
use wire::host::{Mark, MarkKind};
use wire::{Seq, SessionId, Span};

/// Output that stopped for so long leaves nothing but the start of a secret in the redactor.
const QUIET: Duration = Duration::from_millis(250);

/// Fed at once: two released pieces then fill a row.
const PIECE_BYTES: usize = batch::ROW_BYTES / 2;

/// Marks that wait to be stored. Past it no more is fed, as with output.
const MARKS: usize = 1024;

/// Released pieces that wait to be stored. A program that prints a byte at a time makes a row of
/// each 20 ms; with a store that is away they would outgrow the limit in bytes.
const PIECES: usize = 4096;

/// One session's output and marks on their way into the record.
#[derive(Debug)]
pub(super) struct Gather {
    session: SessionId,
    role: Role,
    redactor: Redactor,
    rows: Batch,
    gaps: Vec<Gap>,
    /// Released pieces in `rows`.
    pieces: usize,
    /// Fed to the redactor, not taken yet.
    marks: VecDeque<Mark>,
    /// The last mark that was fed.
    mark: u64,
    /// What the redactor said at the ends of released pieces: the end of a run of them that said
    /// the same, and what.
    states: VecDeque<(Seq, State)>,
    /// Everything before it was released.
    released: Seq,
    /// Everything before it was fed.
    fed: Seq,
    /// When the last fed byte was printed, in milliseconds since 1970.
    at_ms: u64,
    /// Released and not in a row yet, since no whole byte of output stands behind it.
    out: Vec<u8>,
    /// When what the redactor holds is looked at again.
    quiet_at: Option<Instant>,
    /// The program ended; nothing follows.
    exit: Option<(Exit, u64)>,
}

impl Gather {
    /// Goes on where the record stands. `before` is raw output that ends there: as much of the
    /// last 128 KiB as there is.
    pub(super) fn new(session: SessionId, role: Role, cols: u16, before: &[u8]) -> Self {
        let state = State::from_byte(role.redact_state);
        let mut redactor = Redactor::resume(state, cols);
        if !before.is_empty() {
            redactor.catch_up(before);
        }
        Self {
            session,
            role,
            redactor,
            rows: Batch::new(),
            gaps: Vec::new(),
            pieces: 0,
            marks: VecDeque::new(),
            mark: role.mark,
            states: VecDeque::new(),
            released: role.durable,
            fed: role.durable,
            at_ms: 0,
            out: Vec::new(),
            quiet_at: None,
            exit: None,
        }
    }

    /// What to feed next.
    pub(super) fn fed(&self) -> Seq {
        self.fed
    }

    /// The last mark that was fed.
    pub(super) fn mark(&self) -> u64 {
        self.mark
    }

    /// Whether no more should be fed until a batch was taken.
    pub(super) fn is_full(&self) -> bool {
        self.rows.is_full() || self.pieces >= PIECES || self.marks.len() >= MARKS
    }

    /// How the program ended, once that was fed.
    pub(super) fn exit(&self) -> Option<(Exit, u64)> {
        self.exit
    }

    /// Feeds output that begins where the last ended.
    pub(super) fn on_output(&mut self, at_ms: u64, bytes: &[u8], now: Instant) {
        self.at_ms = at_ms;
        for piece in bytes.chunks(PIECE_BYTES) {
            self.redactor.feed(piece, &mut self.out);
            self.fed = self.fed.advance(u64::try_from(piece.len()).unwrap_or(0));
            self.release(now);
        }
        self.quiet_at = (self.released < self.fed).then(|| now + QUIET);
    }

    /// Feeds a mark that stands where the output fed so far ends.
    pub(super) fn on_mark(&mut self, mark: Mark, now: Instant) {
        match &mark.kind {
            MarkKind::Start { cols, .. } | MarkKind::Resize { cols, .. } => {
                self.redactor.resize(*cols);
            }
            MarkKind::Exit { exit } => {
                self.exit = Some((*exit, mark.at_ms));
                self.redactor.finish(&mut self.out);
                self.release(now);
                self.quiet_at = None;
            }
            // That something is missing shows when it is read.
            MarkKind::Gap { .. } => {}
        }
        self.rows.close();
        self.mark = mark.n;
        self.marks.push_back(mark);
    }

    /// Output from where the last ended up to `to` cannot be had any more.
    pub(super) fn on_gap(&mut self, to: Seq, why: String, at_ms: i64, now: Instant) {
        self.redactor.on_gap(&mut self.out);
        self.release(now);
        self.rows.close();
        self.gaps.push(Gap { from: self.fed, to: Some(to), at_ms, why });
        (self.fed, self.released) = (to, to);
        self.quiet_at = None;
        self.note();
    }

    /// Looks at the clock: output that paused is released.
    pub(super) fn on_time(&mut self, now: Instant) {
        if self.quiet_at.is_some_and(|at| at <= now) {
            self.settle(now);
        }
    }

    /// Releases what is held but for the start of a secret: nothing may come for a while.
    pub(super) fn settle(&mut self, now: Instant) {
        self.quiet_at = None;
        self.redactor.on_deadline(&mut self.out);
        self.release(now);
    }

    /// When to call [`Gather::on_time`] again, and [`Gather::take`] unless a batch is on its way.
    pub(super) fn deadline(&self, on_its_way: bool) -> Option<Instant> {
        let rows = if on_its_way { None } else { self.rows.deadline() };
        self.quiet_at.into_iter().chain(rows).min()
    }

    /// Closes the open row, so that everything released is taken next.
    pub(super) fn close(&mut self) {
        self.rows.close();
    }

    /// What is due to be stored. Ask while nothing else of this session is on its way.
    pub(super) fn take(&mut self, now: Instant) -> Option<store::Batch> {
        self.pieces = 0;
        let rows = self.rows.take(now).into_iter().map(row).map(Item::Row);
        let gaps = std::mem::take(&mut self.gaps).into_iter().map(Item::Gap);
        let mut items: Vec<Item> = rows.chain(gaps).collect();
        items.sort_by_key(Item::from);
        let from = self.role.durable;
        let to = items.last().and_then(Item::to).unwrap_or(from);
        let ready = self.marks.iter().take_while(|mark| mark.seq <= to).count();
        let marks: Vec<Mark> = self.marks.drain(..ready).collect();
        if items.is_empty() && marks.is_empty() {
            return None;
        }
        let mark = marks.last().map_or(self.role.mark, |mark| mark.n);
        let taken = store::Batch {
            session: self.session,
            epoch: self.role.epoch,
            from,
            to,
            after_mark: self.role.mark,
            mark,
            redact_state: self.state_at(to),
            items,
            marks,
        };
        let redact_state = taken.redact_state;
        self.role = Role { durable: to, mark, redact_state, ..self.role };
        Some(taken)
    }

    /// Puts what the redactor let go into rows.
    fn release(&mut self, now: Instant) {
        let held = u64::try_from(self.redactor.held_bytes()).unwrap_or(u64::MAX);
        let to = self.fed.back(held).max(self.released);
        if to == self.released {
            return;
        }
        let span = Span { from: self.released, to };
        self.rows.on_output(span, self.at_ms, &self.out, now);
        self.out.clear();
        self.pieces += 1;
        self.released = to;
        self.note();
    }

    fn note(&mut self) {
        let state = self.redactor.state();
        match self.states.back_mut() {
            Some((end, same)) if *same == state => *end = self.released,
            Some(_) | None => self.states.push_back((self.released, state)),
        }
    }

    /// The redactor's state at `to`, the end of a released piece; earlier ones are forgotten.
    fn state_at(&mut self, to: Seq) -> u8 {
        if to == self.role.durable {
            return self.role.redact_state;
        }
        while self.states.front().is_some_and(|(end, _)| *end < to) {
            self.states.pop_front();
        }
        self.states.front().map_or(self.role.redact_state, |(_, state)| state.byte())
    }
}

fn row(row: batch::Row) -> Row {
    let at_ms = i64::try_from(row.at_ms).unwrap_or(i64::MAX);
    Row { from: row.span.from, to: row.span.to, at_ms, bytes: row.bytes }
}
