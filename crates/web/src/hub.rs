//! The stream of changes that pages listen to.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use bytes::Bytes;
use serde_json::Value;
use tokio::sync::mpsc;

/// The time between two signs of life, by which both ends find out that the other one is gone.
const BEAT: Duration = Duration::from_secs(20);

/// Messages that wait for a slow listener. One that falls behind loses its stream, and asks for the
/// state of everything when it opens the next one.
const WAITING_MAX: usize = 64;

/// All listeners.
#[derive(Debug, Default)]
pub(crate) struct Hub {
    listeners: RefCell<Vec<mpsc::Sender<Bytes>>>,
    is_beating: Cell<bool>,
}

impl Hub {
    /// Adds a listener.
    pub(crate) fn listen(self: &Rc<Self>) -> mpsc::Receiver<Bytes> {
        let (sender, stream) = mpsc::channel(WAITING_MAX);
        // The first message fits.
        _ = sender.try_send(Bytes::from_static(b"retry: 1000\nevent: hello\ndata: {}\n\n"));
        self.listeners.borrow_mut().push(sender);
        if !self.is_beating.replace(true) {
            let hub = Rc::clone(self);
            tokio::task::spawn_local(async move { hub.beat().await });
        }
        stream
    }

    /// Sends a change to all.
    pub(crate) fn send(&self, change: &Value) {
        self.send_bytes(&Bytes::from(format!("event: change\ndata: {change}\n\n")));
    }

    fn send_bytes(&self, bytes: &Bytes) {
        self.listeners.borrow_mut().retain(|listener| listener.try_send(bytes.clone()).is_ok());
    }

    /// Sends signs of life while somebody listens.
    async fn beat(&self) {
        while !self.listeners.borrow().is_empty() {
            tokio::time::sleep(BEAT).await;
            self.send_bytes(&Bytes::from_static(b": beat\n\n"));
        }
        self.is_beating.set(false);
    }

    /// Ends all streams.
    pub(crate) fn close(&self) {
        self.listeners.borrow_mut().clear();
    }
}
