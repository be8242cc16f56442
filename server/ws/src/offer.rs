//! Which of a client's permessage-deflate offers we take, and on what terms.
//!
//! The answer always says `server_no_context_takeover` (our bodies are shared) and
//! `client_no_context_takeover` (we keep no window between messages). Both may be answered without
//! having been offered; a client that cannot do so must fail the connection, and none does.
//! An offer we do not understand is passed over, never an error: compression is optional.

use std::fmt;

use crate::deflate::WINDOW_BITS;

/// The extension's name.
const NAME: &str = "permessage-deflate";

/// The terms of compression on one connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Agreement {
    /// The largest window the client asked us to compress with, when it did.
    server_max_window_bits: Option<u8>,
}

impl Agreement {
    /// The terms for the first acceptable offer in the values of all `Sec-WebSocket-Extensions`
    /// headers; `None` when there is none.
    pub fn negotiate<'a>(values: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        values
            .into_iter()
            .flat_map(|value| value.split(outside_quotes(',')))
            .find_map(Self::from_offer)
    }

    /// Whether a body compressed once for all, with the largest window, suits this client.
    pub fn takes_shared_bodies(self) -> bool {
        self.server_max_window_bits.is_none_or(|bits| bits >= WINDOW_BITS)
    }

    fn from_offer(offer: &str) -> Option<Self> {
        let mut parts = offer.split(outside_quotes(';')).map(str::trim);
        if !parts.next()?.eq_ignore_ascii_case(NAME) {
            return None;
        }
        let mut agreement = Self::default();
        let mut seen = Vec::new();
        for part in parts {
            let parameter = Parameter::parse(part)?;
            if seen.contains(&parameter.name()) {
                return None;
            }
            seen.push(parameter.name());
            if let Parameter::ServerMaxWindowBits(bits) = parameter {
                agreement.server_max_window_bits = Some(bits);
            }
        }
        Some(agreement)
    }
}

impl fmt::Display for Agreement {
    /// The value of our `Sec-WebSocket-Extensions` header.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{NAME}; server_no_context_takeover; client_no_context_takeover")?;
        match self.server_max_window_bits {
            Some(bits) => write!(f, "; server_max_window_bits={bits}"),
            None => Ok(()),
        }
    }
}

/// A parameter of an offer, with the only values it may have.
#[derive(Debug, Clone, Copy)]
enum Parameter {
    ServerNoContextTakeover,
    ClientNoContextTakeover,
    ServerMaxWindowBits(u8),
    /// The value, if any, limits the client itself; we read every window.
    ClientMaxWindowBits,
}

impl Parameter {
    fn parse(part: &str) -> Option<Self> {
        let (name, value) = match part.split_once('=') {
            Some((name, value)) => (name.trim_end(), Some(unquote(value.trim_start())?)),
            None => (part, None),
        };
        match (name, value) {
            ("server_no_context_takeover", None) => Some(Self::ServerNoContextTakeover),
            ("client_no_context_takeover", None) => Some(Self::ClientNoContextTakeover),
            ("server_max_window_bits", Some(value)) => {
                window_bits(value).map(Self::ServerMaxWindowBits)
            }
            ("client_max_window_bits", None) => Some(Self::ClientMaxWindowBits),
            ("client_max_window_bits", Some(value)) => {
                window_bits(value).map(|_| Self::ClientMaxWindowBits)
            }
            _ => None,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::ServerNoContextTakeover => "server_no_context_takeover",
            Self::ClientNoContextTakeover => "client_no_context_takeover",
            Self::ServerMaxWindowBits(_) => "server_max_window_bits",
            Self::ClientMaxWindowBits => "client_max_window_bits",
        }
    }
}

/// 8 to 15, without sign or leading zero.
fn window_bits(value: &str) -> Option<u8> {
    let bits = value.parse::<u8>().ok().filter(|bits| (8..=15).contains(bits))?;
    (bits.to_string() == value).then_some(bits)
}

/// The value inside quotes. None of ours needs an escape, so a value with one is not ours.
fn unquote(value: &str) -> Option<&str> {
    match value.strip_prefix('"') {
        Some(quoted) => quoted.strip_suffix('"'),
        None => Some(value),
    }
}

/// A pattern that matches `separator` outside of quoted strings.
fn outside_quotes(separator: char) -> impl FnMut(char) -> bool {
    let (mut quoted, mut escaped) = (false, false);
    move |c| {
        let literal = std::mem::take(&mut escaped);
        match c {
            _ if literal => false,
            '\\' if quoted => {
                escaped = true;
                false
            }
            '"' => {
                quoted = !quoted;
                false
            }
            _ => !quoted && c == separator,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PLAIN: &str =
        "permessage-deflate; server_no_context_takeover; client_no_context_takeover";

    #[test]
    fn offers_are_answered_in_full() {
        let rows = [
            ("permessage-deflate", ""),
            ("permessage-deflate; client_max_window_bits", ""),
            ("permessage-deflate; client_max_window_bits=10", ""),
            ("permessage-deflate; client_max_window_bits=\"10\"", ""),
            ("PerMessage-Deflate;server_no_context_takeover", ""),
            ("permessage-deflate ; client_no_context_takeover ; client_max_window_bits", ""),
            ("permessage-deflate; server_max_window_bits=15", "; server_max_window_bits=15"),
            ("permessage-deflate; server_max_window_bits = \"9\"", "; server_max_window_bits=9"),
            ("x-webkit-deflate-frame, permessage-deflate", ""),
            ("permessage-deflate; server_max_window_bits=7, permessage-deflate", ""),
            ("foo; bar=\"a, permessage-deflate; b\", permessage-deflate", ""),
        ];
        for (offer, extra) in rows {
            let answer = Agreement::negotiate([offer]).map(|agreement| agreement.to_string());
            assert_eq!(answer, Some(format!("{PLAIN}{extra}")), "{offer}");
        }
    }

    #[test]
    fn malformed_and_foreign_offers_are_passed_over() {
        let rows = [
            "",
            ",,;;==\"",
            "permessage-bzip2",
            "permessage-deflate; ",
            "permessage-deflate; unknown",
            "permessage-deflate; server_no_context_takeover=1",
            "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
            "permessage-deflate; server_max_window_bits",
            "permessage-deflate; server_max_window_bits=",
            "permessage-deflate; server_max_window_bits=7",
            "permessage-deflate; server_max_window_bits=16",
            "permessage-deflate; server_max_window_bits=08",
            "permessage-deflate; server_max_window_bits=+9",
            "permessage-deflate; server_max_window_bits=-1",
            "permessage-deflate; server_max_window_bits=99999999999999999999",
            "permessage-deflate; server_max_window_bits=\"10",
            "permessage-deflate; client_max_window_bits=0; client_max_window_bits=12",
            "permessage-deflate; client_max_window_bits=\"1\\0\"",
            "foo; bar=\"unclosed, permessage-deflate",
        ];
        for offer in rows {
            assert_eq!(Agreement::negotiate([offer]), None, "{offer}");
        }
    }

    #[test]
    fn a_second_header_is_read_too() {
        assert!(Agreement::negotiate(["foo", "permessage-deflate"]).is_some());
    }

    #[test]
    fn a_client_with_a_small_window_gets_plain_bodies() {
        let takes = |offer| Agreement::negotiate([offer]).map(Agreement::takes_shared_bodies);
        assert_eq!(takes("permessage-deflate"), Some(true));
        assert_eq!(takes("permessage-deflate; server_max_window_bits=15"), Some(true));
        assert_eq!(takes("permessage-deflate; server_max_window_bits=14"), Some(false));
    }

    proptest! {
        #[test]
        fn no_offer_panics(offer in "(permessage-deflate|[;,=\"\\\\ a-z0-9_]|server_max_window_bits|é){0,12}") {
            let _ = Agreement::negotiate([offer.as_str()]);
        }
    }
}
