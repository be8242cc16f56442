//! One byte that says in what a place in the stream lies.

use super::{
    anchors::Class,
    block::Block,
    rest::{Rest, RestClass},
};

/// What kind of string, key block or secret a place in the output lies in.
///
/// It is stored beside the durable offset and holds no content. A redactor that starts there
/// masks at least what the one before it would have masked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct State(u8);

const CLIPBOARD: u8 = 1;
const BLOCK: u8 = 2;
const BLOCK_BEGUN: u8 = 3;
/// The first of the numbers for [`RESTS`].
const REST: u8 = 16;

/// Secrets under way; a place in this list is stored, so it only ever grows at its end.
const RESTS: &[RestClass] = &[
    RestClass::Value,
    RestClass::Password,
    RestClass::Quoted(b'"'),
    RestClass::Quoted(b'\''),
    RestClass::Quoted(b'`'),
    RestClass::Token(Class::Alnum),
    RestClass::Token(Class::Hex),
    RestClass::Token(Class::Base32),
    RestClass::Token(Class::Word),
    RestClass::Token(Class::Dotted),
    RestClass::Token(Class::Base64),
];

impl State {
    /// Plain output; where every session starts.
    pub const GROUND: Self = Self(0);

    /// The state a stored byte stands for. One of a later version counts as plain output.
    pub fn from_byte(byte: u8) -> Self {
        let rest = byte.checked_sub(REST).is_some_and(|nth| usize::from(nth) < RESTS.len());
        if rest || matches!(byte, CLIPBOARD | BLOCK | BLOCK_BEGUN) { Self(byte) } else { Self(0) }
    }

    /// The byte to store.
    pub fn byte(self) -> u8 {
        self.0
    }

    pub(super) fn of(clipboard: bool, block: Option<&Block>, rest: Option<&Rest>) -> Self {
        let nth = rest.and_then(|rest| RESTS.iter().position(|&class| class == rest.class));
        match (clipboard, block, nth.and_then(|nth| u8::try_from(nth).ok())) {
            (true, ..) => Self(CLIPBOARD),
            (_, Some(block), _) if block.cell > 0 => Self(BLOCK_BEGUN),
            (_, Some(_), _) => Self(BLOCK),
            (.., Some(nth)) => Self(REST + nth),
            (.., None) => Self::GROUND,
        }
    }

    pub(super) fn is_clipboard(self) -> bool {
        self.0 == CLIPBOARD
    }

    pub(super) fn block(self) -> Option<Block> {
        match self.0 {
            BLOCK => Some(Block::default()),
            BLOCK_BEGUN => Some(Block::begun()),
            _ => None,
        }
    }

    pub(super) fn rest(self) -> Option<Rest> {
        let nth = usize::from(self.0.checked_sub(REST)?);
        RESTS.get(nth).map(|&class| Rest::stars(class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_survives_being_stored() {
        for byte in 0..=u8::MAX {
            let state = State::from_byte(byte);
            let again =
                State::of(state.is_clipboard(), state.block().as_ref(), state.rest().as_ref());
            assert_eq!(again, state);
        }
    }
}
