//! Reader of the format of Lc0: gzip of the protobuf message `Net` of lczero-common.
//!
//! | message | fields used, by number |
//! |---|---|
//! | `Net` | 1 mark (`0x1c0`), 4 `Format`, 10 `Weights` |
//! | `Format` | 1 encoding of weights (1: LINEAR16), 2 `NetworkFormat` |
//! | `NetworkFormat` | 1 input (1: classical), 3 structure (1 to 4), 4 policy (1: dense, 2: convolution), 7 activation (0: ReLU) |
//! | `Weights` | 1 input block, 2 residual blocks, 3 policy block, 4 and 5 dense policy, 11 first policy block |
//! | residual block | 1 and 2 convolutions, 3 squeeze-and-excitation |
//! | convolution | 1 weights, 2 biases, 3 means, 4 variances, 5 gammas, 6 betas |
//! | squeeze-and-excitation | 1 and 3 weights, 2 and 4 biases |
//! | layer | 1 least value, 2 greatest value, 3 values as 16 bits each, little endian |
//!
//! A value `u` of LINEAR16 stands for `least + (greatest - least) u / 65535`. The fields of the value
//! head and of training are read past.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::error::NetworkError;
use super::wire::{Fault, Message, Value};
use super::{INPUTS, MOVES, POLICY_PLANES, SQUARES};

/// Greatest size of a network before and after decompression: 47 MB are 20 blocks of 256 filters.
/// In memory the weights take eight times as much.
pub(super) const BYTES_MAX: u64 = 64 << 20;

const FILTERS_MAX: usize = 512;
const BLOCKS_MAX: usize = 64;
const DENSE_PLANES_MAX: usize = 128;
const MARK: u32 = 0x1c0;

/// Weights of a network as the file has them.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    pub(super) filters: usize,
    pub(super) input: Block,
    pub(super) residuals: Vec<Residual>,
    pub(super) policy: Policy,
}

/// Convolution with its normalisation.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    /// `outputs x inputs x side x side`.
    pub(super) weights: Vec<f32>,
    /// One per output.
    pub(super) biases: Vec<f32>,
    /// Statistics of the batch normalisation: means, variances, gammas, betas, one each per output.
    pub(super) normalisation: Option<[Vec<f32>; 4]>,
}

/// Two convolutions that are added to their input.
#[derive(Clone, Debug)]
pub(super) struct Residual {
    pub(super) first: Block,
    pub(super) second: Block,
    pub(super) excitation: Option<Excitation>,
}

/// Squeeze-and-excitation (Hu and others 2018) with gains and offsets.
#[derive(Clone, Debug, Default)]
pub(super) struct Excitation {
    /// `hidden x filters`.
    pub(super) squeeze: Vec<f32>,
    /// One per hidden unit.
    pub(super) squeeze_biases: Vec<f32>,
    /// `2 filters x hidden`: gains, then offsets.
    pub(super) excite: Vec<f32>,
    /// `2 filters`.
    pub(super) excite_biases: Vec<f32>,
}

/// Policy head.
#[derive(Clone, Debug)]
pub(super) enum Policy {
    /// Convolution of the tower, then one to 80 planes.
    Convolution { hidden: Block, planes: Block },
    /// Convolution by single squares, then a dense layer to 1,858 moves.
    Dense {
        planes: Block,
        /// `1858 x planes x 64`.
        weights: Vec<f32>,
        biases: Vec<f32>,
    },
}

/// Decompresses a file, up to [`BYTES_MAX`]. Bytes that are not gzip are returned as they are.
pub(super) fn decompressed(bytes: &[u8]) -> Result<Vec<u8>, NetworkError> {
    let too_large = NetworkError::TooLarge { bytes_max: BYTES_MAX };
    if bytes.len() as u64 > BYTES_MAX {
        return Err(too_large);
    }
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes.to_vec());
    }
    let mut whole = Vec::new();
    MultiGzDecoder::new(bytes)
        .take(BYTES_MAX + 1)
        .read_to_end(&mut whole)
        .map_err(|error| NetworkError::Gzip { reason: error.to_string() })?;
    if whole.len() as u64 > BYTES_MAX { Err(too_large) } else { Ok(whole) }
}

impl Parts {
    pub(super) fn read(file: &[u8]) -> Result<Parts, NetworkError> {
        let whole = decompressed(file)?;
        let net = Message::new(&whole);
        // The mark is the first field.
        if !whole.starts_with(&[0x0d]) || whole.get(1..5) != Some(&MARK.to_le_bytes()[..]) {
            return Err(NetworkError::NotANetwork);
        }
        let (mut format, mut weights) = (None, None);
        for field in net.fields() {
            match field.map_err(|fault| fault.of("the network"))? {
                (4, Value::Bytes(message)) => format = Some(message),
                (10, Value::Bytes(message)) => weights = Some(message),
                (11, Value::Bytes(_)) => {
                    return Err(unsupported("an ONNX model".into(), NETWORKS));
                }
                _ => {}
            }
        }
        let format = match format {
            Some(format) => Format::read(format).map_err(|fault| fault.of("the format"))?,
            None => Format::default(),
        };
        let has_dense_policy = format.check()?;
        let Some(weights) = weights else {
            return Err(net.fault("it has no weights").of("the network"));
        };
        RawWeights::read(weights)?.checked(has_dense_policy)
    }
}

const NETWORKS: &str =
    "networks of residual blocks of convolutions are, such as Maia's and those of Lc0 up to 2021";

fn unsupported(found: String, needed: &'static str) -> NetworkError {
    NetworkError::Unsupported { found, needed }
}

/// The properties of a network that its format states.
struct Format {
    encoding: u64,
    input: u64,
    structure: u64,
    policy: u64,
    activation: u64,
}

impl Default for Format {
    fn default() -> Format {
        Format { encoding: 0, input: 1, structure: 1, policy: 1, activation: 0 }
    }
}

impl Format {
    fn read(message: Message<'_>) -> Result<Format, Fault> {
        let mut format = Format::default();
        for field in message.fields() {
            match field? {
                (1, Value::Varint(encoding)) => format.encoding = encoding,
                (2, Value::Bytes(network)) => {
                    format = Format { input: 0, structure: 0, policy: 0, activation: 0, ..format };
                    for field in network.fields() {
                        match field? {
                            (1, Value::Varint(input)) => format.input = input,
                            (3, Value::Varint(structure)) => format.structure = structure,
                            (4, Value::Varint(policy)) => format.policy = policy,
                            (7, Value::Varint(activation)) => format.activation = activation,
                            _ => {}
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(format)
    }

    /// Tests whether the policy head is dense. An error if the network is of another kind.
    fn check(&self) -> Result<bool, NetworkError> {
        if self.encoding != 1 {
            let found = format!("weights in encoding {}", self.encoding);
            return Err(unsupported(found, "the encoding LINEAR16 (1) is"));
        }
        match self.structure {
            1..=4 => {}
            5 => return Err(unsupported("an ONNX model".into(), NETWORKS)),
            6 | 7 | 134 => return Err(unsupported("an attention body".into(), NETWORKS)),
            other => {
                let found = format!("the unknown structure {other}");
                return Err(unsupported(found, NETWORKS));
            }
        }
        if self.input != 1 {
            let found = format!("input format {}", self.input);
            return Err(unsupported(found, "the classical 112 planes (1) are"));
        }
        if self.activation != 0 {
            let found = if self.activation == 1 {
                "the activation Mish".to_owned()
            } else {
                format!("the unknown activation {}", self.activation)
            };
            return Err(unsupported(found, "ReLU is"));
        }
        match (self.structure, self.policy) {
            // The first two structures are older than the field.
            (1 | 2, _) | (_, 1) => Ok(true),
            (_, 2) => Ok(false),
            (_, 3) => Err(unsupported("a policy head with attention".into(), "convolutions are")),
            (_, other) => {
                let found = format!("the unknown policy head {other}");
                Err(unsupported(found, "convolutions (2) and dense layers (1) are"))
            }
        }
    }
}

/// Messages of a network before the check of their sizes.
#[derive(Default)]
struct RawWeights {
    input: RawBlock,
    residuals: Vec<RawResidual>,
    hidden: RawBlock,
    policy: RawBlock,
    dense: Vec<f32>,
    dense_biases: Vec<f32>,
}

#[derive(Default)]
struct RawBlock {
    name: String,
    /// Weights, biases, means, variances, gammas, betas.
    layers: [Vec<f32>; 6],
}

#[derive(Default)]
struct RawResidual {
    name: String,
    first: RawBlock,
    second: RawBlock,
    /// Weights and biases of both layers.
    excitation: Option<[Vec<f32>; 4]>,
}

impl RawWeights {
    fn read(message: Message<'_>) -> Result<RawWeights, NetworkError> {
        let mut raw = RawWeights::default();
        for field in message.fields() {
            match field.map_err(|fault| fault.of("the list of layers"))? {
                (1, Value::Bytes(block)) => raw.input = RawBlock::read(block, "the input block")?,
                (2, Value::Bytes(block)) => {
                    if raw.residuals.len() == BLOCKS_MAX {
                        let found = format!("more than {BLOCKS_MAX} residual blocks");
                        return Err(unsupported(found, "Maia's have 6"));
                    }
                    let name = format!("residual block {}", raw.residuals.len() + 1);
                    raw.residuals.push(RawResidual::read(block, name)?);
                }
                (3, Value::Bytes(block)) => {
                    raw.policy = RawBlock::read(block, "the policy block")?;
                }
                (4, Value::Bytes(layer)) => raw.dense = values(layer, "the dense policy")?,
                (5, Value::Bytes(layer)) => {
                    raw.dense_biases = values(layer, "the biases of the dense policy")?;
                }
                (11, Value::Bytes(block)) => {
                    raw.hidden = RawBlock::read(block, "the first policy block")?;
                }
                (21 | 27, _) => return Err(unsupported("layers of attention".into(), NETWORKS)),
                _ => {}
            }
        }
        Ok(raw)
    }

    fn checked(self, has_dense_policy: bool) -> Result<Parts, NetworkError> {
        let filters = self.input.layers[0].len() / (INPUTS * 9);
        if !(1..=FILTERS_MAX).contains(&filters) {
            return Err(NetworkError::Shape {
                layer: self.input.name_or("the input block"),
                values: self.input.layers[0].len(),
                wanted: format!("1,008 for each of 1 to {FILTERS_MAX} filters"),
            });
        }
        let input = self.input.checked("the input block", INPUTS, filters, 3)?;
        let residuals = self
            .residuals
            .into_iter()
            .map(|block| block.checked(filters))
            .collect::<Result<_, _>>()?;
        let policy = if has_dense_policy {
            let planes = self.policy.layers[0].len() / filters;
            if !(1..=DENSE_PLANES_MAX).contains(&planes) {
                return Err(NetworkError::Shape {
                    layer: self.policy.name_or("the policy block"),
                    values: self.policy.layers[0].len(),
                    wanted: format!("{filters} for each of 1 to {DENSE_PLANES_MAX} planes"),
                });
            }
            Policy::Dense {
                planes: self.policy.checked("the policy block", filters, planes, 1)?,
                weights: sized(self.dense, "the dense policy", MOVES * planes * SQUARES)?,
                biases: sized(self.dense_biases, "the biases of the dense policy", MOVES)?,
            }
        } else {
            Policy::Convolution {
                hidden: self.hidden.checked("the first policy block", filters, filters, 3)?,
                planes: self.policy.checked("the policy block", filters, POLICY_PLANES, 3)?,
            }
        };
        Ok(Parts { filters, input, residuals, policy })
    }
}

impl RawResidual {
    fn read(message: Message<'_>, name: String) -> Result<RawResidual, NetworkError> {
        let mut raw = RawResidual::default();
        for field in message.fields() {
            match field.map_err(|fault| fault.of(&name))? {
                (1, Value::Bytes(block)) => raw.first = RawBlock::read(block, &name)?,
                (2, Value::Bytes(block)) => raw.second = RawBlock::read(block, &name)?,
                (3, Value::Bytes(unit)) => {
                    let mut layers: [Vec<f32>; 4] = Default::default();
                    for field in unit.fields() {
                        if let (number @ 1..=4, Value::Bytes(layer)) =
                            field.map_err(|fault| fault.of(&name))?
                        {
                            layers[number as usize - 1] = values(layer, &name)?;
                        }
                    }
                    raw.excitation = Some(layers);
                }
                _ => {}
            }
        }
        raw.name = name;
        Ok(raw)
    }

    fn checked(self, filters: usize) -> Result<Residual, NetworkError> {
        let name = self.name;
        let excitation = match self.excitation {
            Some([squeeze, squeeze_biases, excite, excite_biases]) => {
                let hidden = squeeze_biases.len();
                let name = format!("the squeeze-and-excitation of {name}");
                if !(1..=FILTERS_MAX).contains(&hidden) {
                    let wanted = format!("1 to {FILTERS_MAX}");
                    return Err(NetworkError::Shape { layer: name, values: hidden, wanted });
                }
                Some(Excitation {
                    squeeze: sized(squeeze, &name, hidden * filters)?,
                    squeeze_biases,
                    excite: sized(excite, &name, 2 * filters * hidden)?,
                    excite_biases: sized(excite_biases, &name, 2 * filters)?,
                })
            }
            None => None,
        };
        Ok(Residual {
            first: self.first.checked(&name, filters, filters, 3)?,
            second: self.second.checked(&name, filters, filters, 3)?,
            excitation,
        })
    }
}

impl RawBlock {
    fn read(message: Message<'_>, name: &str) -> Result<RawBlock, NetworkError> {
        let mut raw = RawBlock { name: name.to_owned(), ..RawBlock::default() };
        for field in message.fields() {
            if let (number @ 1..=6, Value::Bytes(layer)) = field.map_err(|fault| fault.of(name))? {
                raw.layers[number as usize - 1] = values(layer, name)?;
            }
        }
        Ok(raw)
    }

    fn name_or(&self, other: &str) -> String {
        if self.name.is_empty() { other.to_owned() } else { self.name.clone() }
    }

    fn checked(
        self,
        name: &str,
        inputs: usize,
        outputs: usize,
        side: usize,
    ) -> Result<Block, NetworkError> {
        let [weights, biases, means, variances, gammas, betas] = self.layers;
        let or = |values: Vec<f32>, missing: f32| {
            if values.is_empty() { vec![missing; outputs] } else { values }
        };
        let part = |what: &str| format!("{what} of {name}");
        let normalisation = if means.is_empty() && variances.is_empty() {
            None
        } else {
            Some([
                sized(means, &part("the means"), outputs)?,
                sized(variances, &part("the variances"), outputs)?,
                // Networks before Lc0 0.20 have neither.
                sized(or(gammas, 1.0), &part("the gammas"), outputs)?,
                sized(or(betas, 0.0), &part("the betas"), outputs)?,
            ])
        };
        Ok(Block {
            weights: sized(weights, name, outputs * inputs * side * side)?,
            biases: sized(or(biases, 0.0), &part("the biases"), outputs)?,
            normalisation,
        })
    }
}

fn sized(values: Vec<f32>, layer: &str, wanted: usize) -> Result<Vec<f32>, NetworkError> {
    if values.len() == wanted {
        return Ok(values);
    }
    Err(NetworkError::Shape {
        layer: layer.to_owned(),
        values: values.len(),
        wanted: wanted.to_string(),
    })
}

/// Weights of a layer.
fn values(layer: Message<'_>, name: &str) -> Result<Vec<f32>, NetworkError> {
    let (mut least, mut greatest, mut params) = (0.0, 0.0, None);
    for field in layer.fields() {
        match field.map_err(|fault| fault.of(name))? {
            (1, Value::Four(bytes)) => least = f32::from_le_bytes(bytes),
            (2, Value::Four(bytes)) => greatest = f32::from_le_bytes(bytes),
            (3, Value::Bytes(message)) => params = Some(message),
            (4, Value::Varint(encoding)) if encoding > 1 => {
                let found = format!("weights in encoding {encoding}");
                return Err(unsupported(found, "the encoding LINEAR16 (1) is"));
            }
            _ => {}
        }
    }
    let Some(params) = params else { return Ok(Vec::new()) };
    if !(least.is_finite() && greatest.is_finite()) {
        return Err(layer.fault("the range of its weights is not finite").of(name));
    }
    let (pairs, []) = params.bytes().as_chunks::<2>() else {
        return Err(params.fault("the weights have an odd number of bytes").of(name));
    };
    let (least, width) = (f64::from(least), f64::from(greatest) - f64::from(least));
    let value = |pair: &[u8; 2]| {
        let share = f64::from(u16::from_le_bytes(*pair)) / 65535.0;
        (least + width * share) as f32
    };
    Ok(pairs.iter().map(value).collect())
}
