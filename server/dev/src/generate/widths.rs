//! The page's width tables: those that the host measures with, so that the two cannot disagree.
//!
//! A run is its length in base 36 and a capital letter for the class of its code points. Easy to
//! get wrong: the last run goes on to U+10FFFF and its length is not written.

use std::fmt::Write as _;

const HEAD: &str = "// Generated from server/vt by `cargo dev gen`. Not edited by hand.\n";

/// The text of `widths.ts`.
pub(super) fn widths() -> String {
    let table = vt::width::table();
    let mut runs = String::new();
    for (at, &(from, class)) in table.runs.iter().enumerate() {
        let length = table.runs.get(at + 1).map_or(0, |next| next.0 - from);
        runs.push_str(&base_36(length));
        runs.push(char::from(b'A' + class));
    }
    let mut out = String::from(HEAD);
    let steps = table.steps.iter().map(u8::to_string).collect::<Vec<_>>().join(", ");
    write!(
        out,
        "\n/** Classes of a code point: the length of a row of `STEPS`. */\n\
         export const CLASSES = {};\n\
         /** Runs of code points of one class: length in base 36, class as a capital letter. */\n\
         export const RUNS =\n  \"{runs}\";\n\
         /** What a code point does to the cell before the cursor, by state and class. */\n\
         export const STEPS: readonly number[] = [{steps}];\n",
        table.classes
    )
    .expect("writing to a string does not fail");
    out
}

fn base_36(mut number: u32) -> String {
    let mut digits = Vec::new();
    while number > 0 || digits.is_empty() {
        digits.extend(char::from_digit(number % 36, 36));
        number /= 36;
    }
    digits.iter().rev().collect()
}
