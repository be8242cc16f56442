//! Frames on their way into a socket, written together and never copied.

use std::collections::VecDeque;
use std::io::IoSlice;

use bytes::{Buf as _, Bytes};

/// Slices in one write: a head and a body for each of eight frames.
const SLICES: usize = 16;

/// Frames that wait for the socket. Whoever fills it looks at [`Out::bytes`] first.
#[derive(Debug, Default)]
pub(super) struct Out {
    /// None is empty.
    pieces: VecDeque<Bytes>,
    bytes: usize,
}

impl Out {
    /// A frame is to be written.
    pub(super) fn push(&mut self, frame: ws::Frame) {
        let (head, body) = frame.into_parts();
        for piece in [Bytes::copy_from_slice(&head), body] {
            self.bytes += piece.len();
            if !piece.is_empty() {
                self.pieces.push_back(piece);
            }
        }
    }

    /// What waits.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether nothing waits.
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// What to write next, at most a handful of slices.
    pub(super) fn slices(&self) -> Vec<IoSlice<'_>> {
        self.pieces.iter().take(SLICES).map(|piece| IoSlice::new(piece)).collect()
    }

    /// So much of it was written.
    pub(super) fn on_written(&mut self, mut bytes: usize) {
        self.bytes = self.bytes.saturating_sub(bytes);
        while let Some(first) = self.pieces.front_mut() {
            if bytes < first.len() {
                first.advance(bytes);
                return;
            }
            bytes -= first.len();
            self.pieces.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_the_socket_takes_the_bytes_come_in_order() {
        for step in 1..12 {
            let mut out = Out::default();
            out.push(ws::Frame::text("hello"));
            out.push(ws::Frame::binary(""));
            out.push(ws::Frame::binary("world"));
            let mut written = Vec::new();
            while !out.is_empty() {
                let all: Vec<u8> = out.slices().iter().flat_map(|slice| slice.to_vec()).collect();
                assert_eq!(all.len(), out.bytes());
                let taken = step.min(all.len());
                written.extend_from_slice(&all[..taken]);
                out.on_written(taken);
            }
            assert_eq!(written, b"\x81\x05hello\x82\x00\x82\x05world");
        }
    }
}
