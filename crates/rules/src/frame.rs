//! Table of the words that begin a part of a text but no expression: sections, boards and clauses.
//!
//! The checker knows them by itself; this table describes them to people. [`crate::WORDS`] has all
//! other words.

/// A word that begins a part of a text, and stands within one other word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameWord {
    /// The word itself.
    pub name: &'static str,
    /// Word that it stands in; empty for the first word of a text, and `MOVES` for any word that
    /// makes moves.
    pub within: &'static str,
    /// Word with its arguments, as in [`crate::Word::pattern`].
    pub pattern: &'static str,
    /// Meaning in one sentence without a full stop.
    pub meaning: &'static str,
    /// Example of the part.
    pub example: &'static str,
}

macro_rules! frame {
    ($(within $within:literal: $($name:literal $pattern:literal $meaning:literal, $example:literal;)+)+) => {
        /// All such words, in the order of a text.
        pub static FRAME: &[FrameWord] = &[$($(
            FrameWord {
                name: $name,
                within: $within,
                pattern: $pattern,
                meaning: $meaning,
                example: $example,
            },
        )+)+];
    };
}

// Each entry: the word, its pattern, its meaning and an example; before them the word that they
// stand in.
frame! {
    within "":
        "game" "(game \"NAME\" SECTION ..)" "a game with its name; a text has one", "(game \"Three\" (board (grid 3 3)) (play (place)) (end (if (makes (line 3)) (win mover))))";
    within "game":
        "about" "(about \"TEXT\")" "a text for people", "(about \"Played with stones.\")";
        "options" "(options (NAME N N N) ..)" "numbers that a user may set: default, lowest, highest", "(options (size 5 4 8))";
        "board" "(board BOARD)" "the board; every game has one", "(board (grid 5 5))";
        "pieces" "(pieces (KIND OWNER [(hand N)] [(letter C)]) ..)" "kinds of pieces with their owner: each, first, second or neutral; by default each player has stones", "(pieces (man each) (wall neutral))";
        "start" "(start (put OWNER [KIND] SET) ..)" "where pieces stand before the first move, or the seeds in each pit", "(start (put each man (home 1)))";
        "turns" "(turns [(opening PLAYER ..)] (cycle PLAYER ..))" "the order of turns, if the players do not alternate", "(turns (opening first) (cycle second second first first))";
        "play" "(play MOVES)" "the moves; every game has some", "(play (step man all))";
        "end" "(end (if CONDITION [EFFECT ..] RESULT) .. [(stuck RESULT)])" "rules that end the game: the first that holds decides; and the result if a player cannot move", "(end (if (in to (far 1)) (win mover)) (stuck draw))";
        "limits" "(limits [(quiet N [RESULT])] [(repetition RESULT)] [(cap N)])" "when a game is stopped", "(limits (quiet 100) (repetition draw) (cap 500))";
        "allow" "(allow CODE ..)" "codes of warnings that a check leaves out", "(allow W8)";
    within "board":
        "grid" "(grid N N [N] [(diagonals HOW)] [(wrap HOW)] [(holes SITE ..)] [(drawn HOW)] [(track (line SITE ..) ..) ..])" "cells of columns and rows; a third number adds levels", "(grid 8 8)";
        "rhombus" "(rhombus N N)" "hexagonal cells in a rhombus, as in Hex", "(rhombus 11 11)";
        "hexagon" "(hexagon N)" "hexagonal cells in a hexagon, by the cells of a side", "(hexagon 5)";
        "rings" "(rings N)" "points of square rings, as in Nine Men's Morris", "(rings 3)";
        "lattice" "(lattice N N)" "the lines around boxes, as in Dots and Boxes", "(lattice 4 4)";
        "pits" "(pits N)" "the pits of each player with two stores, as in Kalah", "(pits 6)";
        "graph" "(graph (line SITE SITE ..) .. [(track (line SITE ..) ..) ..] [(at SITE N N ..)] [(dots NAME N N ..)])" "any sites, named by small letters and digits, on drawn lines", "(graph (line a b c) (line a d))";
    within "grid":
        "diagonals" "(diagonals all|alternate|none)" "draws all diagonals, those of every other point, or none", "(diagonals alternate)";
        "wrap" "(wrap columns|rows|both)" "joins opposite edges", "(wrap columns)";
        "holes" "(holes SITE ..)" "leaves out cells", "(holes c3 d3)";
        "drawn" "(drawn cells|points)" "pictures only: pieces stand on cells or on the points of lines; by default on points if only some diagonals are drawn or the board has tracks", "(drawn points)";
    within "graph":
        "line" "(line SITE SITE ..)" "sites joined in this order; pieces move along lines", "(line a b c)";
        "at" "(at SITE N N ..)" "pictures only: column and row of sites; those between two such sites of a line divide it evenly, others find a place by themselves", "(at a 0 0 c 2 0)";
        "track" "(track (line SITE SITE ..) ..)" "on a grid and on a drawn board, a closed way for `ride`: a bend joins each line to the next and the last to the first; on a drawn board its lines are lines of the board too, and a single line is closed for all moves", "(track (line a b c d))";
        "dots" "(dots NAME N N ..)" "pictures only: column and row of dots; each site is the line between the two dots that its name joins", "(dots a 0 0 b 4 0 c 2 3)";
    within "pieces":
        "each" "(KIND each)" "both players own pieces of the kind", "(man each)";
        "neutral" "(KIND neutral)" "no player owns pieces of the kind", "(wall neutral)";
        "hand" "(KIND OWNER (hand N))" "the number of pieces that a player has to place", "(man each (hand 9))";
        "letter" "(KIND OWNER (letter C))" "boards and positions only: the letter of the pieces, a capital for the first player and neutral pieces; by default the program chooses one", "(king each (letter k))";
    within "start":
        "put" "(put each|first|second|neutral [KIND] SET)" "puts pieces on sites", "(put each man (home 2))";
        "seeds" "(seeds N)" "pits only: the seeds in each pit", "(seeds 4)";
    within "turns":
        "opening" "(opening PLAYER ..)" "who moves in the first plies", "(opening first)";
        "cycle" "(cycle PLAYER ..)" "who moves then, again and again", "(cycle second second first first)";
    within "end":
        "if" "(if CONDITION [EFFECT ..] RESULT)" "the result if the condition holds after a move", "(if (none theirs) (win mover))";
        "stuck" "(stuck [EFFECT ..] RESULT)" "the result if a player cannot move, by default its loss; `(stuck pass)` lets it pass", "(stuck draw)";
    within "limits":
        "quiet" "(quiet N [RESULT])" "the plies without progress after which the game is stopped, as a draw by default", "(quiet 100)";
        "repetition" "(repetition RESULT)" "the result if a position occurs for the third time; `mover` is the player to move then, so `(win mover)` is a loss for the player that repeats", "(repetition draw)";
        "cap" "(cap N)" "the plies after which every game is stopped", "(cap 500)";
    within "MOVES":
        "to" "(to SET)" "where the piece may arrive", "(to (or empty theirs))";
        "over" "(over SET)" "what may be hopped over", "(over theirs)";
        "at-most" "(at-most N)" "the greatest length of a slide", "(at-most 2)";
        "bends" "(bends N)" "the bends of a track that a ride must pass at least", "(bends 1)";
        "chain" "(chain no|must|may)" "whether a hop goes on: no, it must, or it may", "(chain must)";
        "stores" "(stores own)" "pits only: seeds also go to the mover's store", "(stores own)";
        "skip" "(skip origin)" "pits only: the pit that was emptied gets no seed", "(skip origin)";
        "leave" "(leave one)" "pits only: one seed stays in the pit that is sown, unless it is the only one", "(leave one)";
        "laps" "(laps to|next)" "pits only: the sowing goes on with the seeds of `to` if it held some before, or with those of the pit after it; it ends in a store, in front of or in an empty pit, and after 500 laps", "(laps to)";
        "then" "(then EFFECT ..)" "what happens after the move", "(then (capture over))";
        "only-if" "(only-if CONDITION)" "the move is legal only if the condition holds after it", "(only-if (some taken))";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::SECTIONS;
    use crate::words::{Sort, words_of};
    use crate::{Mistakes, Text};

    const GAME: [(&str, &str); 5] = [
        ("board", "(board (grid 5 5))"),
        ("pieces", "(pieces (man each) (wall neutral))"),
        ("start", "(start (put each man (home 1)))"),
        ("play", "(play (step man all))"),
        ("end", "(end (if (in to (far 1)) (win mover)) (stuck draw))"),
    ];

    /// A text with another part in the place of that of the same name.
    fn with(part: &str, others: &[&str]) -> Result<(), Mistakes> {
        let name =
            |part: &str| part.trim_start_matches('(').split([' ', ')']).next().unwrap().to_owned();
        let has = |section: &str| {
            name(part) == section || others.iter().any(|other| name(other) == section)
        };
        let kept = GAME.iter().filter(|(section, _)| !has(section)).map(|(_, text)| *text);
        let text: Vec<&str> = kept.chain([part]).chain(others.iter().copied()).collect();
        Text::read(&format!("(game \"A\" {})", text.join(" ")))?.check().map(drop)
    }

    #[test]
    fn every_example_is_valid_where_it_may_stand() {
        let place = ["(pieces (man each))", "(play (place man))", "(start)"];
        let sow = ["(board (pits 3))", "(start (seeds 2))", "(pieces (man each))"];
        for word in FRAME {
            let example = word.example;
            let part = |head: &str| format!("({head} {example})");
            let checked = match (word.within, word.name) {
                ("", _) => Text::read(example).and_then(|text| text.check()).map(drop),
                ("game", _) => with(example, &[]),
                ("board", "pits") => with(
                    &part("board"),
                    &["(start (seeds 4))", "(play (sow))", "(end (if (none mine) (win mover)))"],
                ),
                ("board", "graph" | "rings" | "rhombus" | "hexagon" | "lattice") => {
                    with(&part("board"), &[&place[..], &["(end (if (none empty) draw))"]].concat())
                }
                ("board", _) => with(&part("board"), &[]),
                ("grid", _) => with(&format!("(board (grid 5 5 {example}))"), &[]),
                ("graph", name) => {
                    let line = match name {
                        "line" | "track" => "",
                        "dots" => "(line ab bc ca)",
                        _ => "(line a b c)",
                    };
                    let board = format!("(board (graph {line} {example}))");
                    with(&board, &[&place[..], &["(end (if (none empty) draw))"]].concat())
                }
                ("pieces", name @ ("hand" | "letter")) => {
                    let kind = if name == "hand" { "man" } else { "king" };
                    with(&part("pieces"), &[&format!("(play (place {kind}))"), place[2]])
                }
                ("pieces", "neutral") => with(&format!("(pieces (man each) {example})"), &[]),
                ("start", "seeds") => with(
                    &part("start"),
                    &[sow[0], "(play (sow))", "(end (if (none mine) (win mover)))"],
                ),
                ("turns", "opening") => {
                    with(&format!("(turns {example} (cycle second first))"), &[])
                }
                ("MOVES", "over" | "chain" | "then") => {
                    with(&format!("(play (or (step man all) (hop man all {example})))"), &[])
                }
                ("MOVES", "at-most") => with(&format!("(play (slide man all {example}))"), &[]),
                ("MOVES", "stores" | "skip" | "leave" | "laps") => with(
                    &format!("(play (sow {example}))"),
                    &[sow[0], sow[1], "(end (if (none mine) (win mover)))"],
                ),
                ("MOVES", "bends") => with(
                    &format!("(play (ride man {example}))"),
                    &["(board (grid 5 5 (track (line a1 b1 c1) (line c2 b2 a2))))"],
                ),
                ("MOVES", "only-if") => {
                    with(&format!("(play (or (step man all) (step man all {example})))"), &[])
                }
                ("MOVES", _) => with(&format!("(play (step man all {example}))"), &[]),
                (head, _) => with(&part(head), &[]),
            };
            assert!(checked.is_ok(), "{example}: {}", checked.unwrap_err().text("text"));
            let begins = word.pattern.contains(&format!("({}", word.name))
                || word.pattern.contains(&format!(" {}", word.name));
            assert!(begins, "{}", word.pattern);
        }
    }

    #[test]
    fn every_section_and_every_clause_is_described() {
        let has = |within: &str, name: &str| {
            FRAME.iter().any(|word| word.within == within && word.name == name)
        };
        assert!(SECTIONS.iter().all(|section| has("game", section)));
        for mover in words_of(Sort::Moves) {
            assert!(mover.clauses.iter().all(|clause| has("MOVES", clause)), "{}", mover.name);
        }
    }
}
