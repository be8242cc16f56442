// Prints width/table.rs: the class of every code point, as the runs of equal class.
//
//     npm i get-east-asian-width && node generate.mjs > table.rs && cargo fmt -p vt
//
// The source is this machine's ICU (Intl.Segmenter and the property escapes) and the East Asian
// widths that `string-width` uses: what a program written with Ink believes about a character.
// The names are those of `Class` in mod.rs.
import {eastAsianWidth} from 'get-east-asian-width';

const segmenter = new Intl.Segmenter();
const whole = text => [...segmenter.segment(text)].length === 1;
const concatenation = /[\u{600}-\u{605}\u{6DD}\u{890}\u{891}\u{8E2}\u{110BD}\u{110CD}]/v;
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Control}\p{Enclosing_Mark}\p{Nonspacing_Mark}\p{Format}]/v;
const pictographic = /\p{Extended_Pictographic}/v;
const modifierBase = /\p{Emoji_Modifier_Base}/v;
const rgi = /^\p{RGI_Emoji}$/v;

function classOf(code) {
	if (code < 0x80) return /[0-9#*]/.test(String.fromCodePoint(code)) ? 'Keycap' : 'Narrow';
	if (code === 0x200D) return 'Joiner';
	if (code === 0xFE0F) return 'EmojiStyle';
	const text = String.fromCodePoint(code);
	if (/\p{Emoji_Modifier}/v.test(text)) return 'SkinTone';
	if (/\p{Regional_Indicator}/v.test(text)) return 'Flag';
	const width = concatenation.test(text) || !invisible.test(text) ? eastAsianWidth(code) : 0;
	if (pictographic.test(text)) {
		const base = modifierBase.test(text);
		if (width === 2) return base ? 'WidePictureBase' : 'WidePicture';
		if (!rgi.test(text + '\uFE0F')) return 'Picture';
		return base ? 'EmojiPictureBase' : 'EmojiPicture';
	}
	if (/\p{Cn}/v.test(text) && width === 1) return 'Narrow';
	if (whole('a' + text)) {
		if (whole('\u0915' + text + '\u0937')) return 'Linker';
		return width === 1 ? 'Spacing' : 'Extend';
	}
	if (whole('\u1100' + text) && whole(text + '\u1100')) return 'HangulL';
	if (whole('\u1100' + text)) {
		if (!whole('\uAC00' + text)) return whole(text + '\u1161') ? 'HangulLV' : 'HangulLVT';
		return 'HangulV';
	}
	if (whole('\uAC01' + text)) return 'HangulT';
	if (width === 0) return 'Invisible';
	if (whole('\u0915\u094D' + text)) return 'Consonant';
	return width === 2 ? 'Wide' : 'Narrow';
}

const runs = [];
for (let code = 0; code < 0x110000; code++) {
	if (code >= 0xD800 && code < 0xE000) continue;
	const name = classOf(code);
	if (runs.at(-1)?.[1] !== name) runs.push([code, name]);
}
console.log(`//! The class of every code point; written by \`generate.mjs\`, Unicode ${process.versions.unicode}.
//!
//! Each entry opens a run that lasts to the next; the last runs to U+10FFFF.

use super::Class::{self, *};

pub(super) static RUNS: [(u32, Class); ${runs.length}] = [`);
for (const [code, name] of runs) console.log(`    (0x${code.toString(16)}, ${name}),`);
console.log('];');
