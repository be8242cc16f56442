//! The record, as it is written and read.

use wire::host::Mark;
use wire::{Seq, SessionId};

/// The right to record a session, and where its record stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Role {
    /// How far it is recorded.
    pub durable: Seq,
    /// The last mark that is recorded.
    pub mark: u64,
    /// Names this grant: a batch under an older one is refused.
    pub epoch: i32,
    /// What kind of string or key block `durable` lies in, as the redactor wrote it.
    pub redact_state: u8,
}

/// A row of the record: a stretch of output, redacted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where it begins, before redaction.
    pub from: Seq,
    /// Where it ends, before redaction. After `from`.
    pub to: Seq,
    /// When it was printed.
    pub at_ms: i64,
    /// The redacted bytes: as many as the span has, or fewer, or a few more.
    pub bytes: Vec<u8>,
}

/// A stretch that was not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// Where it begins.
    pub from: Seq,
    /// Where it ends; none when nobody knows (the session was lost with its host).
    pub to: Option<Seq>,
    /// When it was noticed.
    pub at_ms: i64,
    /// Why, for people.
    pub why: String,
}

/// Rows and gaps in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// Recorded output.
    Row(Row),
    /// A hole in the record.
    Gap(Gap),
}

impl Item {
    /// Where it begins.
    pub fn from(&self) -> Seq {
        match self {
            Self::Row(row) => row.from,
            Self::Gap(gap) => gap.from,
        }
    }

    /// Where it ends; none for a gap whose end nobody knows.
    pub fn to(&self) -> Option<Seq> {
        match self {
            Self::Row(row) => Some(row.to),
            Self::Gap(gap) => gap.to,
        }
    }
}

/// A page of the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Rows and gaps, tiling from the first one's start. The first may begin before what was
    /// asked for, since rows are given whole.
    pub items: Vec<Item>,
    /// The offset to ask for next; none at the end of what was asked for.
    pub next: Option<Seq>,
    /// How far the session is recorded.
    pub durable: Seq,
}

/// What a recorder appends to one session's record, all of it or nothing.
#[derive(Clone, Debug)]
pub struct Batch {
    /// Which session.
    pub session: SessionId,
    /// The recorder's grant.
    pub epoch: i32,
    /// Where the record must end now.
    pub from: Seq,
    /// Where it will end. Equal to `from` when there are only marks.
    pub to: Seq,
    /// The last mark that must be recorded now.
    pub after_mark: u64,
    /// The last one that will be.
    pub mark: u64,
    /// The redactor's state at `to`.
    pub redact_state: u8,
    /// Rows and gaps that tile `from..to`.
    pub items: Vec<Item>,
    /// Marks after `after_mark` up to `mark`.
    pub marks: Vec<Mark>,
}

impl Batch {
    /// Bytes of its rows.
    pub fn bytes(&self) -> usize {
        self.rows().map(|row| row.bytes.len()).sum()
    }

    /// Its rows, in order.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.items.iter().filter_map(|item| match item {
            Item::Row(row) => Some(row),
            Item::Gap(_) => None,
        })
    }

    /// Its gaps, in order.
    pub fn gaps(&self) -> impl Iterator<Item = &Gap> {
        self.items.iter().filter_map(|item| match item {
            Item::Row(_) => None,
            Item::Gap(gap) => Some(gap),
        })
    }

    /// Where its items do not tile `from..to` or its marks do not count on.
    pub(crate) fn torn_at(&self) -> Option<Seq> {
        let mut end = self.from;
        for item in &self.items {
            match item.to() {
                Some(to) if item.from() == end && to > end => end = to,
                Some(_) | None => return Some(end),
            }
        }
        let mut mark = self.after_mark;
        for next in &self.marks {
            if next.n <= mark {
                return Some(next.seq);
            }
            mark = next.n;
        }
        (end != self.to || mark != self.mark).then_some(end)
    }
}
