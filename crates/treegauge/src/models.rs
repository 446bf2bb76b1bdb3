//! Files of models: reading and writing them.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::Read;
use std::path::Path;
use std::sync::LazyLock;

use serde::Serialize;
use serde::de::DeserializeOwned;
use treegauge_core::ReportKind;
use treegauge_dataset::vet::Model;
use treegauge_report::check_bounds;
use treegauge_store::read;
use xxhash_rust::xxh3::xxh3_64;

use crate::{Error, ErrorKind};

/// Greatest length of a model's file, and of its uncompressed text, in bytes: ten times the longest
/// text of a model that ships with the program.
pub(crate) const MODEL_BYTES_MAX: u64 = 64 << 20;

/// First bytes of a file that zstd compressed.
pub(crate) const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// A model with the digest of its text.
#[derive(Clone, Debug)]
pub struct StoredModel {
    /// The model.
    pub model: Model,
    /// XXH3 digest of the JSON of the model, as 16 hexadecimal digits.
    pub digest: String,
}

/// File content of a model: its JSON, with `compressed` as a zstd stream.
#[must_use]
pub fn model_file(model: &Model, compressed: bool) -> Vec<u8> {
    file_of(model, compressed)
}

/// File content of a model of any kind.
pub(crate) fn file_of<M: Serialize>(model: &M, compressed: bool) -> Vec<u8> {
    let mut text = serde_json::to_vec(model).expect("a model is JSON");
    text.push(b'\n');
    if compressed {
        return zstd::bulk::compress(&text, 19).expect("compression into memory does not fail");
    }
    text
}

/// Reason why the text of a file is not a model. Words of the JSON reader that would not help are
/// left out.
pub(crate) fn unread(error: &serde_json::Error) -> String {
    if !error.is_data() {
        return "it is not a file that `train` wrote, or only a part of one".to_owned();
    }
    // Models are one line, so the place of the error does not help.
    let words = error.to_string();
    words.split(" at line ").next().unwrap_or(&words).to_owned()
}

/// Bytes of a file, decompressed if zstd compressed them.
///
/// # Errors
///
/// If they cannot be decompressed, or the result is longer than `bytes_max`.
pub(crate) fn expanded(bytes: &[u8], bytes_max: u64) -> Result<Cow<'_, [u8]>, String> {
    if !bytes.starts_with(&ZSTD_MAGIC) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut out = Vec::new();
    let damaged = |_| "its compressed text is damaged".to_owned();
    let decoder = zstd::Decoder::new(bytes).map_err(damaged)?;
    decoder.take(bytes_max + 1).read_to_end(&mut out).map_err(damaged)?;
    if out.len() as u64 > bytes_max {
        return Err("its text is too long".to_owned());
    }
    Ok(Cow::Owned(out))
}

/// Origin of the bytes of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModelOrigin {
    /// A file, which may be damaged.
    File,
    /// The program, whose tests read the same bytes as a file.
    Program,
}

/// Reads a model of any kind from the bytes of its file. Also returns the digest of its text.
///
/// # Errors
///
/// If they are not a model of the kind, or a model of another schema or with numbers that no
/// training produces.
pub(crate) fn parsed<M: ReportKind>(
    bytes: &[u8],
    origin: ModelOrigin,
    read: fn(&[u8]) -> Result<M, serde_json::Error>,
) -> Result<(M, String), Error> {
    let bad = |error: String| Error::new(ErrorKind::Data, format!("not a model: {error}"));
    let text = expanded(bytes, MODEL_BYTES_MAX).map_err(bad)?;
    // It takes as long as reading the model.
    if origin == ModelOrigin::File {
        check_bounds(&text).map_err(|error| bad(unread(&error)))?;
    }
    let model = read(&text).map_err(|error| bad(unread(&error)))?;
    model.check().map_err(bad)?;
    Ok((model, digest_of(&text)))
}
/// Checks that the file of a model reads back as the same model. It cannot hold numbers that are
/// not finite.
pub(crate) fn check_reads_back<M>(model: &M) -> Result<(), Error>
where
    M: Serialize + DeserializeOwned + PartialEq,
{
    let again = serde_json::from_slice::<M>(&file_of(model, false));
    if again.is_ok_and(|again| again == *model) {
        return Ok(());
    }
    let message = "no model can be learned: it would have numbers that are not finite, since the data have some that are too large";
    Err(Error::new(ErrorKind::Data, message))
}

/// File of the model that ships with the program.
static STANDARD_BYTES: &[u8] = include_bytes!("../data/standard.model.zst");

impl StoredModel {
    /// Wraps a newly trained model.
    ///
    /// # Errors
    ///
    /// If it has numbers that are not finite, which its file could not hold.
    pub fn of(model: Model) -> Result<StoredModel, Error> {
        check_reads_back(&model)?;
        let digest = digest_of(&model_file(&model, false));
        Ok(StoredModel { model, digest })
    }

    /// Reads a model from the bytes of its file.
    ///
    /// # Errors
    ///
    /// If they are not a model, or one of another schema.
    pub fn parse(bytes: &[u8]) -> Result<StoredModel, Error> {
        StoredModel::of_bytes(bytes, ModelOrigin::File)
    }

    fn of_bytes(bytes: &[u8], origin: ModelOrigin) -> Result<StoredModel, Error> {
        let (model, digest) = parsed(bytes, origin, Model::of_json)?;
        Ok(StoredModel { model, digest })
    }

    /// Reads a model from its file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is not a model.
    pub fn read(path: &Path) -> Result<StoredModel, Error> {
        let data = |error: &dyn Display| {
            Error::new(ErrorKind::Data, format!("{}: {error}", path.display()))
        };
        let bytes = read(path, MODEL_BYTES_MAX).map_err(|error| data(&error))?;
        StoredModel::parse(&bytes).map_err(|error| data(&error))
    }

    /// Model that ships with the program.
    #[must_use]
    pub fn standard() -> &'static StoredModel {
        static STANDARD: LazyLock<StoredModel> = LazyLock::new(|| {
            StoredModel::of_bytes(STANDARD_BYTES, ModelOrigin::Program)
                .expect("the model next to the code is one")
        });
        &STANDARD
    }
}

pub(crate) fn digest_of(text: &[u8]) -> String {
    format!("{:016x}", xxh3_64(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::StoredRatingModel;
    use crate::difficulty::STANDARD_BYTES as RATING_MODEL_BYTES;

    /// At a start the program does not compare the numbers of its own models with their ranges.
    #[test]
    fn the_models_of_the_program_are_read_as_those_of_files() {
        let (standard, read) =
            (StoredModel::standard(), StoredModel::parse(STANDARD_BYTES).unwrap());
        assert!(read.model == standard.model && read.digest == standard.digest);
        let (standard, read) =
            (StoredRatingModel::standard(), StoredRatingModel::parse(RATING_MODEL_BYTES).unwrap());
        assert!(read.model == standard.model && read.digest == standard.digest);
    }
}
