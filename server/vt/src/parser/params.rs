//! Numeric parameters of a control sequence.

use std::fmt::Write as _;

/// Most parameters, and most subparameters of all together; further ones are ignored.
const PARAMS_MAX: usize = 32;

/// The parameters read so far; there is always one. An empty parameter is 0, an empty subparameter
/// is -1.
#[derive(Clone, Debug)]
pub(crate) struct Params {
    values: [i32; PARAMS_MAX],
    len: usize,
    subs: [i32; PARAMS_MAX],
    subs_len: usize,
    /// Where each parameter's subparameters start in `subs`; they end where the next's start.
    subs_from: [u8; PARAMS_MAX],
    /// Digits go to the last subparameter.
    in_sub: bool,
    /// Digits go nowhere: there are too many parameters.
    full: bool,
    /// The same for subparameters.
    subs_full: bool,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            values: [0; PARAMS_MAX],
            len: 1,
            subs: [0; PARAMS_MAX],
            subs_len: 0,
            subs_from: [0; PARAMS_MAX],
            in_sub: false,
            full: false,
            subs_full: false,
        }
    }
}

impl Params {
    /// Back to one parameter, 0.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.values[0] = 0;
        self.len = 1;
        self.subs_len = 0;
        self.subs_from[0] = 0;
        self.in_sub = false;
        self.full = false;
        self.subs_full = false;
    }

    /// Takes a digit, `;` or `:`.
    #[inline]
    pub(crate) fn push(&mut self, byte: u8) {
        match byte {
            b';' => self.next(),
            b':' => self.next_sub(),
            _ => _ = self.push_digits(&[byte]),
        }
    }

    fn next(&mut self) {
        self.in_sub = false;
        if self.len == PARAMS_MAX {
            self.full = true;
            return;
        }
        self.values[self.len] = 0;
        self.subs_from[self.len] = u8::try_from(self.subs_len).unwrap_or(u8::MAX);
        self.len += 1;
    }

    fn next_sub(&mut self) {
        self.in_sub = true;
        if self.full || self.subs_len == PARAMS_MAX {
            self.subs_full = true;
            return;
        }
        self.subs[self.subs_len] = -1;
        self.subs_len += 1;
    }

    /// Takes the digits that `bytes` starts with; gives what follows.
    #[inline]
    pub(crate) fn push_digits<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        let mut nowhere = 0;
        let value = if self.full || self.in_sub && self.subs_full {
            &mut nowhere
        } else if self.in_sub {
            &mut self.subs[self.subs_len - 1]
        } else {
            &mut self.values[self.len - 1]
        };
        let mut number = (*value).max(0);
        let mut rest = bytes;
        while let [byte @ b'0'..=b'9', after @ ..] = rest {
            number = number.saturating_mul(10).saturating_add(i32::from(byte - b'0'));
            rest = after;
        }
        *value = number;
        rest
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The parameter `at`; 0 when there is none.
    #[inline]
    pub(crate) fn get(&self, at: usize) -> i32 {
        if at < self.len { self.values[at] } else { 0 }
    }

    /// The parameter `at` as a count: at least 1, at most `most`.
    #[inline]
    pub(crate) fn count(&self, at: usize, most: usize) -> usize {
        usize::try_from(self.get(at)).unwrap_or(0).clamp(1, most.max(1))
    }

    /// Whether there are subparameters.
    #[inline]
    pub(crate) fn has_subs(&self) -> bool {
        self.subs_len > 0
    }

    /// The subparameters of the parameter `at`.
    pub(crate) fn sub(&self, at: usize) -> &[i32] {
        if at >= self.len {
            return &[];
        }
        let from = usize::from(self.subs_from[at]);
        let to =
            if at + 1 < self.len { usize::from(self.subs_from[at + 1]) } else { self.subs_len };
        self.subs.get(from..to).unwrap_or_default()
    }

    /// All parameters.
    pub(crate) fn iter(&self) -> impl Iterator<Item = i32> + '_ {
        self.values[..self.len].iter().copied()
    }

    /// Text that leads to the same parameters and takes further digits the same way.
    pub(crate) fn write(&self, out: &mut String) {
        for at in 0..self.len {
            if at > 0 {
                out.push(';');
            }
            // Writing to a string cannot fail.
            _ = write!(out, "{}", self.values[at]);
            for &sub in self.sub(at) {
                out.push(':');
                if sub >= 0 {
                    _ = write!(out, "{sub}");
                }
            }
        }
        if self.full {
            out.push(';');
        }
        if self.in_sub && (self.subs_full || self.full) {
            out.push(':');
        }
    }
}
