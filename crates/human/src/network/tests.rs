//! Tests of networks against the oracle, of files that the tests write, and of damaged files.

use std::io::Write;
use std::path::Path;

use cozy_chess::Board;
use cozy_chess::util::parse_uci_move;
use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;

use super::file::{BYTES_MAX, Parts};
use super::*;

/// Kind of a network that the tests make.
#[derive(Clone, Copy, Debug)]
struct Kind {
    filters: usize,
    blocks: usize,
    /// Hidden units of squeeze-and-excitation; 0 for none.
    hidden: usize,
    /// Planes of a dense policy; 0 for a convolutional one.
    dense: usize,
    normalised: bool,
}

const SMALL: Kind = Kind { filters: 5, blocks: 2, hidden: 3, dense: 0, normalised: true };

/// Writer of the format, with random weights.
struct Writer {
    random: u64,
}

impl Writer {
    fn next(&mut self) -> u64 {
        // SplitMix64 (Steele, Lea and Flood 2014).
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn layer(&mut self, count: usize, least: f32, greatest: f32) -> Vec<u8> {
        let mut params = Vec::new();
        for _ in 0..count {
            params.extend((self.next() as u16).to_le_bytes());
        }
        let mut layer = vec![0x0d];
        layer.extend(least.to_le_bytes());
        layer.push(0x15);
        layer.extend(greatest.to_le_bytes());
        layer.extend(message(3, &params));
        layer
    }

    fn block(&mut self, inputs: usize, outputs: usize, side: usize, normalised: bool) -> Vec<u8> {
        let width = (3.0 / (inputs * side * side) as f32).sqrt();
        let mut block = message(1, &self.layer(outputs * inputs * side * side, -width, width));
        if normalised {
            block.extend(message(3, &self.layer(outputs, -0.5, 0.5)));
            block.extend(message(4, &self.layer(outputs, 0.1, 2.0)));
            block.extend(message(5, &self.layer(outputs, -1.5, 1.5)));
            block.extend(message(6, &self.layer(outputs, -0.5, 0.5)));
        } else {
            block.extend(message(2, &self.layer(outputs, -0.5, 0.5)));
        }
        block
    }

    fn network(&mut self, kind: Kind) -> Vec<u8> {
        let Kind { filters, blocks, hidden, dense, normalised } = kind;
        let mut weights = message(1, &self.block(INPUTS, filters, 3, normalised));
        for _ in 0..blocks {
            let mut block = message(1, &self.block(filters, filters, 3, normalised));
            block.extend(message(2, &self.block(filters, filters, 3, normalised)));
            if hidden > 0 {
                let mut unit = message(1, &self.layer(hidden * filters, -1.0, 1.0));
                unit.extend(message(2, &self.layer(hidden, -0.5, 0.5)));
                unit.extend(message(3, &self.layer(2 * filters * hidden, -1.0, 1.0)));
                unit.extend(message(4, &self.layer(2 * filters, -0.5, 0.5)));
                block.extend(message(3, &unit));
            }
            weights.extend(message(2, &block));
        }
        if dense > 0 {
            weights.extend(message(3, &self.block(filters, dense, 1, normalised)));
            weights.extend(message(4, &self.layer(MOVES * dense * 64, -0.2, 0.2)));
            weights.extend(message(5, &self.layer(MOVES, -0.5, 0.5)));
        } else {
            weights.extend(message(11, &self.block(filters, filters, 3, normalised)));
            weights.extend(message(3, &self.block(filters, 80, 3, false)));
        }
        // A value head, which is read past.
        weights.extend(message(6, &self.block(filters, 4, 1, normalised)));
        let (structure, policy) = (if hidden > 0 { 4 } else { 3 }, if dense > 0 { 1 } else { 2 });
        file(&format(&[(1, 1), (2, 2), (3, structure), (4, policy), (5, 2)]), &weights)
    }
}

fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

fn message(number: u64, bytes: &[u8]) -> Vec<u8> {
    [varint(number << 3 | 2), varint(bytes.len() as u64), bytes.to_vec()].concat()
}

/// Format with these fields of `NetworkFormat`.
fn format(fields: &[(u64, u64)]) -> Vec<u8> {
    let network: Vec<u8> = fields
        .iter()
        .flat_map(|(number, value)| [varint(number << 3), varint(*value)].concat())
        .collect();
    [vec![0x08, 0x01], message(2, &network)].concat()
}

fn file(format: &[u8], weights: &[u8]) -> Vec<u8> {
    let mark = [0x0d, 0xc0, 0x01, 0x00, 0x00];
    [mark.to_vec(), message(2, b"CC0"), message(4, format), message(10, weights)].concat()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// History of a game of random moves.
fn random_game(random: u64, plies: usize) -> ChessHistory {
    let mut writer = Writer { random };
    let mut history = ChessHistory::new(Board::default());
    for _ in 0..plies {
        let moves = history.legal_moves();
        if moves.is_empty() {
            break;
        }
        history.play(moves[writer.next() as usize % moves.len()]);
    }
    history
}

/// Greatest difference of two lists of logits, relative to the greatest logit or 1.
fn difference(fast: &[f32], slow: &[f64]) -> f64 {
    let scale = slow.iter().fold(1.0_f64, |scale, value| scale.max(value.abs()));
    let differences = fast.iter().zip(slow).map(|(fast, slow)| (f64::from(*fast) - slow).abs());
    differences.fold(0.0, f64::max) / scale
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// The fast path computes what the oracle does, for networks of every kind.
    #[test]
    fn fast_and_slow_networks_agree(
        random in any::<u64>(),
        filters in 1_usize..20,
        blocks in 0_usize..3,
        hidden in 0_usize..4,
        dense in 0_usize..4,
        normalised in any::<bool>(),
        boards in 1_usize..6,
    ) {
        let kind = Kind { filters, blocks, hidden, dense, normalised };
        let bytes = Writer { random }.network(kind);
        let parts = Parts::read(&gzip(&bytes)).unwrap();
        let network = Network::read(&bytes).unwrap();
        prop_assert_eq!((network.filters(), network.blocks()), (filters, blocks));
        let games: Vec<ChessHistory> =
            (0..boards).map(|n| random_game(random ^ n as u64, 3 * n + 5)).collect();
        let batch: Vec<&ChessHistory> = games.iter().collect();
        let fast = network.logits(&batch, &mut Room::default());
        for (history, fast) in games.iter().zip(&fast) {
            let mut planes = vec![0.0; SQUARES * INPUTS];
            planes::encode(history, HistoryFill::FenOnly, &mut planes);
            let slow = oracle::logits(&parts, &planes);
            prop_assert_eq!(slow.len(), fast.len());
            let difference = difference(fast, &slow);
            prop_assert!(difference < 1e-4, "{difference} of {kind:?}");
            let spread = slow.iter().fold(0.0_f64, |most, value| most.max((value - slow[0]).abs()));
            prop_assert!(spread > 1e-3, "the network says something");
        }
    }

    /// The answer for a position does not depend on the batch.
    #[test]
    fn batches_change_nothing(random in any::<u64>(), boards in 1_usize..10) {
        let network = Network::read(&Writer { random }.network(SMALL)).unwrap();
        let games: Vec<ChessHistory> =
            (0..boards).map(|n| random_game(random ^ n as u64, 7 * n)).collect();
        let batch: Vec<&ChessHistory> = games.iter().collect();
        let together = network.predict_all(&batch, 1500.0);
        prop_assert_eq!(together.len(), boards);
        for (history, answer) in games.iter().zip(together) {
            prop_assert_eq!(&network.predict(history, 1500.0), &answer);
            prop_assert_eq!(answer.len(), history.legal_moves().len());
            let sum: f64 = answer.iter().map(|one| one.probability).sum();
            prop_assert!(answer.is_empty() || (sum - 1.0).abs() < 1e-9, "{sum}");
        }
    }

    /// Damage gives an error or a network whose answers are probabilities, never a panic.
    #[test]
    fn damaged_files_do_not_panic(
        random in any::<u64>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        end in prop::option::of(any::<prop::sample::Index>()),
        compressed in any::<bool>(),
    ) {
        let mut bytes = Writer { random }.network(Kind { filters: 2, blocks: 1, ..SMALL });
        if compressed {
            bytes = gzip(&bytes);
        }
        for (index, byte) in changes {
            // Most of the structure is at the beginning.
            let reach = if byte % 2 == 0 { bytes.len().min(100) } else { bytes.len() };
            bytes[index.index(reach)] = byte;
        }
        if let Some(end) = end {
            bytes.truncate(end.index(bytes.len()));
        }
        if let Ok(network) = Network::read(&bytes) {
            let answer = network.predict(&random_game(random, 9), 1500.0);
            let sum: f64 = answer.iter().map(|one| one.probability).sum();
            prop_assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        }
    }
}

/// Every beginning of a file is refused: none is taken for the whole.
#[test]
fn no_beginning_of_a_file_is_a_network() {
    let whole = Writer { random: 7 }.network(Kind { filters: 1, blocks: 1, ..SMALL });
    let packed = gzip(&whole);
    for bytes in [&whole, &packed] {
        Network::read(bytes).unwrap();
        for end in (0..bytes.len()).step_by(bytes.len() / 150) {
            assert!(Network::read(&bytes[..end]).is_err(), "{end} of {}", bytes.len());
        }
    }
}

/// Each fault has a sentence that says what it is.
#[test]
fn faults_are_named() {
    let weights = {
        let whole = Writer { random: 1 }.network(SMALL);
        let begin = file(&format(&[(1, 1), (2, 2), (3, 4), (4, 2), (5, 2)]), &[]).len() - 2;
        let length_bytes = varint((whole.len() - begin) as u64).len();
        whole[begin + 1 + length_bytes..].to_vec()
    };
    let of = |fields: &[(u64, u64)]| file(&format(fields), &weights);
    let good = [(1, 1), (3, 4), (4, 2)];
    Network::read(&of(&good)).unwrap();
    let mut packed = gzip(&of(&good));
    let middle = packed.len() / 2;
    packed[middle] ^= 0x55;
    let no_encoding = {
        let network = message(2, &[0x08, 1, 0x18, 4, 0x20, 2]);
        file(&network, &weights)
    };
    let huge_length =
        [file(&format(&good), &[]), vec![0x52, 0xff, 0xff, 0xff, 0xff, 0x7f]].concat();
    let many_blocks = file(&format(&good), &[0x12, 0x00].repeat(100));
    for (bytes, part) in [
        (packed, "gzip"),
        (b"hello, world".to_vec(), "not a network of Lc0"),
        (Vec::new(), "not a network of Lc0"),
        (gzip(b"1\n0.1 0.2"), "not a network of Lc0"),
        (of(&[(1, 1), (3, 6), (4, 3)]), "an attention body"),
        (of(&[(1, 1), (3, 5)]), "an ONNX model"),
        (of(&[(1, 1), (3, 4), (4, 3)]), "a policy head with attention"),
        (of(&[(1, 1), (3, 4), (4, 0)]), "unknown policy head 0"),
        (of(&[(1, 4), (3, 4), (4, 2)]), "input format 4"),
        (of(&[(1, 1), (3, 4), (4, 2), (7, 1)]), "Mish"),
        (of(&[(1, 1), (3, 99), (4, 2)]), "unknown structure 99"),
        (of(&[(1, 1), (3, 4), (4, 1)]), "the policy block has 3600 weights"),
        (no_encoding, "encoding 0"),
        (file(&format(&good), &[]), "the input block has 0 weights"),
        (huge_length, "reaches beyond its end"),
        (many_blocks, "more than 64 residual blocks"),
        (file(&format(&good), &message(27, &[])), "attention"),
        (vec![0; BYTES_MAX as usize + 1], "larger than 64 MiB"),
        (gzip(&vec![0; BYTES_MAX as usize + 1]), "larger than 64 MiB"),
    ] {
        let error = Network::read(&bytes).unwrap_err().to_string();
        assert!(error.contains(part), "{part}: {error}");
        assert!(!error.contains('\n') && error.len() < 200, "{error}");
    }
}

/// A layer whose range is not finite is refused; weights of any size give probabilities.
#[test]
fn great_weights_give_probabilities() {
    let mut writer = Writer { random: 3 };
    let mut weights = message(1, &message(1, &writer.layer(2 * INPUTS * 9, -1e38, 1e38)));
    for number in [11, 3] {
        let outputs = if number == 3 { 80 } else { 2 };
        let layer = writer.layer(outputs * 2 * 9, -1e38, 1e38);
        weights.extend(message(number, &message(1, &layer)));
    }
    let network = Network::read(&file(&format(&[(1, 1), (3, 3), (4, 2)]), &weights)).unwrap();
    let answer = network.predict(&random_game(1, 10), 1500.0);
    let sum: f64 = answer.iter().map(|one| one.probability).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{answer:?}");

    let infinite = message(1, &message(1, &writer.layer(2 * INPUTS * 9, -1.0, f32::INFINITY)));
    let error = Network::read(&file(&format(&[(1, 1), (3, 3), (4, 2)]), &infinite)).unwrap_err();
    assert!(error.to_string().contains("not finite"), "{error}");
}

/// Kind of the network in `testdata/human`.
const COMMITTED: Kind = Kind { filters: 4, blocks: 1, hidden: 2, dense: 0, normalised: true };

fn testdata(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/human");
    std::fs::read(folder.join(name)).unwrap()
}

/// `testdata/human` has a network that the tests made, and the probabilities that `reference.py`
/// there gives for some positions.
#[test]
fn a_second_implementation_agrees() {
    let network = testdata("small.pb.gz");
    let [positions, probabilities] = ["positions.txt", "probabilities.txt"]
        .map(|name| String::from_utf8(testdata(name)).unwrap());
    let written = Writer { random: 2020 }.network(COMMITTED);
    let parts = [&written[..], &network].map(|bytes| Parts::read(bytes).unwrap());
    assert_eq!(format!("{:?}", parts[0]), format!("{:?}", parts[1]), "the tests made the file");
    let network = Network::read(&network).unwrap();
    let mut count = 0;
    for (line, wanted) in positions.lines().zip(probabilities.lines()) {
        let (fen, moves) = line.split_once(';').unwrap();
        let mut history = ChessHistory::new(fen.parse().unwrap());
        for word in moves.split_whitespace() {
            let played = parse_uci_move(history.board(), word).unwrap();
            history.play(played);
        }
        let answer = network.predict(&history, 1500.0);
        assert_eq!(answer.len(), wanted.split_whitespace().count(), "{line}");
        for word in wanted.split_whitespace() {
            let (played, probability) = word.split_once('=').unwrap();
            let played = parse_uci_move(history.board(), played).unwrap();
            let ours = answer.iter().find(|one| one.played == played).unwrap().probability;
            let probability: f64 = probability.parse().unwrap();
            assert!((ours - probability).abs() < 1e-5, "{line}: {word}, {ours}");
            count += 1;
        }
    }
    assert_eq!(positions.lines().count(), probabilities.lines().count());
    assert!(count > 1_000, "{count}");
}
