//! Reader of networks in the format of Lc0. A valid network predicts a move at once.

use std::path::Path;

use anyhow::Result;
use treegauge_human::{ChessHistory, MovePredictor, Network};

use super::Reader;

/// Reader of networks, compressed and not.
pub(super) struct HumanNetwork;

const SMALL: &[u8] = include_bytes!("../../../../testdata/human/small.pb.gz");

impl Reader for HumanNetwork {
    fn name(&self) -> &'static str {
        "network"
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        // Damage to the second one reaches the fields: gzip has a checksum.
        Ok(vec![SMALL.to_vec(), Network::decompressed(SMALL)?])
    }

    fn read(&self, bytes: &[u8], _: &Path) -> bool {
        let Ok(network) = Network::read(bytes) else { return false };
        let answer = network.predict(&ChessHistory::default(), 1500.0);
        let sum: f64 = answer.iter().map(|one| one.probability).sum();
        assert!(answer.len() == 20 && (sum - 1.0).abs() < 1e-9, "probabilities {answer:?}");
        true
    }
}
