//! Secrets known by what stands before them: a name, a header, a scheme, an URL.
//!
//! A word is judged with what the words before it on the line announced. The announcement is a
//! small state, so it outlives any cut of the stream; the text before need not be held.

use super::{
    names::{self, Name},
    rest::RestClass,
    span::{self, Value, Word},
    url,
    value::{self, Rule},
};

/// Authorization schemes, and whether they take named parameters.
const SCHEMES: &[(&str, bool)] = &[
    ("bearer", false),
    ("basic", false),
    ("token", false),
    ("negotiate", false),
    ("ntlm", false),
    ("apikey", false),
    ("dpop", false),
    ("key", false),
    ("gssapi", false),
    ("digest", true),
    ("hawk", true),
    ("oauth", true),
    ("mac", true),
    ("signature", true),
    ("aws4-hmac-sha256", true),
];

/// What the words so far announced about the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Announced {
    /// Nothing.
    #[default]
    Nothing,
    /// A name; `=` or `:` may follow.
    Name(Name),
    /// The value of a name.
    Value { name: Name, colon: bool },
    /// The value of a flag, `--token`.
    Flag(Name),
    /// What follows `Authorization:`.
    Scheme,
    /// What follows the scheme.
    Given,
    /// What follows `Bearer` and the like in running text; `token` is a name as well.
    Credential(Name),
    /// Pairs of a `Cookie` header, or of a scheme with parameters, to the end of the line.
    Cookies,
    /// The first pair of a `Set-Cookie` header.
    FirstCookie,
}

/// A part of the view to be starred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// Where it begins.
    pub(super) from: usize,
    /// Where it ends, so far.
    pub(super) to: usize,
    /// What it goes on with, when the view ends first.
    pub(super) open: Option<RestClass>,
}

/// The judgement of one word.
#[derive(Debug, Default)]
pub(super) struct Judged {
    /// What to mask, in order.
    pub(super) found: Vec<Found>,
    /// How far the view is judged: the end of the word, or of a quoted value that goes past it.
    pub(super) to: usize,
    /// More of the view has to be seen first.
    pub(super) needs_more: bool,
    /// What the word announces about the next.
    pub(super) announces: Announced,
}

/// Judges `word` after what was announced `before` it.
pub(super) fn judge(word: Word<'_>, before: Announced) -> Judged {
    let judged = Judged { to: word.end, ..Judged::default() };
    let header = match before {
        Announced::Cookies | Announced::FirstCookie => before,
        Announced::Nothing
        | Announced::Name(_)
        | Announced::Value { .. }
        | Announced::Flag(_)
        | Announced::Scheme
        | Announced::Given
        | Announced::Credential(_) => Announced::Nothing,
    };
    let mut judge = Judge { word, before, header, at: word.start, judged };
    judge.opening();
    while !judge.judged.needs_more
        && let Some(sep) = word.separator(judge.at)
    {
        judge.pair(sep);
    }
    let Judge { at, header, mut judged, .. } = judge;
    url::find(word, &mut judged.found);
    if header != Announced::Nothing {
        judged.announces = header;
    } else if judged.announces == Announced::Nothing && at < word.end {
        judged.announces = closing(word, at);
    }
    judged.found.sort_by_key(|found| found.from);
    judged
}

/// A judgement under way.
struct Judge<'a> {
    word: Word<'a>,
    before: Announced,
    /// The cookie header the word stands in.
    header: Announced,
    /// Up to where the word is judged.
    at: usize,
    judged: Judged,
}

/// What became of a value.
#[derive(PartialEq, Eq)]
enum Taken {
    /// It is masked, or cannot be judged yet.
    Settled,
    /// It is no secret.
    Passed,
}

impl Judge<'_> {
    /// The start of the word, as the value of what was announced.
    fn opening(&mut self) {
        let start = self.word.start;
        let text = self.word.text();
        match self.before {
            Announced::Nothing | Announced::Cookies | Announced::FirstCookie => {}
            Announced::Value { name, colon } => self.value_of(start, name, colon, true),
            Announced::Name(name) => {
                self.after_name(text, name);
            }
            Announced::Flag(name) => {
                if !self.after_name(text, name) && !text.starts_with(b"-") {
                    self.take(start, Rule::Equals { spaced: true }, false);
                }
            }
            Announced::Credential(name) => {
                if name == Name::Plain || !self.after_name(text, name) {
                    self.take(start, Rule::Credential, false);
                }
            }
            Announced::Scheme => self.authorization(start),
            Announced::Given => {
                self.take(start, Rule::Given, false);
            }
        }
    }

    /// The separator of a name in the word before. False when the word is something else.
    fn after_name(&mut self, text: &[u8], name: Name) -> bool {
        let (skip, colon) = match text {
            [b'=', b'=', ..] => return false,
            [b':', b'=', ..] | [b'=', b'>', ..] => (2, false),
            [b'=', ..] => (1, false),
            [b':', ..] => (1, true),
            _ => return false,
        };
        self.value_of(self.word.start + skip, name, colon, true);
        true
    }

    /// A name, the separator at `sep` and perhaps a value.
    fn pair(&mut self, sep: usize) {
        let view = self.word.view;
        let equals = view[sep] == b'=';
        let previous = (sep > self.word.start).then(|| view[sep - 1]);
        let next = view.get(sep + 1).copied();
        if equals && (next == Some(b'=') || previous.is_some_and(|b| b"!<>=".contains(&b))) {
            self.at = sep + if next == Some(b'=') { 2 } else { 1 };
            return;
        }
        let (skip, colon) = match (equals, next) {
            (false, Some(b'=')) | (true, Some(b'>')) => (2, false),
            _ => (1, !equals),
        };
        self.at = sep + 1;
        let (name_at, name) = self.word.name_before(sep);
        match self.name(name_at, name, equals) {
            Name::Cookie if colon => self.header = Announced::Cookies,
            Name::SetCookie if colon => self.header = Announced::FirstCookie,
            _ if equals && self.header != Announced::Nothing => {
                if self.header == Announced::FirstCookie {
                    self.header = Announced::Nothing;
                }
                self.take(sep + skip, Rule::Given, false);
            }
            Name::Plain | Name::Cookie | Name::SetCookie => {}
            Name::Session if colon => {}
            kind @ (Name::Secret { .. } | Name::Authorization | Name::Session) => {
                self.value_of(sep + skip, kind, colon, false);
            }
        }
    }

    /// What the name at `name_at` says, with what stands before it.
    fn name(&self, name_at: usize, name: &[u8], equals: bool) -> Name {
        let before = (name_at > self.word.start).then(|| self.word.view[name_at - 1]);
        let in_query = equals && before.is_some_and(|b| b"?&#;".contains(&b));
        if in_query && names::is_secret_param(name) || self.word.is_split_key(name_at, name) {
            return Name::Secret { counts: false };
        }
        // The user of an URL is no name.
        let user = !equals && name_at >= 2 && self.word.view[..name_at].ends_with(b"//");
        if user { Name::Plain } else { names::judge(name) }
    }

    /// The value of a name, from `from` on, or the announcement that the next word is it.
    fn value_of(&mut self, from: usize, name: Name, colon: bool, spaced: bool) {
        self.at = from.min(self.word.end);
        if name == Name::Authorization {
            return self.authorization(from);
        }
        if from >= self.word.end {
            self.judged.announces = Announced::Value { name, colon };
            return;
        }
        let (rule, counts) = match name {
            Name::Session => (Rule::Session, false),
            Name::Secret { counts } if colon => (Rule::Colon, counts),
            Name::Secret { counts } => (Rule::Equals { spaced }, counts),
            Name::Plain | Name::Authorization | Name::Cookie | Name::SetCookie => return,
        };
        // `token: String = "…"`: a type stands between the name and its value.
        if self.take(from, rule, counts) == Taken::Passed && colon {
            self.judged.announces = Announced::Name(name);
        }
    }

    /// What follows `Authorization:`.
    fn authorization(&mut self, from: usize) {
        self.at = from.min(self.word.end);
        let text = self.word.view.get(from..self.word.end).unwrap_or_default();
        if text.is_empty() || span::is_quote(text) {
            self.judged.announces = Announced::Scheme;
        } else if let Some(many) = scheme(text) {
            // A part of a scheme is no value.
            self.judged.needs_more = !self.word.closed;
            if many {
                self.header = Announced::Cookies;
            } else {
                self.judged.announces = Announced::Given;
            }
            self.at = self.word.end;
        } else {
            self.take(from, Rule::Given, false);
        }
    }

    /// Judges the value from `from` on.
    fn take(&mut self, from: usize, rule: Rule, counts: bool) -> Taken {
        let Some(value) = self.word.value(from) else {
            self.judged.needs_more = true;
            return Taken::Settled;
        };
        let text = self.word.view.get(value.from..value.to).unwrap_or_default();
        if !is_secret(text, &value, rule, counts) {
            // It may hold other names.
            self.at = value.from.min(self.word.end);
            return Taken::Passed;
        }
        self.at = value.next;
        self.judged.to = self.judged.to.max(value.next);
        let class = value.quote.map_or(RestClass::Value, RestClass::Quoted);
        let open = value.open.then_some(class);
        self.judged.found.push(Found { from: value.from, to: value.to, open });
        Taken::Settled
    }
}

fn is_secret(text: &[u8], value: &Value, rule: Rule, counts: bool) -> bool {
    if !value.open {
        return value::is_secret(text, rule, value.quote.is_some(), counts);
    }
    // What it will be in the end is not known: a secret that has begun counts as one.
    let number = counts && !text.iter().any(u8::is_ascii_alphabetic);
    !value::is_placeholder(text) && !number
}

/// Whether `text` names an authorization scheme, and whether that takes named parameters.
fn scheme(text: &[u8]) -> Option<bool> {
    let text = span::unquoted(text);
    let known = SCHEMES.iter().find(|(name, _)| text.eq_ignore_ascii_case(name.as_bytes()));
    let worded = text.len() < 16 && text.iter().all(|&b| b.is_ascii_alphabetic() || b == b'-');
    known.map(|&(_, many)| many).or_else(|| worded.then_some(false))
}

/// What the end of the word announces: a name, a flag or a scheme without its value.
fn closing(word: Word<'_>, at: usize) -> Announced {
    let (name_at, name) = word.name_before(word.end);
    if name.is_empty() || name_at < at {
        return Announced::Nothing;
    }
    let kind = if word.is_split_key(name_at, name) {
        Name::Secret { counts: false }
    } else {
        names::judge(name)
    };
    if ["bearer", "basic", "token"].iter().any(|s| name.eq_ignore_ascii_case(s.as_bytes())) {
        return Announced::Credential(kind);
    }
    match kind {
        Name::Secret { .. } | Name::Authorization
            if name.starts_with(b"--") && (name_at == word.start || word.is_quoted(name_at)) =>
        {
            Announced::Flag(kind)
        }
        Name::Secret { .. } | Name::Authorization => Announced::Name(kind),
        Name::Plain | Name::Session | Name::Cookie | Name::SetCookie => Announced::Nothing,
    }
}
