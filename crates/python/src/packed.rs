//! Bytes that are compressed the same on every machine.

use std::io::Read;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Level of zstd. Equal bytes compress to equal bytes as long as level and library are the same.
const LEVEL: i32 = 3;

/// The maximum length of decompressed bytes.
const BYTES_MAX: u64 = 1 << 32;

/// Compresses bytes by zstd, with a checksum.
#[pyfunction]
pub(crate) fn compress<'py>(py: Python<'py>, whole: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let packed = py.detach(|| {
        let mut out = zstd::Encoder::new(Vec::new(), LEVEL)?;
        out.include_checksum(true)?;
        std::io::Write::write_all(&mut out, whole)?;
        out.finish()
    });
    Ok(PyBytes::new(py, &packed?))
}

/// Bytes that `compress` has compressed; damaged ones are a `ValueError`.
#[pyfunction]
pub(crate) fn decompress<'py>(py: Python<'py>, packed: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    let whole = py.detach(|| {
        let mut whole = Vec::new();
        let read = zstd::Decoder::new(packed)?.take(BYTES_MAX + 1).read_to_end(&mut whole)?;
        if read as u64 > BYTES_MAX {
            return Err(std::io::Error::other("longer than 4 GiB"));
        }
        Ok(whole)
    });
    let whole = whole.map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(PyBytes::new(py, &whole))
}
