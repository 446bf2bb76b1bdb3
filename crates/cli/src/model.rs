//! Models that commands ask.

use std::borrow::Cow;
use std::path::Path;

use treegauge::StoredModel;

use crate::exit::Failure;
use crate::files::to_read;

/// The model of a file; without one, the model of this program.
pub(crate) fn read_model(path: Option<&Path>) -> Result<Cow<'static, StoredModel>, Failure> {
    let Some(path) = path else { return Ok(Cow::Borrowed(StoredModel::standard())) };
    to_read(path)?;
    Ok(Cow::Owned(StoredModel::read(path)?))
}
