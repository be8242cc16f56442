//! The page, from inside the executable: no file system, so no path can leave it.
//!
//! Files under `assets/` have their content's hash in their name and never change. Anything that
//! is no file is a place in the page, and is answered with the page.

use axum::body::Body;
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use rust_embed::{Embed, EmbeddedFile};

use crate::error::ApiError;

#[derive(Embed)]
#[folder = "$OUT_DIR/page"]
struct Page;

const INDEX: &str = "index.html";
/// Files whose names hold their content's hash.
const HASHED: &str = "assets/";
const FOREVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Asked about each time: the answer is mostly 304.
const EACH_TIME: HeaderValue = HeaderValue::from_static("no-cache");
/// Encodings in order of preference, with the ending of files made by the build.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Answers for a path that is no part of the interface.
pub(crate) fn answer(path: &str, headers: &HeaderMap) -> Response {
    let asked = path.trim_start_matches('/');
    let name = if !asked.is_empty() && Page::get(asked).is_some() { asked } else { INDEX };
    // A file of another build: the page must not be taken for a script.
    if name == INDEX && asked.starts_with(HASHED) {
        return ApiError::not_found("file").into_response();
    }
    let Some((file, encoding)) = best(name, headers) else {
        return ApiError::not_found("page").into_response();
    };
    let caching = if name.starts_with(HASHED) { FOREVER } else { EACH_TIME };
    let etag = etag(&file);
    let mut response = if headers.get(IF_NONE_MATCH) == Some(&etag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let mut response = Response::new(Body::from(Bytes::from_owner(file.data)));
        let kind = HeaderValue::from_static(content_type(name));
        response.headers_mut().insert(CONTENT_TYPE, kind);
        if let Some(encoding) = encoding {
            response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        response
    };
    let headers = response.headers_mut();
    headers.insert(ETAG, etag);
    headers.insert(CACHE_CONTROL, caching);
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// The smallest form of a file that the browser takes.
fn best(name: &str, headers: &HeaderMap) -> Option<(EmbeddedFile, Option<&'static str>)> {
    let accepted = headers.get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or("");
    let accepts = |encoding: &str| {
        accepted.split(',').any(|part| {
            let (wanted, quality) = part.split_once(';').unwrap_or((part, ""));
            wanted.trim() == encoding && quality.trim() != "q=0"
        })
    };
    ENCODINGS
        .into_iter()
        .filter(|(encoding, _)| accepts(encoding))
        .find_map(|(encoding, ending)| {
            Page::get(&format!("{name}{ending}")).map(|file| (file, Some(encoding)))
        })
        .or_else(|| Page::get(name).map(|file| (file, None)))
}

fn etag(file: &EmbeddedFile) -> HeaderValue {
    let hash = file.metadata.sha256_hash();
    let hex: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    HeaderValue::from_str(&format!("\"{hex}\"")).expect("hex in quotes is a header's value")
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("json" | "webmanifest") => "application/json",
        _ => "application/octet-stream",
    }
}
