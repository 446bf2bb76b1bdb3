//! Playouts, UCT trees, self-play, and the shape of a search tree.
