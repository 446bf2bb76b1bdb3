//! x
use crate::commands::gauge::Report;
pub(crate) fn html(_: &Report) -> String { String::new() }
