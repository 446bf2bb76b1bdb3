//! Where the finished pieces of an experiment go.

/// Takes the pieces of an experiment as they are done, from many threads.
pub trait Keep<L>: Sync {
    /// One more piece is done.
    fn keep(&self, piece: &L);
}

/// Keeps nothing.
impl<L> Keep<L> for () {
    fn keep(&self, _: &L) {}
}
