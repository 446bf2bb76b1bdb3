//! Answers to requests: status, headers and body.

use std::convert::Infallible;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::{Response, StatusCode};
use serde_json::json;
use tokio::sync::mpsc;

use crate::pages;

/// Policy of every answer: a browser may use the server's own files and nothing else, and pages may
/// not be framed.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; \
    require-trusted-types-for 'script'; trusted-types treegauge";

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    status: StatusCode,
    kind: &'static str,
    headers: Vec<(HeaderName, String)>,
    content: Content,
    is_sandboxed: bool,
}

/// Body of an answer.
#[derive(Debug)]
pub(crate) enum Content {
    /// Bytes that are known.
    Whole(Bytes),
    /// Bytes that come one after another, and a guard that counts the stream until it is dropped.
    Stream(mpsc::Receiver<Bytes>, #[expect(dead_code, reason = "it counts")] Rc<()>),
}

pub(crate) const HTML: &str = "text/html; charset=utf-8";
pub(crate) const JSON: &str = "application/json";
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";

impl Answer {
    /// Answer that all is well.
    pub(crate) fn new(kind: &'static str, content: impl Into<Bytes>) -> Answer {
        Answer::of(200, kind, Content::Whole(content.into()))
    }

    /// Answer with a status.
    pub(crate) fn of(status: u16, kind: &'static str, content: Content) -> Answer {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::SERVICE_UNAVAILABLE);
        Answer { status, kind, headers: Vec::new(), content, is_sandboxed: false }
    }

    /// Answer of JSON.
    pub(crate) fn json(value: &serde_json::Value) -> Answer {
        Answer::new(JSON, value.to_string() + "\n")
    }

    /// Answer that leads to another page.
    pub(crate) fn redirect(to: &str) -> Answer {
        Answer::of(303, TEXT, Content::Whole(Bytes::new())).with(header::LOCATION, to)
    }

    /// Adds a header.
    pub(crate) fn with(mut self, name: HeaderName, value: impl Into<String>) -> Answer {
        self.headers.push((name, value.into()));
        self
    }

    /// Sets the status.
    pub(crate) fn status(self, status: u16) -> Answer {
        let status = StatusCode::from_u16(status).unwrap_or(self.status);
        Answer { status, ..self }
    }

    /// The same as a file to be saved, which is not shown as a page of the server.
    pub(crate) fn attached(self, name: &str) -> Answer {
        let plain: String = name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' })
            .collect();
        let value = format!("attachment; filename=\"{plain}\"");
        Answer { is_sandboxed: true, ..self.with(header::CONTENT_DISPOSITION, value) }
    }

    /// The response.
    pub(crate) fn response(self) -> Response<Content> {
        let mut response = Response::new(self.content);
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        let policy =
            if self.is_sandboxed { format!("{POLICY}; sandbox") } else { POLICY.to_owned() };
        let fixed = [
            (header::CONTENT_TYPE, self.kind.to_owned()),
            (header::CONTENT_SECURITY_POLICY, policy),
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff".to_owned()),
            (header::REFERRER_POLICY, "no-referrer".to_owned()),
            (HeaderName::from_static("cross-origin-opener-policy"), "same-origin".to_owned()),
            (HeaderName::from_static("cross-origin-resource-policy"), "same-origin".to_owned()),
            (header::CACHE_CONTROL, "no-store".to_owned()),
        ];
        for (name, value) in fixed.into_iter().chain(self.headers) {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        }
        response
    }
}

/// Reason why a request is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) error: String,
    /// Remedy; empty for none.
    pub(crate) hint: String,
    /// Field of a form that the error is about.
    pub(crate) field: Option<String>,
}

impl Refusal {
    /// Refusal with a status.
    pub(crate) fn new(status: u16, error: impl Into<String>) -> Refusal {
        Refusal { status, error: error.into(), hint: String::new(), field: None }
    }

    /// Adds a remedy.
    pub(crate) fn hint(self, hint: impl Into<String>) -> Refusal {
        Refusal { hint: hint.into(), ..self }
    }

    /// The error and the remedy.
    pub(crate) fn words(&self) -> String {
        format!("{} {}", self.error, self.hint).trim_end().to_owned()
    }

    /// Refusal of a request without a session.
    pub(crate) fn no_session() -> Refusal {
        Refusal::new(401, "This browser has no session.").hint(
            "Open the address that `treegauge serve` printed, or run `treegauge serve --url` for a new one.",
        )
    }

    /// Refusal of a request whose head is too long.
    pub(crate) fn long_head() -> Refusal {
        Refusal::new(431, "The head of the request has more than 32 kB, or more than 64 fields.")
    }

    /// Refusal of a path that is not there.
    pub(crate) fn not_found(error: impl Into<String>) -> Refusal {
        Refusal::new(404, error)
    }

    /// Refusal because the server has too much to do, or a part of it failed.
    pub(crate) fn busy(error: impl Into<String>) -> Refusal {
        Refusal::new(503, error)
    }

    /// The answer: JSON for programs, a page for people.
    pub(crate) fn answer(&self, is_json: bool) -> Answer {
        let Refusal { status, error, hint, field } = self;
        let answer = if is_json {
            let hint = (!hint.is_empty()).then_some(hint);
            let json =
                json!({"schema": 1, "kind": "error", "error": error, "hint": hint, "field": field});
            Answer::json(&json)
        } else {
            Answer::new(HTML, pages::refused(self))
        };
        let answer = answer.status(*status);
        match status {
            401 => answer.with(header::WWW_AUTHENTICATE, "Bearer"),
            405 => answer.with(header::ALLOW, "GET, HEAD, POST"),
            408 | 413 => answer.with(header::CONNECTION, "close"),
            429 | 503 => answer.with(header::RETRY_AFTER, "5"),
            _ => answer,
        }
    }
}

impl Refusal {
    /// The answer as bytes, for a connection that ends with it.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let response = self.answer(false).with(header::CONNECTION, "close").response();
        let (head, content) = response.into_parts();
        let Content::Whole(body) = content else { return Vec::new() };
        let mut bytes = format!("HTTP/1.1 {}\r\n", head.status).into_bytes();
        for (name, value) in &head.headers {
            bytes.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
        }
        bytes.extend(format!("content-length: {}\r\n\r\n", body.len()).into_bytes());
        bytes.extend(body);
        bytes
    }
}

impl Body for Content {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            Content::Whole(bytes) if bytes.is_empty() => Poll::Ready(None),
            Content::Whole(bytes) => Poll::Ready(Some(Ok(Frame::data(std::mem::take(bytes))))),
            Content::Stream(stream, _) => {
                stream.poll_recv(context).map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Content::Whole(bytes) if bytes.is_empty())
    }

    fn size_hint(&self) -> SizeHint {
        match self {
            Content::Whole(bytes) => SizeHint::with_exact(bytes.len() as u64),
            Content::Stream(..) => SizeHint::default(),
        }
    }
}
