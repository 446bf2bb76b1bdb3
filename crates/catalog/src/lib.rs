//! Every game by name: families, parameters, presets, and the visitor that leads to their code.
