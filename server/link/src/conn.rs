//! Writes an outbox to a socket, a little at a time.
//!
//! What is handed to the socket cannot be overtaken any more, so little is handed over at once: a
//! key is answered while another session floods.

use std::collections::VecDeque;
use std::io::IoSlice;

use bytes::Buf;
use tokio::io::{AsyncWrite, AsyncWriteExt};

use crate::{Frame, Outbox};

/// Bytes handed to the socket between two looks at what is urgent.
const WRITE_BYTES: usize = 64 * 1024;

/// Writes until the outbox is closed or the socket fails, then closes both.
pub async fn write_all<W: AsyncWrite + Unpin>(outbox: Outbox, mut socket: W) {
    while let Some(frames) = outbox.next(WRITE_BYTES).await {
        let mut batch = Batch { frames, done: 0 };
        let written = tokio::select! {
            written = socket.write_all_buf(&mut batch) => written,
            () = outbox.closed() => break,
        };
        if let Err(error) = written {
            tracing::debug!(%error, "the link's socket failed");
            break;
        }
        // A socket that never makes us wait must not keep a core from everybody else.
        tokio::task::yield_now().await;
    }
    outbox.close();
    if let Err(error) = socket.shutdown().await {
        tracing::debug!(%error, "the link's socket was gone before it was shut down");
    }
}

/// Frames as one buffer of many slices, without copying them together.
struct Batch {
    frames: VecDeque<Frame>,
    /// Bytes of the first frame that are written.
    done: usize,
}

impl Batch {
    fn slices(&self) -> impl Iterator<Item = &[u8]> {
        let parts = self.frames.iter().flat_map(|frame| [frame.head_slice(), &frame.body]);
        let mut done = self.done;
        parts.filter_map(move |part: &[u8]| {
            let skipped = done.min(part.len());
            done -= skipped;
            part.get(skipped..).filter(|rest| !rest.is_empty())
        })
    }
}

impl Buf for Batch {
    fn remaining(&self) -> usize {
        self.frames.iter().map(Frame::len).sum::<usize>() - self.done
    }

    fn chunk(&self) -> &[u8] {
        self.slices().next().unwrap_or_default()
    }

    fn chunks_vectored<'a>(&'a self, out: &mut [IoSlice<'a>]) -> usize {
        let mut filled = 0;
        for (slot, slice) in out.iter_mut().zip(self.slices()) {
            *slot = IoSlice::new(slice);
            filled += 1;
        }
        filled
    }

    fn advance(&mut self, bytes: usize) {
        self.done += bytes;
        while let Some(first) = self.frames.front() {
            if self.done < first.len() {
                return;
            }
            self.done -= first.len();
            self.frames.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use tokio::io::AsyncReadExt;
    use wire::Seq;
    use wire::frame::{LinkKind, OutputHead};
    use wire::limits::LINK_FRAME_MAX_BYTES;

    use super::*;
    use crate::frame::FrameReader;

    fn batch() -> Batch {
        let frames = (1..=4)
            .map(|n| Frame::output(1, Seq(n * 3), 0, Bytes::from(if n == 2 { "" } else { "abc" })));
        Batch { frames: frames.collect(), done: 0 }
    }

    #[test]
    fn a_batch_reads_the_same_however_it_is_advanced() {
        let mut whole = batch();
        let whole = whole.copy_to_bytes(whole.remaining());
        for step in 1..whole.len() {
            let mut batch = batch();
            let mut out = Vec::new();
            while batch.has_remaining() {
                let mut slices = [IoSlice::new(&[]); 3];
                let filled = batch.chunks_vectored(&mut slices);
                assert!(filled > 0 && slices[0].as_ref() == batch.chunk());
                let bytes: Vec<u8> =
                    slices[..filled].iter().flat_map(|slice| slice.to_vec()).collect();
                let took = bytes.len().min(step);
                out.extend_from_slice(&bytes[..took]);
                batch.advance(took);
            }
            assert_eq!(out, whole);
        }
    }

    #[tokio::test]
    async fn a_key_is_answered_while_another_session_floods() {
        let outbox = Outbox::default();
        let flood = Bytes::from(vec![b'x'; 64 * 1024]);
        for n in 1..=64 {
            outbox.push(1, Frame::output(1, Seq(n * 65_536), 0, flood.clone())).unwrap();
        }
        let (near, far) = tokio::io::duplex(1024);
        let writer = tokio::spawn(write_all(outbox.clone(), near));
        let mut reader = FrameReader::new(far);
        assert_eq!(reader.next(LINK_FRAME_MAX_BYTES).await.unwrap().unwrap().0, LinkKind::Output);
        outbox.push(2, Frame::output(2, Seq(1), 0, Bytes::from_static(b"k"))).unwrap();
        outbox.urgent(Frame::bulk(5, true, Bytes::new())).unwrap();
        let mut before = 0;
        let mut seen_urgent = false;
        loop {
            let (kind, payload) = reader.next(LINK_FRAME_MAX_BYTES).await.unwrap().unwrap();
            match kind {
                LinkKind::Bulk => seen_urgent = true,
                LinkKind::Output if OutputHead::split(&payload).unwrap().0.handle == 2 => break,
                LinkKind::Output => before += 1,
                LinkKind::Control | LinkKind::Input => panic!("nobody sent that"),
            }
        }
        assert!(seen_urgent && before <= 3, "{before} frames of the flood went first");
        outbox.close();
        writer.await.unwrap();
    }

    #[tokio::test]
    async fn closing_ends_a_write_that_nobody_reads() {
        let outbox = Outbox::default();
        let (near, mut far) = tokio::io::duplex(16);
        outbox.urgent(Frame::bulk(1, true, Bytes::from(vec![0; 4096]))).unwrap();
        let writer = tokio::spawn(write_all(outbox.clone(), near));
        far.read_u8().await.unwrap();
        outbox.close();
        writer.await.unwrap();
    }
}
