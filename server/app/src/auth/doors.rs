//! The names under which the core may be reached: which `Host` and which `Origin` are ours.
//!
//! Both are compared whole. A `Host` that is not ours is a rebound DNS name or a proxy nobody told
//! us of; an `Origin` that is not ours is another page. Binding to loopback is no defence against
//! either: the browser that comes is on this machine.

use std::collections::BTreeSet;
use std::str::FromStr;

use http::header::{HOST, ORIGIN};
use http::uri::{Authority, Scheme, Uri};
use http::{HeaderMap, HeaderName};

/// Names of the machine itself, as a browser on it writes them.
const LOOPBACK: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

/// An address at which people open the page, such as `https://glass.example`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin {
    secure: bool,
    /// Lower case, without the scheme's own port.
    authority: String,
}

/// An origin that no browser would send.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an origin is a scheme and a host, such as https://glass.example or http://10.0.0.5:4911")]
pub struct BadOrigin;

/// What the core is called.
#[derive(Clone, Debug)]
pub struct Doors {
    port: u16,
    /// The address to print for people.
    first: Origin,
    /// Values of `Host` that are ours, in lower case.
    hosts: BTreeSet<String>,
    /// Those of them that are reached by TLS.
    secure_hosts: BTreeSet<String>,
    /// Values of `Origin` that are ours.
    origins: BTreeSet<String>,
}

/// A request whose `Host` is not ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotOurHost {
    /// What it named; none when it named nothing or several things.
    pub named: Option<String>,
}

/// The cookie that goes with the address a request came by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CookieKind {
    /// Its name. Two ports of one address share cookies, so the port is part of it.
    pub name: String,
    /// Whether it may only travel by TLS.
    pub secure: bool,
}

impl FromStr for Origin {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let uri: Uri = text.parse().map_err(|_| BadOrigin)?;
        let secure = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTPS => true,
            Some(scheme) if *scheme == Scheme::HTTP => false,
            _ => return Err(BadOrigin),
        };
        let authority = uri.authority().ok_or(BadOrigin)?;
        let bare = uri.path() == "/" && uri.query().is_none() && !text.contains(['@', '#']);
        if !bare || authority.host().is_empty() {
            return Err(BadOrigin);
        }
        let own_port = if secure { 443 } else { 80 };
        let host = authority.host().to_ascii_lowercase();
        let authority = match port_of(authority)? {
            Some(port) if port != own_port => format!("{host}:{port}"),
            _ => host,
        };
        Ok(Self { secure, authority })
    }
}

fn port_of(authority: &Authority) -> Result<Option<u16>, BadOrigin> {
    match authority.port() {
        None => Ok(None),
        Some(port) => port.as_str().parse().map(Some).map_err(|_| BadOrigin),
    }
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scheme = if self.secure { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.authority)
    }
}

impl Origin {
    /// The `Host` headers with which a request for it may come.
    fn hosts(&self) -> [String; 2] {
        let own_port = if self.secure { 443 } else { 80 };
        let has_port = !self.authority.ends_with(']') && self.authority.contains(':');
        let with_port = if has_port {
            self.authority.clone()
        } else {
            format!("{}:{own_port}", self.authority)
        };
        [self.authority.clone(), with_port]
    }
}

impl Doors {
    /// The names of a core that listens on `port` and is reached at `origins` too.
    pub fn new(port: u16, origins: &[Origin]) -> Self {
        let local = LOOPBACK.map(|host| {
            let authority = if port == 80 { host.to_owned() } else { format!("{host}:{port}") };
            Origin { secure: false, authority }
        });
        let all = || origins.iter().chain(&local);
        let hosts = |secure_only: bool| {
            all().filter(|origin| origin.secure || !secure_only).flat_map(Origin::hosts).collect()
        };
        Self {
            port,
            first: origins.first().unwrap_or(&local[0]).clone(),
            hosts: hosts(false),
            secure_hosts: hosts(true),
            origins: all().map(ToString::to_string).collect(),
        }
    }

    /// The address to print for people.
    pub fn first(&self) -> &Origin {
        &self.first
    }

    /// Whether a request names us: exactly one `Host`, and a target that agrees with it.
    ///
    /// # Errors
    ///
    /// [`NotOurHost`]: answered 421 before anything else is looked at.
    pub fn admit_host(&self, headers: &HeaderMap, target: &Uri) -> Result<(), NotOurHost> {
        let host = only(headers, HOST).ok_or(NotOurHost { named: None })?.to_ascii_lowercase();
        let agrees = target.authority().is_none_or(|a| a.as_str().eq_ignore_ascii_case(&host));
        if agrees && self.hosts.contains(&host) {
            Ok(())
        } else {
            Err(NotOurHost { named: Some(host) })
        }
    }

    /// The one `Origin` of a request, if it is ours.
    pub fn our_origin<'a>(&self, headers: &'a HeaderMap) -> Option<&'a str> {
        only(headers, ORIGIN).filter(|origin| self.origins.contains(*origin))
    }

    /// The cookie for the address that a request came by.
    pub fn cookie(&self, headers: &HeaderMap) -> CookieKind {
        let secure = only(headers, HOST)
            .is_some_and(|host| self.secure_hosts.contains(&host.to_ascii_lowercase()));
        let prefix = if secure { "__Host-" } else { "" };
        CookieKind { name: format!("{prefix}glasshouse_{}", self.port), secure }
    }
}

/// The value of a header that must come exactly once.
fn only(headers: &HeaderMap, name: HeaderName) -> Option<&str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?;
    if values.next().is_some() { None } else { value.to_str().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doors() -> Doors {
        Doors::new(4911, &["https://glass.example".parse().unwrap()])
    }

    fn headers(name: &HeaderName, values: &[&str]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(name.clone(), value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn an_origin_is_a_scheme_and_a_host() {
        for (text, shown) in [
            ("https://Glass.Example", "https://glass.example"),
            ("https://glass.example:443", "https://glass.example"),
            ("http://10.0.0.5:4911/", "http://10.0.0.5:4911"),
            ("http://[::1]:80", "http://[::1]"),
        ] {
            assert_eq!(text.parse::<Origin>().map(|o| o.to_string()), Ok(shown.to_owned()));
        }
        for text in ["", "glass.example", "ftp://x", "https://", "https://x/y", "https://u@x", "/"]
        {
            assert_eq!(text.parse::<Origin>(), Err(BadOrigin), "{text}");
        }
    }

    #[test]
    fn only_our_hosts_are_admitted() {
        let target: Uri = "/api/me".parse().unwrap();
        for host in [
            "127.0.0.1:4911",
            "localhost:4911",
            "LOCALHOST:4911",
            "[::1]:4911",
            "glass.example",
            "glass.example:443",
        ] {
            assert_eq!(doors().admit_host(&headers(&HOST, &[host]), &target), Ok(()), "{host}");
        }
        for hosts in [
            &["attacker.test"][..],
            &["127.0.0.1.nip.test:4911"],
            &["127.0.0.1"],
            &["127.0.0.1:4912"],
            &["localhost.:4911"],
            &["localhost:4911", "localhost:4911"],
            &["u@localhost:4911"],
            &["glass.example:80"],
            &[""],
            &[],
        ] {
            assert!(doors().admit_host(&headers(&HOST, hosts), &target).is_err(), "{hosts:?}");
        }
    }

    #[test]
    fn a_target_that_names_another_host_is_refused() {
        let headers = headers(&HOST, &["localhost:4911"]);
        let target = "http://attacker.test/".parse().unwrap();
        assert!(doors().admit_host(&headers, &target).is_err());
        let target = "http://localhost:4911/".parse().unwrap();
        assert!(doors().admit_host(&headers, &target).is_ok());
    }

    #[test]
    fn only_our_origins_are_ours_and_whole() {
        for origin in ["http://127.0.0.1:4911", "http://localhost:4911", "https://glass.example"] {
            assert_eq!(doors().our_origin(&headers(&ORIGIN, &[origin])), Some(origin));
        }
        for origins in [
            &["null"][..],
            &["https://127.0.0.1:4911"],
            &["http://127.0.0.1:4912"],
            &["http://glass.example"],
            &["https://glass.example.evil.test"],
            &["https://evilglass.example"],
            &["https://GLASS.example"],
            &["https://glass.example."],
            &["https://glass.example/"],
            &["https://glass.example", "https://glass.example"],
            &[],
        ] {
            assert_eq!(doors().our_origin(&headers(&ORIGIN, origins)), None, "{origins:?}");
        }
    }

    #[test]
    fn the_cookie_is_bound_to_tls_where_the_address_is() {
        let plain = doors().cookie(&headers(&HOST, &["localhost:4911"]));
        assert_eq!(plain, CookieKind { name: "glasshouse_4911".to_owned(), secure: false });
        let secure = doors().cookie(&headers(&HOST, &["glass.example"]));
        assert_eq!(secure, CookieKind { name: "__Host-glasshouse_4911".to_owned(), secure: true });
    }

    #[test]
    fn the_first_origin_is_the_one_to_print() {
        assert_eq!(doors().first().to_string(), "https://glass.example");
        assert_eq!(Doors::new(80, &[]).first().to_string(), "http://127.0.0.1");
    }
}
