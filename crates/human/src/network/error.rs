//! Reasons that a file is not a network that can be used.

use thiserror::Error;

/// Reason that a file is not a network that can be used here.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file, or what it holds after decompression, is larger than the limit.
    #[error(
        "the network is larger than {} MiB; use a smaller one, such as Maia's of 64 filters and 6 blocks",
        bytes_max / (1 << 20)
    )]
    TooLarge {
        /// The limit.
        bytes_max: u64,
    },
    /// The gzip data are damaged or end early.
    #[error("the gzip data are damaged or incomplete ({reason}); get the file again")]
    Gzip {
        /// Reason that the decompressor gives.
        reason: String,
    },
    /// The file does not begin as a network of Lc0.
    #[error(
        "the file is not a network of Lc0: it does not begin with their mark 0x1c0; such files usually end in .pb.gz"
    )]
    NotANetwork,
    /// The bytes are not the protobuf message that they should be.
    #[error("{part} is damaged or incomplete: {reason} at byte {offset}; get the file again")]
    Damaged {
        /// Part of the network.
        part: String,
        /// Fault.
        reason: &'static str,
        /// Place in the decompressed file.
        offset: usize,
    },
    /// The network is of a kind that is not supported.
    #[error("the network has {found}, which is not supported; {needed}")]
    Unsupported {
        /// Property of the network.
        found: String,
        /// Property that is needed.
        needed: &'static str,
    },
    /// A layer has a number of weights that does not fit the others, or is missing.
    #[error("{layer} has {values} weights instead of {wanted}; get the file again")]
    Shape {
        /// Layer.
        layer: String,
        /// Number of weights in the file.
        values: usize,
        /// Number of weights that fits the other layers.
        wanted: String,
    },
    /// A normalisation has a variance that is not positive, or weights beyond all numbers.
    #[error(
        "the normalisation of {layer} has a variance below 0 or too large a factor; get the file again"
    )]
    Variance {
        /// Layer.
        layer: String,
    },
}
