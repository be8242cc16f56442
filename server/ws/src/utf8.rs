//! Whether a text message is UTF-8 so far, while it is still arriving.
//!
//! A wrong byte is found when it arrives, not when the message ends: a peer that sends 16 MiB of
//! garbage is cut off at its first byte. A character that is not complete yet is no error, so the
//! check resumes at its first byte; it re-reads at most three bytes.

use crate::error::Error;

/// How much of a growing body is known to be UTF-8.
#[derive(Debug, Default)]
pub(crate) struct Utf8 {
    /// Bytes from the start that are whole characters. Never past the body's length.
    checked: usize,
}

impl Utf8 {
    /// Checks what `body` gained since the last call.
    pub(crate) fn on_growth(&mut self, body: &[u8]) -> Result<(), Error> {
        match str::from_utf8(&body[self.checked..]) {
            Ok(rest) => self.checked += rest.len(),
            Err(error) if error.error_len().is_none() => self.checked += error.valid_up_to(),
            Err(_) => return Err(Error::NotUtf8),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_byte_is_found_when_it_arrives() {
        // Each row: bytes that may still become text, then the byte that cannot.
        let rows: [(&[u8], u8); 9] = [
            (b"", 0x80),
            (b"", 0xc0),
            (b"", 0xff),
            (b"\xe0", 0x80),
            (b"\xed", 0xa0),
            (b"\xf0", 0x80),
            (b"\xf4", 0x90),
            (b"\xe2\x82", b'x'),
            ("κόσμε".as_bytes(), 0xf8),
        ];
        for (good, bad) in rows {
            let mut body = good.to_vec();
            assert_eq!(byte_by_byte(&body), Ok(()), "{body:x?}");
            body.push(bad);
            assert_eq!(byte_by_byte(&body), Err(Error::NotUtf8), "{body:x?}");
        }
    }

    #[test]
    fn every_character_survives_being_cut() {
        let text: String = (0..=0x10_ffff).step_by(97).filter_map(char::from_u32).collect();
        let mut utf8 = Utf8::default();
        for end in 0..=text.len() {
            assert_eq!(utf8.on_growth(&text.as_bytes()[..end]), Ok(()));
        }
        assert_eq!(utf8.checked, text.len());
    }

    fn byte_by_byte(body: &[u8]) -> Result<(), Error> {
        let mut utf8 = Utf8::default();
        (0..=body.len()).try_for_each(|end| utf8.on_growth(&body[..end]))
    }
}
