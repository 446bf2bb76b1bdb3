//! Connections that end when nothing happens on them.
//!
//! The HTTP library has a limit for the time of a head, but none for idle connections or for clients
//! that do not read.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep, sleep};

/// The time without a byte after which a connection ends.
const IDLE: Duration = Duration::from_secs(60);

/// The time after which a client that does not read its answer loses it.
const UNREAD: Duration = Duration::from_secs(30);

/// A connection with limits.
pub(crate) struct Timed {
    io: TokioIo<TcpStream>,
    idle: Pin<Box<Sleep>>,
    unread: Option<Pin<Box<Sleep>>>,
}

impl Timed {
    pub(crate) fn new(stream: TcpStream) -> Timed {
        Timed { io: TokioIo::new(stream), idle: Box::pin(sleep(IDLE)), unread: None }
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
            return polled;
        }
        this.idle.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Write for Timed {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
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
        let this = self.get_mut();
        let polled = Pin::new(&mut this.io).poll_write_vectored(context, buffers);
        this.written(context, polled)
    }
}
