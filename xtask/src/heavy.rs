//! Games with positions that take much time or memory: very many moves, or slow moves.

use std::fs;
use std::path::Path;

use anyhow::Result;

/// Rules texts, by file name.
pub(crate) const TEXTS: [(&str, &str); 6] = [
    // Every position has the greatest allowed number of moves.
    (
        "three.rules",
        "(game \"Three\" (board (grid 10 10)) (play (seq (place) (place) (place))) (end (stuck draw)))",
    ),
    (
        "three_small.rules",
        "(game \"Three small\" (board (grid 8 8)) (play (seq (place) (place) (place))) (end (stuck draw)))",
    ),
    (
        "four_parts.rules",
        "(game \"Four parts\" (board (grid 22 22)) (start (put each stone (home 10)))
          (play (seq (place) (remove theirs) (remove mine) (place)))
          (end (stuck draw)))",
    ),
    ("placed.rules", "(game \"Placed\" (board (grid 22 22)) (play (place)) (end (stuck draw)))"),
    // A search for moves that no position has.
    (
        "never.rules",
        "(game \"Never\" (board (grid 16 16))
          (play (or (seq (place) (place) (place (only-if (> 0 1)))) (place)))
          (end (stuck draw)))",
    ),
    // A slow condition.
    (
        "enclosed.rules",
        "(game \"Enclosed\" (board (grid 22 22)) (play (place))
          (end (if (or (> (count (enclosed (joined (next mine) (not theirs)))) 600)
                       (> (count (enclosed (joined (next mine) (not theirs)))) 601)
                       (> (count (enclosed (joined (next mine) (not theirs)))) 602)
                       (> (count (enclosed (joined (next mine) (not theirs)))) 603)
                       (> (count (enclosed (joined (next mine) (not theirs)))) 604)
                       (> (count (enclosed (joined (next mine) (not theirs)))) 605)
                       (> (count (enclosed (joined (next mine) (not theirs)))) 606)
                       (> (count (enclosed (joined (next mine) (not theirs)))) 607))
                   (win mover))
               (stuck draw)))",
    ),
];

/// Games with very many moves per position. Their solves need memory for the moves. The rules texts
/// lie in the working folder.
pub(crate) const WIDE: [&str; 6] = [
    "forms(rows=10,cols=11)",
    "forms(rows=8,cols=8)",
    "dots_and_boxes(rows=15,cols=15)",
    "rules(file=placed.rules)",
    "rules(file=three.rules)",
    "rules(file=three_small.rules)",
];

/// Writes the rules texts into a folder.
pub(crate) fn write(folder: &Path) -> Result<()> {
    TEXTS.iter().try_for_each(|(name, text)| Ok(fs::write(folder.join(name), text)?))
}
