//! Connections that end when nothing happens on them, and whose every answer has the headers of the server.
//!
//! The HTTP library has no limit for idle connections or for clients that do not read, and that of a head
//! begins with the end of the request before. It answers by itself what is not HTTP, without a header that
//! protects anybody.

use std::cell::Cell;
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep, sleep_until, timeout};

use crate::answer::Refusal;

/// The time without a byte after which a connection ends.
pub(crate) const IDLE: Duration = Duration::from_secs(60);

/// The time from the first byte of a head to its end.
const HEAD_TIME: Duration = Duration::from_secs(5);

/// The time after which a client that does not read its answer loses it.
const UNREAD: Duration = Duration::from_secs(30);

/// The time and the bytes that a client may go on sending after the last answer.
const LINGER: Duration = Duration::from_secs(1);
const LINGER_BYTES_MAX: u64 = 1 << 20;

/// The head that a connection waits for, which its reader and its service share.
#[derive(Default)]
pub(crate) struct Head {
    /// Whether a request is being answered, so that bytes belong to it.
    is_answering: Cell<bool>,
    /// The time by which a head that has begun must be whole.
    until: Cell<Option<Instant>>,
}

impl Head {
    /// Answers a request, whose head is whole.
    pub(crate) async fn answering<T>(&self, answer: impl Future<Output = T>) -> T {
        self.is_answering.set(true);
        self.until.set(None);
        let answer = answer.await;
        self.is_answering.set(false);
        answer
    }

    /// Notes that bytes have come.
    fn touch(&self) {
        if !self.is_answering.get() && self.until.get().is_none() {
            self.until.set(Some(Instant::now() + HEAD_TIME));
        }
    }

    /// Whether a head has begun and is not whole in time.
    pub(crate) fn is_late(&self) -> bool {
        self.until.get().is_some_and(|until| until <= Instant::now())
    }
}

/// A connection with limits.
pub(crate) struct Timed {
    io: TokioIo<TcpStream>,
    head: Rc<Head>,
    idle: Pin<Box<Sleep>>,
    late: Option<Pin<Box<Sleep>>>,
    unread: Option<Pin<Box<Sleep>>>,
    /// The rest of an answer in place of one of the HTTP library.
    instead: Vec<u8>,
}

impl Timed {
    pub(crate) fn new(stream: TcpStream, head: Rc<Head>) -> Timed {
        Timed {
            io: TokioIo::new(stream),
            head,
            idle: Box::pin(sleep(IDLE)),
            late: None,
            unread: None,
            instead: Vec::new(),
        }
    }

    /// Ends the connection, after a last answer if there is one.
    ///
    /// For a moment it reads on: the system throws an answer away that is on its way to a client whose bytes nobody reads.
    pub(crate) async fn end(self, last: Option<Refusal>) {
        let mut stream = self.io.into_inner();
        let ending = async {
            if let Some(last) = last {
                stream.write_all(&last.bytes()).await?;
            }
            stream.shutdown().await?;
            let mut rest = stream.take(LINGER_BYTES_MAX);
            let mut lost = [0; 4096];
            while rest.read(&mut lost).await? > 0 {}
            io::Result::Ok(())
        };
        // A client that is gone needs no end.
        _ = timeout(LINGER, ending).await;
    }

    /// Writes the rest of the answer in place of `len` bytes of the HTTP library.
    fn poll_instead(&mut self, context: &mut Context<'_>, len: usize) -> Poll<io::Result<usize>> {
        while !self.instead.is_empty() {
            match Pin::new(&mut self.io).poll_write(context, &self.instead) {
                Poll::Ready(Ok(count)) if count > 0 => drop(self.instead.drain(..count)),
                other => return other,
            }
        }
        Poll::Ready(Ok(len))
    }

    /// Notes that something happened.
    fn touch(&mut self) {
        self.idle.as_mut().reset(Instant::now() + IDLE);
        self.unread = None;
    }

    /// The outcome of a write, which fails once the client has not read for too long.
    fn written<T>(
        &mut self,
        context: &mut Context<'_>,
        polled: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if polled.is_ready() {
            self.touch();
            return polled;
        }
        let unread = self.unread.get_or_insert_with(|| Box::pin(sleep(UNREAD)));
        unread.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Read for Timed {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let polled = Pin::new(&mut this.io).poll_read(context, buffer);
        if polled.is_ready() {
            this.touch();
            this.head.touch();
            return if this.head.is_late() { late() } else { polled };
        }
        let waits = this.head.until.get().map(|until| {
            let late = this.late.get_or_insert_with(|| Box::pin(sleep_until(until)));
            late.as_mut().reset(until);
            late.as_mut().poll(context)
        });
        if waits.is_some_and(|waits| waits.is_ready()) {
            return late();
        }
        this.idle.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

/// The end of a read that came too late.
fn late<T>() -> Poll<io::Result<T>> {
    Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
}

impl Write for Timed {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        if let Some(refusal) = refusal_of(bytes) {
            if this.instead.is_empty() {
                this.instead = refusal.bytes();
            }
            let polled = this.poll_instead(context, bytes.len());
            return this.written(context, polled);
        }
        let polled = Pin::new(&mut this.io).poll_write(context, bytes);
        this.written(context, polled)
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().io).poll_shutdown(context)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let mut filled = buffers.iter().filter(|buffer| !buffer.is_empty());
        if let (Some(only), None) = (filled.next(), filled.next()) {
            return self.poll_write(context, only);
        }
        let this = self.get_mut();
        let polled = Pin::new(&mut this.io).poll_write_vectored(context, buffers);
        this.written(context, polled)
    }
}

/// The refusal that the HTTP library writes by itself: a status and nothing else. Every other answer has a policy.
fn refusal_of(bytes: &[u8]) -> Option<Refusal> {
    const BARE_BYTES_MAX: usize = 200;
    let head = Some(bytes).filter(|bytes| bytes.len() <= BARE_BYTES_MAX)?;
    let head = std::str::from_utf8(head).ok()?.strip_suffix("\r\n\r\n")?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.1 ")?.get(..3)?;
    let is_bare = |line: &str| {
        let name = line.split(':').next().unwrap_or_default();
        ["connection", "content-length", "date"].contains(&name)
    };
    if !lines.all(is_bare) {
        return None;
    }
    match status {
        "400" => Some(Refusal::new(400, "The request is not one of HTTP/1.1.")),
        "414" => Some(Refusal::new(414, "The address is too long.")),
        "431" => Some(Refusal::long_head()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_refusal_is_told_from_an_answer() {
        let bare = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(refusal_of(bare), Some(Refusal::long_head()));
        for refusal in [Refusal::long_head(), Refusal::new(400, "x")] {
            let bytes = refusal.bytes();
            assert!(bytes.starts_with(format!("HTTP/1.1 {} ", refusal.status).as_bytes()));
            assert_eq!(refusal_of(&bytes), None);
        }
        assert_eq!(refusal_of(b"HTTP/1.1 100 Continue\r\n\r\n"), None);
        assert_eq!(refusal_of(b"HTTP/1.1 400 Bad Request\r\n\r\nbody"), None);
    }
}
