//! Heads and bodies of requests, within their limits.

use std::time::Duration;

use bytes::Bytes;
use http_body_util::BodyExt;
use hyper::body::{Body, Incoming};
use hyper::http::request::Parts;
use serde_json::{Map, Value};
use tokio::time::timeout;

use crate::answer::Refusal;
use crate::pages;
use crate::server::HEAD_BYTES_MAX;

/// The longest body of a change, and the time for it.
const BODY_BYTES_MAX: u64 = 64 * 1024;
pub(super) const BODY_TIME: Duration = Duration::from_secs(15);

/// Checks the length of a head: the HTTP library takes more where it comes at once.
pub(super) fn check_length(head: &Parts) -> Result<(), Refusal> {
    let fields = head.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4);
    let length = head.uri.path_and_query().map_or(0, |path| path.as_str().len());
    if fields.sum::<usize>() + length <= HEAD_BYTES_MAX {
        return Ok(());
    }
    Err(Refusal::long_head())
}

/// The object of a body.
pub(super) async fn object(body: Incoming) -> Result<Map<String, Value>, Refusal> {
    object_up_to(body, BODY_BYTES_MAX).await
}

/// The object of a body of up to `max` bytes.
pub(super) async fn object_up_to(body: Incoming, max: u64) -> Result<Map<String, Value>, Refusal> {
    let bytes = bytes_of(body, max).await?;
    if bytes.is_empty() {
        return Ok(Map::new());
    }
    let wrong = |_| Refusal::new(400, "The body must be a JSON object.");
    serde_json::from_slice(&bytes).map_err(wrong)
}

/// The fields of a form of up to `max` bytes.
pub(super) async fn form_up_to(body: Incoming, max: u64) -> Result<Vec<(String, String)>, Refusal> {
    let bytes = bytes_of(body, max).await?;
    Ok(form_urlencoded::parse(&bytes).into_owned().collect())
}

async fn bytes_of(mut body: Incoming, max: u64) -> Result<Bytes, Refusal> {
    if body.size_hint().exact().is_some_and(|length| length > max) {
        return Err(too_long(max));
    }
    let read = async {
        let mut bytes = Vec::new();
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| Refusal::new(400, "The body ended early."))?;
            let Ok(data) = frame.into_data() else { continue };
            if (bytes.len() + data.len()) as u64 > max {
                return Err(too_long(max));
            }
            bytes.extend_from_slice(&data);
        }
        Ok(Bytes::from(bytes))
    };
    timeout(BODY_TIME, read).await.unwrap_or_else(|_| Err(too_slow()))
}

pub(super) fn too_long(max: u64) -> Refusal {
    Refusal::new(413, format!("The body has more than {}.", pages::size_words(max)))
}

pub(super) fn too_slow() -> Refusal {
    Refusal::new(408, "The body came too slowly.")
}

/// A text among the fields of a change.
pub(super) fn text_of(
    fields: &mut Map<String, Value>,
    name: &str,
    max: usize,
) -> Result<Option<String>, Refusal> {
    match fields.remove(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.chars().count() <= max => Ok(Some(text)),
        Some(_) => {
            let error = format!("`{name}` must be a text of up to {max} characters.");
            Err(Refusal { field: Some(name.to_owned()), ..Refusal::new(400, error) })
        }
    }
}
