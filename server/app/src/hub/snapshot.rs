//! A screen to draw from, shared by all who need one.
//!
//! It is cut like output, never inside a character, so that a part is text by itself. Its parts
//! are encoded when they are sent: each viewer numbers its snapshots itself.

use bytes::{BufMut as _, Bytes, BytesMut};
use pane::cut;
use wire::browser::{Scope, ServerMessage, SnapshotReason};
use wire::frame::{VIEWER_SNAPSHOT_HEAD_BYTES, viewer_snapshot_head};
use wire::{Seq, limits};

use super::frame::{Body, Encoding, text};

/// A snapshot and where it stands.
#[derive(Debug)]
pub struct Snapshot {
    /// Names it; a later one has a higher id.
    pub id: u64,
    /// The offset at which it stands.
    pub seq: Seq,
    /// Columns to draw it at.
    pub cols: u16,
    /// Rows to draw it at.
    pub rows: u16,
    /// What it holds.
    pub scope: Scope,
    /// The number of its size.
    pub resize: u64,
    /// Whether it comes from the record and not from the host.
    pub stored: bool,
    bytes: Bytes,
    /// Where each part ends. At least one.
    cuts: Vec<usize>,
}

/// A snapshot before it is cut.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) seq: Seq,
    pub(super) cols: u16,
    pub(super) rows: u16,
    pub(super) scope: Scope,
    pub(super) resize: u64,
    pub(super) stored: bool,
    pub(super) bytes: Bytes,
}

impl Snapshot {
    pub(super) fn new(id: u64, whole: Whole) -> Self {
        let Whole { seq, cols, rows, scope, resize, stored, bytes } = whole;
        let most = usize::try_from(limits::OUTPUT_FRAME_MAX_BYTES).unwrap_or(usize::MAX);
        let (mut cuts, mut at) = (Vec::new(), 0);
        while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
            at += cut::piece(rest, most);
            cuts.push(at);
        }
        if cuts.is_empty() {
            cuts.push(0);
        }
        Self { id, seq, cols, rows, scope, resize, stored, bytes, cuts }
    }

    /// What the rules need to know of it.
    pub fn facts(&self) -> pane::viewer::Snapshot {
        pane::viewer::Snapshot {
            id: self.id,
            seq: self.seq,
            scope: self.scope,
            resize: self.resize,
            parts: u32::try_from(self.cuts.len()).unwrap_or(u32::MAX),
        }
    }

    /// The message before its parts; none where every part says it all.
    pub fn head(&self, encoding: Encoding, n: u32, reason: SnapshotReason) -> Option<Body> {
        (encoding == Encoding::Binary).then(|| Body::text(text(&self.message(n, reason, None))))
    }

    /// One part; none for an empty one whose head has said it all.
    pub fn part(
        &self,
        encoding: Encoding,
        n: u32,
        reason: SnapshotReason,
        part: u32,
    ) -> Option<Body> {
        let index = usize::try_from(part).unwrap_or(usize::MAX);
        let from = index.checked_sub(1).and_then(|before| self.cuts.get(before)).copied();
        let to = self.cuts.get(index).copied().unwrap_or(self.bytes.len());
        let data = self.bytes.get(from.unwrap_or(0)..to).unwrap_or_default();
        match encoding {
            Encoding::Binary if data.is_empty() => None,
            Encoding::Binary => {
                let mut framed = BytesMut::with_capacity(VIEWER_SNAPSHOT_HEAD_BYTES + data.len());
                framed.put_slice(&viewer_snapshot_head(n));
                framed.put_slice(data);
                Some(Body::binary(framed.freeze()))
            }
            Encoding::Json => {
                let last = index + 1 >= self.cuts.len();
                let data = String::from_utf8_lossy(data).into_owned();
                Some(Body::text(text(&self.message(n, reason, Some((part, last, data))))))
            }
        }
    }

    fn message(
        &self,
        n: u32,
        reason: SnapshotReason,
        part: Option<(u32, bool, String)>,
    ) -> ServerMessage {
        let (part, last, data) = match part {
            Some((part, last, data)) => (Some(part), Some(last), Some(data)),
            None => (None, None, None),
        };
        ServerMessage::Snapshot {
            n,
            seq: self.seq,
            cols: self.cols,
            rows: self.rows,
            scope: self.scope,
            reason: if self.stored { SnapshotReason::Stored } else { reason },
            bytes: u32::try_from(self.bytes.len()).unwrap_or(u32::MAX),
            part,
            last,
            data,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(bytes: &str) -> Snapshot {
        Snapshot::new(
            7,
            Whole {
                seq: Seq(9),
                cols: 80,
                rows: 24,
                scope: Scope::Full,
                resize: 1,
                stored: false,
                bytes: bytes.to_owned().into(),
            },
        )
    }

    #[test]
    fn parts_join_to_the_whole_and_cut_no_character() {
        let text = "€".repeat(5_000);
        let snapshot = snapshot(&text);
        assert_eq!(snapshot.facts().parts, 2);
        let mut joined = Vec::new();
        for part in 0..2 {
            let part = snapshot.part(Encoding::Binary, 3, SnapshotReason::Attach, part).unwrap();
            let part = part.frame(false).body().clone();
            assert_eq!(&part[..5], b"\x02\0\0\0\x03");
            assert!(part.len() <= 5 + 8192 && std::str::from_utf8(&part[5..]).is_ok());
            joined.extend_from_slice(&part[5..]);
        }
        assert_eq!(joined, text.as_bytes());
    }

    #[test]
    fn an_empty_one_is_said_whole_by_its_head_or_its_only_part() {
        let snapshot = snapshot("");
        assert!(snapshot.head(Encoding::Binary, 1, SnapshotReason::Attach).is_some());
        assert!(snapshot.part(Encoding::Binary, 1, SnapshotReason::Attach, 0).is_none());
        assert!(snapshot.head(Encoding::Json, 1, SnapshotReason::Attach).is_none());
        let part = snapshot.part(Encoding::Json, 1, SnapshotReason::Lag, 0).unwrap();
        let text = String::from_utf8(part.frame(false).body().to_vec()).unwrap();
        assert!(
            text.contains(r#""reason":"lag","bytes":0,"part":0,"last":true,"data":"""#),
            "{text}"
        );
    }
}
