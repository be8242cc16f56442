//! Whether a value looks like a secret.
//!
//! Names promise secrets far more often than they hold one: code, prose, counts and placeholders
//! stand in their place. Each rule here names what is let through.

/// How a value was introduced, which says how much it must look like a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// After `:`: at least 8 characters, a digit and a letter.
    Colon,
    /// After `=`: at least 6 with a digit or symbol, or at least 12.
    Equals {
        /// White space around `=` makes it look like code.
        spaced: bool,
    },
    /// After an authorization scheme in a header: anything but a placeholder.
    Given,
    /// After `Bearer` and the like in running text.
    Credential,
    /// A session cookie outside a cookie header.
    Session,
    /// A user name in an URL that may be a token.
    User,
}

/// Whether `value` is to be masked.
pub(super) fn is_secret(value: &[u8], rule: Rule, quoted: bool, counts: bool) -> bool {
    if is_placeholder(value) {
        return false;
    }
    let len = value.len();
    let digit = value.iter().any(u8::is_ascii_digit);
    let letter = value.iter().any(|b| b.is_ascii_alphabetic() || !b.is_ascii());
    let symbol = value.iter().any(|b| b.is_ascii_punctuation());
    match rule {
        Rule::Given => true,
        Rule::Colon => len >= 8 && digit && letter && !is_code(value, quoted),
        Rule::Equals { spaced } => {
            (len >= 12 || len >= 6 && (digit || symbol))
                && (letter || !counts)
                && !is_code(value, quoted)
                && !(spaced && !quoted && is_identifier(value))
        }
        Rule::Credential => len >= 12 && letter && (digit || is_mixed(value)),
        Rule::Session => len >= 16 && digit && letter && !is_uuid(value),
        Rule::User => {
            len >= 16 && digit && letter && value.iter().all(|&b| is_token_byte(b) && b != b'.')
        }
    }
}

/// Whether `value` stands for a secret, or hides one already.
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let Some(&first) = value.first() else { return true };
    matches!(first, b'$' | b'<' | b'{' | b'[' | b'(')
        || value.starts_with(b"-----BEGIN")
        || value.starts_with(b"%(")
        || value.starts_with(b"%s")
        || value.iter().all(|b| matches!(b, b'*' | b'x' | b'X' | b'.' | b'-' | b'_' | b'#'))
        || holds(value, b"...")
        || holds(value, "…".as_bytes())
        || value.starts_with("•".as_bytes())
        || [&b"null"[..], b"true", b"false", b"none", b"undefined", b"nil"]
            .iter()
            .any(|word| value.eq_ignore_ascii_case(word))
}

/// Whether `value` is an expression, a path or an address rather than a literal.
fn is_code(value: &[u8], quoted: bool) -> bool {
    is_path(value) || is_url(value) || !quoted && (is_call(value) || is_field(value))
}

/// `/etc/key`, `~/key`, `./key`; base 64 may begin with a slash, so a bare one must look readable.
fn is_path(value: &[u8]) -> bool {
    match value {
        [b'~', b'/', ..] | [b'.', b'/', ..] | [b'.', b'.', b'/', ..] => true,
        [b'/', rest @ ..] => {
            rest.iter().all(|&b| is_token_byte(b) || b == b'/')
                && !(rest.len() >= 24 && is_mixed(rest) && rest.iter().any(u8::is_ascii_digit))
        }
        [drive, b':', b'\\', ..] => drive.is_ascii_alphabetic(),
        _ => false,
    }
}

fn is_url(value: &[u8]) -> bool {
    let scheme =
        value.iter().take_while(|&&b| b.is_ascii_alphanumeric() || b"+.-".contains(&b)).count();
    scheme > 0 && value.get(scheme..).is_some_and(|rest| rest.starts_with(b"://"))
}

/// `getToken(`, `os.environ["X"]`, `Option<String>`.
fn is_call(value: &[u8]) -> bool {
    let name = value.iter().take_while(|&&b| is_name_byte(b) || matches!(b, b'.' | b':')).count();
    name > 0
        && !value[0].is_ascii_digit()
        && value.get(name).is_some_and(|b| matches!(b, b'(' | b'[' | b'<'))
}

/// `self.token`, `process.env.TOKEN`, `Token::new`.
fn is_field(value: &[u8]) -> bool {
    let body = value.strip_suffix(b";").unwrap_or(value);
    let mut segments = body.split(|&b| b == b'.' || b == b':').filter(|part| !part.is_empty());
    body.iter().any(|b| matches!(b, b'.' | b':'))
        && segments.all(|part| part.iter().all(|&b| b.is_ascii_alphabetic() || b == b'_'))
}

/// A name as code has them: `nextToken`, `next_token`, `NextToken;`.
fn is_identifier(value: &[u8]) -> bool {
    let body = value.strip_suffix(b";").unwrap_or(value);
    body.iter().all(|&b| b.is_ascii_alphabetic() || b == b'_')
        && (body.len() < value.len() || body.contains(&b'_') || is_mixed(body))
}

/// Whether `part` stands in `value`, which is too short for a searcher to pay.
fn holds(value: &[u8], part: &[u8]) -> bool {
    value.windows(part.len()).any(|window| window == part)
}

/// Small letters and capitals beyond a capital at the start.
fn is_mixed(value: &[u8]) -> bool {
    let rest = value.get(1..).unwrap_or_default();
    rest.iter().any(u8::is_ascii_uppercase) && value.iter().any(u8::is_ascii_lowercase)
}

fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, &b)| match at {
            8 | 13 | 18 | 23 => b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The characters of a bearer token.
pub(super) fn is_token_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~+=".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_counts_are_let_through() {
        let equals = Rule::Equals { spaced: true };
        for code in [
            "os.environ[\"OPENAI_API_KEY\"]",
            "process.env.TOKEN;",
            "getToken()",
            "4096",
            "self.next_forward_token;",
            "nextForwardToken",
            "~/.config/app/key",
            "$DB_PASSWORD",
        ] {
            assert!(!is_secret(code.as_bytes(), equals, false, true), "{code}");
        }
        for prose in ["string;", "Option<String>,", "must", "12,345", "85%", "2026-11-30"] {
            assert!(!is_secret(prose.as_bytes(), Rule::Colon, false, true), "{prose}");
        }
    }

    #[test]
    fn literals_are_masked() {
        let equals = Rule::Equals { spaced: false };
        for secret in ["fake123", "hunter2!FAKE", "correcthorsebattery", "ZmFrZTpub3Q="] {
            assert!(is_secret(secret.as_bytes(), equals, false, true), "{secret}");
        }
        assert!(is_secret(b"fakekey-12345678-abcd", Rule::Colon, true, false));
    }
}
