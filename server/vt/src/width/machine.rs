//! The machine over classes: which state a cluster is in, and what a code point of each class does.

use super::{CLASSES, Class};

/// What the machine remembers of the cluster so far. A digit is the width of its cell.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum State {
    /// Nothing to join: the start, or after a control sequence.
    Start,
    One,
    Two,
    /// After a joiner: nothing more counts.
    OneJoined,
    TwoJoined,
    /// A consonant, then marks.
    OneConsonant,
    TwoConsonant,
    /// A consonant and a virama.
    OneLinked,
    TwoLinked,
    /// A consonant, a virama and a joiner.
    OneHalf,
    TwoHalf,
    OneKeycap,
    TwoFlag,
    /// A text picture that U+FE0F would make an emoji.
    OneEmoji,
    OneEmojiBase,
    /// A text picture with marks.
    OnePicture,
    TwoPicture,
    TwoPictureBase,
    /// A picture and a joiner.
    OnePictureJoined,
    TwoPictureJoined,
    /// A Hangul syllable that goes on with L, V; with V, T; with T.
    TwoL,
    TwoV,
    TwoT,
    OneV,
    OneT,
}

const STATES: usize = 25;

/// The answer for one code point after another: `state << 3 | width << 1 | join`.
///
/// `width` is the width of the cell the code point ends up in, 0 when it changes no width; `join`
/// says that it belongs into the cell before the cursor.
pub(crate) type Step = u8;

/// The step before any text.
pub(crate) const START: Step = 0;

/// Whether the code point goes into the cell before the cursor.
pub(crate) const fn joins(step: Step) -> bool {
    step & 1 != 0
}

/// Width of the cell the code point is in.
pub(crate) const fn width(step: Step) -> u8 {
    step >> 1 & 3
}

/// Whether the cluster can be continued at all after this step.
pub(crate) const fn is_open(step: Step) -> bool {
    step >> 3 != 0
}

#[expect(clippy::as_conversions, reason = "discriminants, in a constant")]
const fn step(state: State, width: u8, join: bool) -> Step {
    (state as u8) << 3 | width << 1 | join as u8
}

/// The step for a code point of `class` that opens a cell.
pub(super) const fn open(class: Class) -> Step {
    use Class as C;
    use State as S;
    match class {
        C::Narrow => step(S::One, 1, false),
        C::Wide => step(S::Two, 2, false),
        C::Invisible | C::Extend | C::Joiner | C::EmojiStyle | C::Linker => step(S::Start, 0, true),
        C::Spacing => step(S::One, 1, false),
        C::Consonant => step(S::OneConsonant, 1, false),
        C::SkinTone => step(S::Two, 2, false),
        C::Flag => step(S::TwoFlag, 2, false),
        C::Keycap => step(S::OneKeycap, 1, false),
        C::Picture => step(S::OnePicture, 1, false),
        C::EmojiPicture => step(S::OneEmoji, 1, false),
        C::EmojiPictureBase => step(S::OneEmojiBase, 1, false),
        C::WidePicture => step(S::TwoPicture, 2, false),
        C::WidePictureBase => step(S::TwoPictureBase, 2, false),
        C::HangulL => step(S::TwoL, 2, false),
        C::HangulV => step(S::OneV, 1, false),
        C::HangulT => step(S::OneT, 1, false),
        C::HangulLV => step(S::TwoV, 2, false),
        C::HangulLVT => step(S::TwoT, 2, false),
    }
}

/// The step for a code point that joins the cell of `state`, if it does.
const fn join(state: State, class: Class) -> Option<Step> {
    use Class as C;
    use State as S;
    let next = match (state, class) {
        (S::Start, _) | (_, C::Invisible) => return None,
        // Emoji.
        (S::OneEmoji | S::OneEmojiBase, C::EmojiStyle)
        | (S::OneEmojiBase | S::TwoPictureBase, C::SkinTone) => S::TwoPicture,
        (S::OneKeycap, C::EmojiStyle) | (S::TwoFlag, C::Flag) => S::Two,
        (S::OnePictureJoined | S::TwoPictureJoined, C::WidePictureBase | C::EmojiPictureBase) => {
            S::TwoPictureBase
        }
        (
            S::OnePictureJoined | S::TwoPictureJoined,
            C::WidePicture | C::EmojiPicture | C::Picture,
        ) => S::TwoPicture,
        (S::OnePictureJoined, C::SkinTone) => S::OnePicture,
        (S::TwoPictureJoined, C::SkinTone) => S::TwoPicture,
        (S::OneEmoji | S::OneEmojiBase | S::OnePicture, C::Joiner) => S::OnePictureJoined,
        (S::TwoPicture | S::TwoPictureBase, C::Joiner) => S::TwoPictureJoined,
        // Conjuncts.
        (S::OneConsonant, C::Linker) => S::OneLinked,
        (S::TwoConsonant, C::Linker) => S::TwoLinked,
        (S::OneLinked, C::Joiner) => S::OneHalf,
        (S::TwoLinked, C::Joiner) => S::TwoHalf,
        (S::OneLinked, C::Consonant) => S::TwoConsonant,
        (S::OneHalf, C::Consonant) => S::OneJoined,
        (S::TwoHalf, C::Consonant) => S::TwoJoined,
        (S::OneConsonant, C::Extend | C::EmojiStyle | C::Joiner) => S::OneConsonant,
        (S::TwoConsonant, C::Extend | C::EmojiStyle | C::Joiner) => S::TwoConsonant,
        (S::OneLinked, C::Extend | C::EmojiStyle | C::Linker) => S::OneLinked,
        (S::TwoLinked, C::Extend | C::EmojiStyle | C::Linker) => S::TwoLinked,
        (S::OneHalf, C::Extend | C::EmojiStyle | C::Linker | C::Joiner) => S::OneHalf,
        (S::TwoHalf, C::Extend | C::EmojiStyle | C::Linker | C::Joiner) => S::TwoHalf,
        // Hangul.
        (S::TwoL, C::HangulL) => S::TwoL,
        (S::TwoL, C::HangulV | C::HangulLV) | (S::TwoV, C::HangulV) => S::TwoV,
        (S::TwoL, C::HangulLVT) | (S::TwoV | S::TwoT, C::HangulT) => S::TwoT,
        (S::OneV, C::HangulV) => S::OneV,
        (S::OneV | S::OneT, C::HangulT) => S::OneT,
        // Marks that take a column of their own, while there is one.
        (S::TwoPicture | S::TwoPictureBase | S::TwoPictureJoined, C::Spacing) => S::TwoPicture,
        (S::OneJoined | S::OneHalf, C::Spacing) => S::OneJoined,
        (S::TwoJoined | S::TwoHalf | S::TwoL | S::TwoV | S::TwoT, C::Spacing) => S::TwoJoined,
        (_, C::Spacing) if state_width(state) == 1 => S::Two,
        // Marks that take none.
        (_, C::Extend | C::EmojiStyle | C::Linker | C::Joiner) => after_mark(state, class),
        _ => return None,
    };
    Some(step(next, state_width(next), true))
}

/// The state after a mark without a column, where nothing more special applies.
const fn after_mark(state: State, class: Class) -> State {
    use State as S;
    let joiner = matches!(class, Class::Joiner);
    match state {
        S::OneEmoji | S::OneEmojiBase | S::OnePicture => S::OnePicture,
        S::TwoPicture | S::TwoPictureBase => S::TwoPicture,
        S::OnePictureJoined if joiner => S::OnePictureJoined,
        S::TwoPictureJoined if joiner => S::TwoPictureJoined,
        S::OnePictureJoined => S::OnePicture,
        S::TwoPictureJoined => S::TwoPicture,
        S::OneJoined => S::OneJoined,
        S::TwoJoined => S::TwoJoined,
        S::Start => S::Start,
        S::One | S::OneConsonant | S::OneLinked | S::OneHalf | S::OneKeycap | S::OneV | S::OneT => {
            if joiner {
                S::OneJoined
            } else {
                S::One
            }
        }
        S::Two
        | S::TwoConsonant
        | S::TwoLinked
        | S::TwoHalf
        | S::TwoFlag
        | S::TwoL
        | S::TwoV
        | S::TwoT => {
            if joiner {
                S::TwoJoined
            } else {
                S::Two
            }
        }
    }
}

const fn state_width(state: State) -> u8 {
    use State as S;
    match state {
        S::Start => 0,
        S::One
        | S::OneJoined
        | S::OneConsonant
        | S::OneLinked
        | S::OneHalf
        | S::OneKeycap
        | S::OneEmoji
        | S::OneEmojiBase
        | S::OnePicture
        | S::OnePictureJoined
        | S::OneV
        | S::OneT => 1,
        S::Two
        | S::TwoJoined
        | S::TwoConsonant
        | S::TwoLinked
        | S::TwoHalf
        | S::TwoFlag
        | S::TwoPicture
        | S::TwoPictureBase
        | S::TwoPictureJoined
        | S::TwoL
        | S::TwoV
        | S::TwoT => 2,
    }
}

const ALL_CLASSES: [Class; CLASSES] = {
    use Class::*;
    [
        Narrow,
        Wide,
        Invisible,
        Extend,
        Spacing,
        Joiner,
        EmojiStyle,
        Linker,
        Consonant,
        SkinTone,
        Flag,
        Keycap,
        Picture,
        EmojiPicture,
        EmojiPictureBase,
        WidePicture,
        WidePictureBase,
        HangulL,
        HangulV,
        HangulT,
        HangulLV,
        HangulLVT,
    ]
};

const ALL_STATES: [State; STATES] = {
    use State::*;
    [
        Start,
        One,
        Two,
        OneJoined,
        TwoJoined,
        OneConsonant,
        TwoConsonant,
        OneLinked,
        TwoLinked,
        OneHalf,
        TwoHalf,
        OneKeycap,
        TwoFlag,
        OneEmoji,
        OneEmojiBase,
        OnePicture,
        TwoPicture,
        TwoPictureBase,
        OnePictureJoined,
        TwoPictureJoined,
        TwoL,
        TwoV,
        TwoT,
        OneV,
        OneT,
    ]
};

pub(super) static MACHINE: [[Step; CLASSES]; STATES] = {
    let mut machine = [[0; CLASSES]; STATES];
    let mut state = 0;
    while state < STATES {
        let mut class = 0;
        while class < CLASSES {
            machine[state][class] = match join(ALL_STATES[state], ALL_CLASSES[class]) {
                Some(step) => step,
                None => open(ALL_CLASSES[class]),
            };
            class += 1;
        }
        state += 1;
    }
    machine
};
