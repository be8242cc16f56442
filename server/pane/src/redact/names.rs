//! Which names promise a secret.
//!
//! A name is what stands before `=` or `:`. It is judged by the words in it, so `PGPASSWORD` and
//! `next-auth` count while `author` and `secretary` do not.

/// What a name says of the value after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Name {
    /// Nothing.
    Plain,
    /// The value is a secret if it looks like one.
    Secret {
        /// It may as well count tokens.
        counts: bool,
    },
    /// `Authorization`: a scheme, then the secret.
    Authorization,
    /// `Cookie`: every pair of the line is secret.
    Cookie,
    /// `Set-Cookie`: the first pair is.
    SetCookie,
    /// A cookie pair that holds a session.
    Session,
}

/// Names longer than this are judged by their end.
const NAME_BYTES_MAX: usize = 64;

/// No name that says something is shorter (`sid`).
const NAME_BYTES_MIN: usize = 3;

/// Words that promise a secret wherever they stand in a name.
const SECRET_WORDS: &[&str] = &["secret", "passw", "passphrase", "credential"];

/// Words before `key` that make it a secret one.
const KEY_WORDS: &[&str] = &["api", "access", "private", "signing", "encryption", "account"];

/// Last words of names whose value says something about a secret without being one.
const ABOUT: &[&str] = &[
    "file", "path", "dir", "url", "uri", "endpoint", "count", "limit", "length", "len", "type",
    "expiry", "expires", "ttl", "name", "env", "usage", "budget",
];

/// Judges `name`; quotes around it are the caller's to remove.
pub(super) fn judge(name: &[u8]) -> Name {
    let tail = name.get(name.len().saturating_sub(NAME_BYTES_MAX)..).unwrap_or(name);
    let mut lower = [0; NAME_BYTES_MAX];
    let lower = &mut lower[..tail.len()];
    lower.copy_from_slice(tail);
    lower.make_ascii_lowercase();
    let lower = &*lower;
    if lower.len() < NAME_BYTES_MIN {
        return Name::Plain;
    }
    match lower {
        b"authorization" | b"proxy-authorization" => return Name::Authorization,
        b"cookie" => return Name::Cookie,
        b"set-cookie" => return Name::SetCookie,
        _ => {}
    }
    let counts = has(lower, "token") && !has(lower, "tokeniz");
    let secret = SECRET_WORDS.iter().any(|word| has(lower, word))
        && !has(lower, "secretar")
        && !has(lower, "passwordless");
    if (counts || secret || is_key(lower) || has_part(tail, b"auth") || lower.ends_with(b"_pass"))
        && !is_about(tail)
    {
        return Name::Secret { counts: counts && !secret };
    }
    if is_session(lower) { Name::Session } else { Name::Plain }
}

/// Whether a query parameter of this name carries a secret.
pub(super) fn is_secret_param(name: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    matches!(
        lower.as_slice(),
        b"token" | b"ticket" | b"key" | b"sig" | b"signature" | b"code" | b"auth" | b"secret"
    ) || lower.ends_with(b"-signature")
        || lower.ends_with(b"-credential")
        || lower.ends_with(b"_token")
        || matches!(judge(name), Name::Secret { .. })
}

/// Whether `word` before a name `key` makes it a secret one (`API key:`).
pub(super) fn is_key_word(word: &[u8]) -> bool {
    KEY_WORDS.iter().any(|key| word.eq_ignore_ascii_case(key.as_bytes()))
}

/// `api_key`, `x-api-key`, `apiKey`, `AccessKeyId` …
fn is_key(lower: &[u8]) -> bool {
    KEY_WORDS.iter().any(|word| {
        places(lower, word).any(|at| {
            let rest = lower.get(at + word.len()..).unwrap_or_default();
            let rest = match rest {
                [b'_' | b'-' | b'.', rest @ ..] => rest,
                _ => rest,
            };
            rest.starts_with(b"key")
        })
    })
}

fn is_session(lower: &[u8]) -> bool {
    let end = |suffix: &[u8]| lower.ends_with(suffix);
    end(b"session")
        || end(b"sessionid")
        || end(b"session_id")
        || end(b"sessid")
        || lower == b"sid"
        || end(b".sid")
        || end(b"_sid")
        || end(b"_sess")
        || lower == b"sess"
        || has(lower, "glasshouse_")
}

fn is_about(name: &[u8]) -> bool {
    parts(name)
        .last()
        .is_some_and(|last| ABOUT.iter().any(|word| last.eq_ignore_ascii_case(word.as_bytes())))
}

fn has(lower: &[u8], word: &str) -> bool {
    places(lower, word).next().is_some()
}

/// Where `word` stands in a name, which is too short for a searcher to pay.
fn places(lower: &[u8], word: &str) -> impl Iterator<Item = usize> {
    let word = word.as_bytes();
    lower.windows(word.len()).enumerate().filter(move |(_, w)| *w == word).map(|(at, _)| at)
}

fn has_part(name: &[u8], word: &[u8]) -> bool {
    parts(name).any(|part| part.eq_ignore_ascii_case(word))
}

/// The words of a name: `nextAuth_TOKEN-id` is next, Auth, TOKEN, id.
fn parts(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    name.split(|b| !b.is_ascii_alphanumeric()).flat_map(humps)
}

/// Cuts a camel-case word before each capital that follows a small letter.
fn humps(word: &[u8]) -> impl Iterator<Item = &[u8]> {
    word.chunk_by(|a, b| !(a.is_ascii_lowercase() && b.is_ascii_uppercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_judged_by_the_words_in_them() {
        for name in [
            "PGPASSWORD",
            "DB_PASSWORD",
            "_auth",
            "_authToken",
            "apiKey",
            "x-api-key",
            "API_KEY",
            "aws_secret_access_key",
            "clientSecret",
            "PRIVATE-TOKEN",
            "SMTP_PASS",
            "next-auth",
        ] {
            assert!(matches!(judge(name.as_bytes()), Name::Secret { .. }), "{name}");
        }
        for name in [
            "author",
            "secretary",
            "authority",
            "monkey",
            "key",
            "passwordless",
            "tokenizer",
            "SECRET_KEY_FILE",
            "tokenUrl",
            "compass",
            "checksum",
        ] {
            assert_eq!(judge(name.as_bytes()), Name::Plain, "{name}");
        }
    }

    #[test]
    fn session_cookies_are_known_by_the_end_of_their_name() {
        for name in ["space_session", "PHPSESSID", "connect.sid", "JSESSIONID", "glasshouse_4911"] {
            assert_eq!(judge(name.as_bytes()), Name::Session, "{name}");
        }
        assert_eq!(judge(b"sessions"), Name::Plain);
    }
}
