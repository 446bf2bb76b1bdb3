//! Builds the extension module among the tests.
