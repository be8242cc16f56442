//! Character sets that map ASCII to other characters: DEC line drawing and the national ones.

/// A set other than ASCII, named by the byte that designates it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Charset(u8);

/// The bytes that national sets replace, in the order of [`NATIONAL`].
const REPLACED: &[u8; 12] = b"#@[\\]^_`{|}~";

/// National sets: the designating bytes, and the characters for [`REPLACED`].
///
/// Dutch has its digraph as `i`, which is what xterm.js draws.
const NATIONAL: [(&[u8], &str); 13] = [
    (b"A", "£@[\\]^_`{|}~"),
    (b"4", "£¾i½|^_`¨f¼´"),
    (b"C5", "#@ÄÖÅÜ_éäöåü"),
    (b"R", "£à°ç§^_`éùè¨"),
    (b"Q", "#àâçêî_ôéùèû"),
    (b"K", "#§ÄÖÜ^_`äöüß"),
    (b"Y", "£§°çé^_ùàòèì"),
    (b"E6", "#ÄÆØÅÜ_äæøåü"),
    (b"Z", "£§¡Ñ¿^_`°ñç~"),
    (b"H7", "#ÉÄÖÅÜ_éäöåü"),
    (b"=", "ùàéçêîèôäöüû"),
    (b"0", ""),
    (b"B", ""),
];

/// DEC special graphics for 0x60 to 0x7e.
const GRAPHICS: &str = "◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·";

impl Charset {
    /// What `final_byte` designates: a set, or ASCII (`Some(None)`); `None` when it is unknown.
    pub(crate) fn designated(final_byte: u8) -> Option<Option<Self>> {
        NATIONAL
            .iter()
            .any(|(names, _)| names.contains(&final_byte))
            .then(|| (final_byte != b'B').then_some(Self(final_byte)))
    }

    /// The byte that designates it.
    pub(crate) fn name(self) -> u8 {
        self.0
    }

    /// The character for a byte of printable ASCII.
    pub(crate) fn map(self, byte: u8) -> char {
        let mapped = if self.0 == b'0' {
            byte.checked_sub(0x60).and_then(|at| GRAPHICS.chars().nth(at.into()))
        } else {
            let at = REPLACED.iter().position(|&replaced| replaced == byte);
            let set = NATIONAL.iter().find(|(names, _)| names.contains(&self.0));
            at.zip(set).and_then(|(at, (_, characters))| characters.chars().nth(at))
        };
        mapped.unwrap_or(char::from(byte))
    }
}

/// The four designated sets and the one in use.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Charsets {
    /// G0 to G3; `None` until designated.
    slots: [Option<Option<Charset>>; 4],
    /// Which slot a shift has chosen.
    level: usize,
    /// The set in use. Not always that of the slot: restoring a cursor brings its own.
    pub(crate) active: Option<Charset>,
}

impl Charsets {
    /// Designates a set to a slot.
    pub(crate) fn designate(&mut self, slot: usize, set: Option<Charset>) {
        if let Some(entry) = self.slots.get_mut(slot) {
            *entry = Some(set);
            if self.level == slot {
                self.active = set;
            }
        }
    }

    /// Shifts to a slot.
    pub(crate) fn shift(&mut self, slot: usize) {
        self.level = slot;
        self.active = self.slots.get(slot).copied().flatten().flatten();
    }

    /// The designated slots, and the sets in them.
    pub(crate) fn slots(&self) -> [Option<Option<Charset>>; 4] {
        self.slots
    }

    /// The slot a shift has chosen.
    pub(crate) fn level(&self) -> usize {
        self.level
    }

    /// The set the chosen slot holds.
    pub(crate) fn shifted(&self) -> Option<Charset> {
        self.slots.get(self.level).copied().flatten().flatten()
    }
}
