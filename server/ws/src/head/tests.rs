use super::*;

/// A request that a browser sends.
const BROWSER: [(&str, &str); 7] = [
    ("host", "127.0.0.1:4911"),
    ("connection", "keep-alive, Upgrade"),
    ("upgrade", "websocket"),
    ("sec-websocket-version", "13"),
    ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ("sec-websocket-protocol", "glasshouse.v1, ticket.c2VjcmV0LXRpY2tldA"),
    ("sec-websocket-extensions", "permessage-deflate; client_max_window_bits"),
];

#[test]
fn a_browser_is_answered() {
    let upgrade = Upgrade::from_request("GET", BROWSER).unwrap();
    let offered: Vec<_> = upgrade.protocols().collect();
    assert_eq!(offered, ["glasshouse.v1", "ticket.c2VjcmV0LXRpY2tldA"]);
    assert_eq!(
        upgrade.answer(Some("glasshouse.v1")),
        [
            ("connection", "upgrade".to_owned()),
            ("upgrade", "websocket".to_owned()),
            ("sec-websocket-accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=".to_owned()),
            ("sec-websocket-protocol", "glasshouse.v1".to_owned()),
            (
                "sec-websocket-extensions",
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
                    .to_owned(),
            ),
        ],
    );
}

#[test]
fn compression_can_be_refused() {
    let mut upgrade = Upgrade::from_request("GET", BROWSER).unwrap();
    upgrade.deflate = None;
    assert!(upgrade.answer(None).iter().all(|(name, _)| *name != "sec-websocket-extensions"));
}

#[test]
fn names_and_tokens_may_be_in_any_case() {
    let shouted: Vec<_> =
        BROWSER.iter().map(|(name, value)| (name.to_ascii_uppercase(), *value)).collect();
    let headers = shouted.iter().map(|(name, value)| (name.as_str(), *value));
    assert!(Upgrade::from_request("GET", headers).is_ok());
    assert!(Upgrade::from_request("GET", with("upgrade", "WebSocket")).is_ok());
}

#[test]
fn other_requests_are_refused_with_their_reason() {
    let rows = [
        ("connection", "keep-alive", HeadError::NotAnUpgrade),
        ("connection", "notupgrade", HeadError::NotAnUpgrade),
        ("upgrade", "h2c", HeadError::NotAnUpgrade),
        ("sec-websocket-version", "8", HeadError::Version),
        ("sec-websocket-version", "", HeadError::Version),
        ("sec-websocket-version", "13, 8", HeadError::Version),
        ("sec-websocket-key", "", HeadError::Key),
        ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ", HeadError::Key),
        ("sec-websocket-key", "dG9vIHNob3J0", HeadError::Key),
        ("sec-websocket-key", "!!!", HeadError::Key),
        ("sec-websocket-protocol", "a,,b", HeadError::Protocols),
        ("sec-websocket-protocol", "a, b, a", HeadError::Protocols),
        ("sec-websocket-protocol", "a b", HeadError::Protocols),
        ("sec-websocket-protocol", "é", HeadError::Protocols),
    ];
    for (name, value, error) in rows {
        assert_eq!(Upgrade::from_request("GET", with(name, value)), Err(error), "{name}: {value}");
    }
    assert_eq!(Upgrade::from_request("POST", BROWSER), Err(HeadError::Method));
    assert_eq!(Upgrade::from_request("GET", []), Err(HeadError::NotAnUpgrade));
}

#[test]
fn a_repeated_key_or_version_is_refused() {
    let twice =
        |name| BROWSER.into_iter().chain(BROWSER.into_iter().filter(move |(n, _)| *n == name));
    assert_eq!(Upgrade::from_request("GET", twice("sec-websocket-key")), Err(HeadError::Key));
    assert_eq!(
        Upgrade::from_request("GET", twice("sec-websocket-version")),
        Err(HeadError::Version)
    );
}

#[test]
fn a_malformed_extension_offer_refuses_compression_and_not_the_connection() {
    let headers = with("sec-websocket-extensions", "permessage-deflate; server_max_window_bits=\"");
    assert_eq!(Upgrade::from_request("GET", headers).map(|upgrade| upgrade.deflate), Ok(None));
}

#[test]
fn a_ticket_among_the_subprotocols_is_not_shown() {
    let upgrade = Upgrade::from_request("GET", BROWSER).unwrap();
    assert!(!format!("{upgrade:?}").contains("ticket"));
}

fn with<'a>(name: &'a str, value: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    BROWSER.into_iter().map(move |(n, v)| if n == name { (n, value) } else { (n, v) })
}
