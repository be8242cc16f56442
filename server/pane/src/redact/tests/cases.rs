//! Every case of the shared list, as it arrives and in every other cut.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use serde_json::Value;

use crate::redact::Redactor;

const CASES: &str = include_str!("../../../../../tests/fixtures/redaction/cases.jsonl");

struct Case {
    id: String,
    cols: u16,
    /// `None` is the deadline.
    chunks: Vec<Option<Vec<u8>>>,
    expected: Vec<u8>,
}

#[test]
fn every_case_comes_out_as_written_down() {
    let mut failures = Vec::new();
    for case in cases() {
        let got = redact(&case, &case.chunks);
        if got != case.expected {
            failures.push(format!(
                "{}:\n  expected {:?}\n  got      {:?}",
                case.id,
                String::from_utf8_lossy(&case.expected),
                String::from_utf8_lossy(&got),
            ));
        }
    }
    assert!(failures.is_empty(), "{} failed\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn every_case_comes_out_alike_however_it_is_cut() {
    for case in cases().filter(|case| case.chunks.iter().all(Option::is_some)) {
        let raw: Vec<u8> = case.chunks.iter().flatten().flatten().copied().collect();
        for at in 0..=raw.len() {
            let cut = [Some(raw[..at].to_vec()), Some(raw[at..].to_vec())];
            assert_eq!(redact(&case, &cut), case.expected, "{} cut at {at}", case.id);
        }
        let bytes: Vec<_> = raw.iter().map(|&byte| Some(vec![byte])).collect();
        assert_eq!(redact(&case, &bytes), case.expected, "{} byte by byte", case.id);
    }
}

#[test]
fn what_is_redacted_stays_as_it_is() {
    for case in cases() {
        let again = redact(&case, &[Some(case.expected.clone())]);
        assert_eq!(again, case.expected, "{}", case.id);
    }
}

fn cases() -> impl Iterator<Item = Case> {
    CASES.lines().map(|line| {
        let case: Value = serde_json::from_str(line).unwrap();
        let base64 = case.get("enc").is_some_and(|enc| enc == "base64");
        let bytes = |text: &Value| {
            let text = text.as_str().unwrap();
            if base64 { STANDARD.decode(text).unwrap() } else { text.as_bytes().to_vec() }
        };
        Case {
            id: case["id"].as_str().unwrap().to_owned(),
            cols: u16::try_from(case["cols"].as_u64().unwrap()).unwrap(),
            chunks: case["chunks"]
                .as_array()
                .unwrap()
                .iter()
                .map(|chunk| (!chunk.is_null()).then(|| bytes(chunk)))
                .collect(),
            expected: bytes(&case["expected"]),
        }
    })
}

fn redact(case: &Case, chunks: &[Option<Vec<u8>>]) -> Vec<u8> {
    let mut redactor = Redactor::new(case.cols);
    let mut out = Vec::new();
    for chunk in chunks {
        match chunk {
            Some(bytes) => redactor.feed(bytes, &mut out),
            None => redactor.on_deadline(&mut out),
        }
    }
    redactor.finish(&mut out);
    out
}
