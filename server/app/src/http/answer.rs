//! Reading bodies and paths so that what is wrong with them comes back as our kind of error.

use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Path, Request};
use http::StatusCode;
use http::request::Parts;
use hyper::body::Body as _;
use serde::de::DeserializeOwned;
use wire::ErrorCode;

use crate::error::ApiError;

/// Most bytes of a body: a layout of 16 panes takes 2 KiB.
pub const BODY_MAX_BYTES: usize = 64 * 1024;

/// A JSON body.
#[derive(Debug)]
pub struct Body<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        match axum::Json::from_request(request, state).await {
            Ok(axum::Json(body)) => Ok(Self(body)),
            Err(rejection) => Err(refusal(&rejection)),
        }
    }
}

/// A JSON body that may be left out.
#[derive(Debug)]
pub struct OptionalBody<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Default> FromRequest<S> for OptionalBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        if request.body().is_end_stream() {
            return Ok(Self(T::default()));
        }
        Body::from_request(request, state).await.map(|Body(body)| Self(body))
    }
}

fn refusal(rejection: &JsonRejection) -> ApiError {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let most = format!("A body is at most {BODY_MAX_BYTES} bytes.");
        return ApiError::new(ErrorCode::TooLarge, most);
    }
    ApiError::new(ErrorCode::BadMessage, rejection.body_text())
}

/// The id in a route's path. One that is no id names nothing.
#[derive(Clone, Copy, Debug)]
pub struct Id<T>(pub T);

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Id<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        match Path::from_request_parts(parts, state).await {
            Ok(Path(id)) => Ok(Self(id)),
            Err(_) => Err(ApiError::not_found("thing")),
        }
    }
}
