//! Receivers of the finished pieces of an experiment.

/// Receiver of the pieces of an experiment as they are finished, from many threads.
pub trait PieceSink<L>: Sync {
    /// Receives one finished piece.
    fn keep(&self, piece: &L);
}

/// Receiver that keeps nothing.
impl<L> PieceSink<L> for () {
    fn keep(&self, _: &L) {}
}
