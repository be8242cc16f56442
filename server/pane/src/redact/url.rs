//! Passwords and tokens that stand inside an URL.
//!
//! A host may have a port, a path an `@`: only what lies between `://` and the first `/`, `?` or
//! `#` can hold a user. Parameters are names like any other and are judged by `context`.

use super::{
    context::Found,
    rest::RestClass,
    span::Word,
    value::{self, Rule},
};

/// A port has at most this many digits.
const PORT_DIGITS_MAX: usize = 5;

/// Path of a webhook, all of which is the secret.
const WEBHOOK: (&[u8], &[u8]) = (b"hooks.slack.com", b"/services/");

/// Finds the secrets in the URLs of `word`, beside what is already `found`.
pub(super) fn find(word: Word<'_>, found: &mut Vec<Found>) {
    for at in memchr::memchr_iter(b':', word.text()) {
        let start = word.start + at + 3;
        if word.view.get(start - 2..start.min(word.end)) != Some(b"//") {
            continue;
        }
        let rest = word.view.get(start..word.end).unwrap_or_default();
        let stop = rest.iter().position(|b| b"/?#\"'`<>\\".contains(b));
        let authority = rest.get(..stop.unwrap_or(rest.len())).unwrap_or(rest);
        let open = stop.is_none() && !word.closed;
        // A bracket begins an address of version 6, or what is redacted already.
        if !authority.starts_with(b"[") {
            user(authority, start, open, found);
        }
        if authority == WEBHOOK.0 {
            webhook(word, start + authority.len(), found);
        }
        let fragment = memchr::memchr(b'#', rest).map(|at| rest.split_at(at + 1).0);
        if let Some(path) = fragment.filter(|path| path.ends_with(b"/signin#")) {
            opaque(word, start + path.len(), found);
        }
    }
}

/// The user and password of an authority that begins at `start`.
fn user(authority: &[u8], start: usize, open: bool, found: &mut Vec<Found>) {
    let at = memchr::memrchr(b'@', authority);
    let info = authority.get(..at.unwrap_or(authority.len())).unwrap_or(authority);
    let end = start + info.len();
    let user_is_token = || value::is_secret(info, Rule::User, false, false);
    match (at, memchr::memchr(b':', info)) {
        (Some(_), Some(colon)) => {
            let password = info.get(colon + 1..).unwrap_or_default();
            if value::is_secret(password, Rule::Given, false, false) {
                push(found, start + colon + 1, end, None);
            }
        }
        (Some(_), None) if user_is_token() => push(found, start, end, None),
        (None, Some(colon)) if open => {
            let port = info.get(colon + 1..).unwrap_or_default();
            let digits = port.len() <= PORT_DIGITS_MAX && port.iter().all(u8::is_ascii_digit);
            if !digits && !value::is_placeholder(port) {
                push(found, start + colon + 1, end, Some(RestClass::Password));
            }
        }
        (None, None) if open && user_is_token() => {
            push(found, start, end, Some(RestClass::Password));
        }
        _ => {}
    }
}

fn webhook(word: Word<'_>, path: usize, found: &mut Vec<Found>) {
    if word.view.get(path..word.end).is_some_and(|text| text.starts_with(WEBHOOK.1)) {
        opaque(word, path + WEBHOOK.1.len(), found);
    }
}

/// A run of token characters and slashes from `from` on.
fn opaque(word: Word<'_>, from: usize, found: &mut Vec<Found>) {
    let text = word.view.get(from..word.end).unwrap_or_default();
    let len = text.iter().take_while(|&&b| value::is_token_byte(b) || b == b'/').count();
    let text = text.get(..len).unwrap_or_default();
    let open = from + len == word.end && !word.closed;
    if len >= 16 && text.iter().any(u8::is_ascii_digit) || open && !value::is_placeholder(text) {
        push(found, from, from + len, open.then_some(RestClass::Value));
    }
}

/// Adds a span unless a found one covers it; ones that it touches give way.
fn push(found: &mut Vec<Found>, from: usize, to: usize, open: Option<RestClass>) {
    let covered = found.iter().any(|other| other.from <= from && to <= other.to);
    if from < to && !covered {
        found.retain(|other| other.from >= to || other.to <= from);
        found.push(Found { from, to, open });
    }
}
