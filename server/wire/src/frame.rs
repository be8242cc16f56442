//! Binary layouts, by hand: link frames between core and host, and the frames of a
//! `glasshouse.v1` socket. All integers are big-endian.
//!
//! | link kind | payload |
//! |---|---|
//! | 1 control | JSON |
//! | 2 output | `u32` handle, `u64` end Seq, `u64` `at_ms`, bytes |
//! | 3 bulk | `u32` request, `u8` last, bytes |
//! | 4 input | `u32` request, `u32` head length, JSON head, bytes |
//!
//! A link frame is `u32` length (of what follows), `u8` kind, payload.

use crate::Seq;
use crate::browser::Paste;

/// A frame that does not parse: the peer is broken or hostile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Shorter than its fixed part.
    #[error("frame is too short")]
    Short,
    /// A kind or tag nobody defined.
    #[error("frame kind {0} is not known")]
    Kind(u8),
}

/// Bytes before the payload of a link frame: length and kind.
pub const LINK_HEAD_BYTES: usize = 5;

/// What a link frame holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// JSON.
    Control,
    /// Output of a session.
    Output,
    /// Part of a reply's bytes.
    Bulk,
    /// Input with its JSON head.
    Input,
}

impl LinkKind {
    /// As it stands in the frame.
    pub fn to_byte(self) -> u8 {
        match self {
            Self::Control => 1,
            Self::Output => 2,
            Self::Bulk => 3,
            Self::Input => 4,
        }
    }

    /// # Errors
    ///
    /// [`FrameError::Kind`] for anything else: the connection is closed.
    pub fn from_byte(byte: u8) -> Result<Self, FrameError> {
        match byte {
            1 => Ok(Self::Control),
            2 => Ok(Self::Output),
            3 => Ok(Self::Bulk),
            4 => Ok(Self::Input),
            other => Err(FrameError::Kind(other)),
        }
    }
}

/// The head of a link frame with `payload_bytes` after it.
///
/// # Panics
///
/// When the payload is past 4 GiB; what we send is at most 8 MiB.
pub fn link_head(kind: LinkKind, payload_bytes: usize) -> [u8; LINK_HEAD_BYTES] {
    let length = u32::try_from(payload_bytes + 1).expect("a link frame is at most 8 MiB");
    let [a, b, c, d] = length.to_be_bytes();
    [a, b, c, d, kind.to_byte()]
}

/// Bytes before the output in a link output frame's payload.
pub const OUTPUT_HEAD_BYTES: usize = 20;

/// The fixed part of a link output frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputHead {
    /// Names the session on this connection.
    pub handle: u32,
    /// Where the output ends.
    pub end: Seq,
    /// When its first byte was read, in milliseconds since 1970.
    pub at_ms: u64,
}

impl OutputHead {
    /// As it stands in the frame.
    pub fn to_bytes(self) -> [u8; OUTPUT_HEAD_BYTES] {
        let mut out = [0; OUTPUT_HEAD_BYTES];
        out[..4].copy_from_slice(&self.handle.to_be_bytes());
        out[4..12].copy_from_slice(&self.end.0.to_be_bytes());
        out[12..].copy_from_slice(&self.at_ms.to_be_bytes());
        out
    }

    /// Splits a payload into head and output.
    ///
    /// # Errors
    ///
    /// [`FrameError::Short`].
    pub fn split(payload: &[u8]) -> Result<(Self, &[u8]), FrameError> {
        let (handle, rest) = take_u32(payload)?;
        let (end, rest) = take_u64(rest)?;
        let (at_ms, rest) = take_u64(rest)?;
        Ok((Self { handle, end: Seq(end), at_ms }, rest))
    }
}

/// Bytes before the data in a link bulk frame's payload.
pub const BULK_HEAD_BYTES: usize = 5;

/// The fixed part of a link bulk frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BulkHead {
    /// The request it answers.
    pub request: u32,
    /// Whether it is the last part.
    pub last: bool,
}

impl BulkHead {
    /// As it stands in the frame.
    pub fn to_bytes(self) -> [u8; BULK_HEAD_BYTES] {
        let [a, b, c, d] = self.request.to_be_bytes();
        [a, b, c, d, u8::from(self.last)]
    }

    /// Splits a payload into head and data.
    ///
    /// # Errors
    ///
    /// [`FrameError::Short`].
    pub fn split(payload: &[u8]) -> Result<(Self, &[u8]), FrameError> {
        let (request, rest) = take_u32(payload)?;
        let (&last, rest) = rest.split_first().ok_or(FrameError::Short)?;
        Ok((Self { request, last: last != 0 }, rest))
    }
}

/// The payload of a link input frame, up to its bytes.
///
/// # Panics
///
/// When the head is past 4 GiB; it is a few hundred bytes.
pub fn input_head(request: u32, json: &[u8]) -> Vec<u8> {
    let length = u32::try_from(json.len()).expect("an input head is small");
    let mut out = Vec::with_capacity(8 + json.len());
    out.extend_from_slice(&request.to_be_bytes());
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(json);
    out
}

/// Splits a link input payload into request, JSON head and bytes.
///
/// # Errors
///
/// [`FrameError::Short`].
pub fn split_input(payload: &[u8]) -> Result<(u32, &[u8], &[u8]), FrameError> {
    let (request, rest) = take_u32(payload)?;
    let (length, rest) = take_u32(rest)?;
    let length = usize::try_from(length).map_err(|_| FrameError::Short)?;
    let (json, bytes) = rest.split_at_checked(length).ok_or(FrameError::Short)?;
    Ok((request, json, bytes))
}

/// Tag of an output frame to a viewer.
pub const TAG_OUTPUT: u8 = 1;
/// Tag of a snapshot part to a viewer.
pub const TAG_SNAPSHOT: u8 = 2;
/// Bytes before the output in a viewer's output frame.
pub const VIEWER_OUTPUT_HEAD_BYTES: usize = 9;
/// Bytes before the data in a viewer's snapshot part.
pub const VIEWER_SNAPSHOT_HEAD_BYTES: usize = 5;
/// Bytes before the data in a viewer's input frame.
pub const VIEWER_INPUT_HEAD_BYTES: usize = 17;

/// The head of an output frame to a viewer: tag and end Seq.
pub fn viewer_output_head(end: Seq) -> [u8; VIEWER_OUTPUT_HEAD_BYTES] {
    let mut out = [TAG_OUTPUT; VIEWER_OUTPUT_HEAD_BYTES];
    out[1..].copy_from_slice(&end.0.to_be_bytes());
    out
}

/// The head of a snapshot part to a viewer: tag and snapshot number.
pub fn viewer_snapshot_head(n: u32) -> [u8; VIEWER_SNAPSHOT_HEAD_BYTES] {
    let mut out = [TAG_SNAPSHOT; VIEWER_SNAPSHOT_HEAD_BYTES];
    out[1..].copy_from_slice(&n.to_be_bytes());
    out
}

/// A viewer's binary input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewerInput<'a> {
    /// Which part of a paste it is; none for keys.
    pub paste: Option<Paste>,
    /// Under which grant.
    pub epoch: u32,
    /// How many refusals the viewer has seen.
    pub run: u32,
    /// Its id.
    pub id: u64,
    /// The bytes.
    pub bytes: &'a [u8],
}

impl<'a> ViewerInput<'a> {
    /// The whole frame.
    pub fn to_bytes(self) -> Vec<u8> {
        let tag = match self.paste {
            None => 16,
            Some(Paste::One) => 17,
            Some(Paste::Start) => 18,
            Some(Paste::More) => 19,
            Some(Paste::End) => 20,
        };
        let mut out = Vec::with_capacity(VIEWER_INPUT_HEAD_BYTES + self.bytes.len());
        out.push(tag);
        out.extend_from_slice(&self.epoch.to_be_bytes());
        out.extend_from_slice(&self.run.to_be_bytes());
        out.extend_from_slice(&self.id.to_be_bytes());
        out.extend_from_slice(self.bytes);
        out
    }

    /// Reads a frame.
    ///
    /// # Errors
    ///
    /// [`FrameError::Short`], or [`FrameError::Kind`] for a tag that is no input.
    pub fn parse(frame: &'a [u8]) -> Result<Self, FrameError> {
        let (&tag, rest) = frame.split_first().ok_or(FrameError::Short)?;
        let paste = match tag {
            16 => None,
            17 => Some(Paste::One),
            18 => Some(Paste::Start),
            19 => Some(Paste::More),
            20 => Some(Paste::End),
            other => return Err(FrameError::Kind(other)),
        };
        let (epoch, rest) = take_u32(rest)?;
        let (run, rest) = take_u32(rest)?;
        let (id, bytes) = take_u64(rest)?;
        Ok(Self { paste, epoch, run, id, bytes })
    }
}

fn take_u32(bytes: &[u8]) -> Result<(u32, &[u8]), FrameError> {
    let (head, rest) = bytes.split_first_chunk::<4>().ok_or(FrameError::Short)?;
    Ok((u32::from_be_bytes(*head), rest))
}

fn take_u64(bytes: &[u8]) -> Result<(u64, &[u8]), FrameError> {
    let (head, rest) = bytes.split_first_chunk::<8>().ok_or(FrameError::Short)?;
    Ok((u64::from_be_bytes(*head), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_come_back_as_they_went() {
        let head = OutputHead { handle: 7, end: Seq(1 << 40), at_ms: 99 };
        let payload = [head.to_bytes().as_slice(), b"hi"].concat();
        assert_eq!(OutputHead::split(&payload), Ok((head, b"hi".as_slice())));
        let bulk = BulkHead { request: 3, last: true };
        let payload = [bulk.to_bytes().as_slice(), b"x"].concat();
        assert_eq!(BulkHead::split(&payload), Ok((bulk, b"x".as_slice())));
        let payload = [input_head(5, b"{}").as_slice(), b"ls\r"].concat();
        assert_eq!(split_input(&payload), Ok((5, b"{}".as_slice(), b"ls\r".as_slice())));
    }

    #[test]
    fn a_cut_frame_is_refused_at_every_length() {
        let frame =
            ViewerInput { paste: Some(Paste::One), epoch: 1, run: 2, id: 3, bytes: b"" }.to_bytes();
        for length in 0..frame.len() {
            assert_eq!(ViewerInput::parse(&frame[..length]), Err(FrameError::Short));
        }
        assert_eq!(ViewerInput::parse(&[1]), Err(FrameError::Kind(1)));
    }

    #[test]
    fn a_head_longer_than_its_frame_is_refused() {
        assert_eq!(split_input(&[0, 0, 0, 1, 255, 255, 255, 255, 1]), Err(FrameError::Short));
    }
}
