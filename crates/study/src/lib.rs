//! Experiments that judge games: self-play measurements, their statistics and the verdict.
