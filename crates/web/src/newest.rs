//! Work for pages. Only the newest of each page counts.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use tokio::sync::Notify;

use crate::answer::Refusal;

/// Pages that wait for work.
#[derive(Debug, Default)]
pub(crate) struct Newest(RefCell<HashMap<String, Rc<Notify>>>);

impl Newest {
    /// Does work for a page. Newer work for the same page ends it.
    pub(crate) async fn run<T>(
        &self,
        page: String,
        work: impl Future<Output = Result<T, Refusal>>,
    ) -> Result<T, Refusal> {
        let own = Rc::new(Notify::new());
        if let Some(older) = self.0.borrow_mut().insert(page.clone(), Rc::clone(&own)) {
            older.notify_one();
        }
        let _entry = Entry { newest: self, page, own: Rc::clone(&own) };
        let (mut newer, mut work) = (pin!(own.notified()), pin!(work));
        poll_fn(|context| {
            if newer.as_mut().poll(context).is_ready() {
                let error = "The page has asked for something newer.";
                return Poll::Ready(Err(Refusal::new(409, error)));
            }
            work.as_mut().poll(context)
        })
        .await
    }
}

/// The entry of a page, which goes with its work.
struct Entry<'a> {
    newest: &'a Newest,
    page: String,
    own: Rc<Notify>,
}

impl Drop for Entry<'_> {
    fn drop(&mut self) {
        let mut pages = self.newest.0.borrow_mut();
        if pages.get(&self.page).is_some_and(|entry| Rc::ptr_eq(entry, &self.own)) {
            pages.remove(&self.page);
        }
    }
}
