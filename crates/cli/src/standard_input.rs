//! Standard input that fails once the command is asked to stop.

use std::io::{self, Cursor, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use crate::interrupt;

/// The number of bytes to read at once.
const CHUNK: usize = 1 << 16;

/// The time between two checks for a signal while no input comes.
const LOOK: Duration = Duration::from_millis(50);

/// Standard input. A read of a pipe blocks until bytes come or the other end is closed, whatever signals come; so a thread
/// of its own reads, and is left behind if it blocks.
pub(crate) struct StandardInput {
    chunks: Receiver<io::Result<Vec<u8>>>,
    chunk: Cursor<Vec<u8>>,
}

impl StandardInput {
    /// Begins to read. From then on signals are requests to stop.
    pub(crate) fn open() -> StandardInput {
        interrupt::flag();
        StandardInput::of(io::stdin())
    }

    fn of(mut input: impl Read + Send + 'static) -> StandardInput {
        // A small bound, so that unread input takes little memory.
        let (sender, chunks) = sync_channel(2);
        thread::spawn(move || {
            loop {
                let mut bytes = vec![0; CHUNK];
                let read = input.read(&mut bytes);
                let is_last = !matches!(read, Ok(len) if len > 0);
                let chunk = read.map(|len| {
                    bytes.truncate(len);
                    bytes
                });
                if sender.send(chunk).is_err() || is_last {
                    break;
                }
            }
        });
        StandardInput { chunks, chunk: Cursor::default() }
    }
}

impl Read for StandardInput {
    /// Fails when the command is asked to stop.
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            if interrupt::requested() {
                return Err(io::Error::other("interrupted"));
            }
            let len = self.chunk.read(bytes)?;
            if len > 0 || bytes.is_empty() {
                return Ok(len);
            }
            match self.chunks.recv_timeout(LOOK) {
                Ok(chunk) => self.chunk = Cursor::new(chunk?),
                Err(RecvTimeoutError::Timeout) => {}
                // The thread has read the end.
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_bytes_come_in_order_and_the_end_stays() {
        let bytes: Vec<u8> = (0..200_000u32).map(|n| n as u8).collect();
        let mut input = StandardInput::of(Cursor::new(bytes.clone()));
        let mut read = Vec::new();
        input.read_to_end(&mut read).unwrap();
        assert!(read == bytes);
        assert_eq!(input.read(&mut [0; 10]).unwrap(), 0);
    }

    #[test]
    fn an_error_is_handed_on() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("the disk is gone"))
            }
        }
        let error = StandardInput::of(Broken).read(&mut [0; 10]).unwrap_err();
        assert_eq!(error.to_string(), "the disk is gone");
    }
}
