//! Random bytes, drawn here and passed into the rules.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::TryRng as _;
use rand::rngs::SysRng;

/// The operating system's randomness.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl Random {
    /// Fresh bytes.
    ///
    /// # Panics
    ///
    /// When the operating system has no randomness to give: nothing secret can be made then.
    pub fn bytes<const N: usize>(self) -> [u8; N] {
        let mut out = [0; N];
        SysRng.try_fill_bytes(&mut out).expect("the operating system has random bytes");
        out
    }

    /// 32 random bytes in base64url: the text of a ticket, a cookie or a sign-in link.
    pub fn token(self) -> String {
        URL_SAFE_NO_PAD.encode(self.bytes::<32>())
    }
}
