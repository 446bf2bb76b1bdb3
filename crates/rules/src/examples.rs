//! Small games that show a word of the language, and their pictures.
//!
//! [`EXAMPLES`] has a game for each word that a picture explains. The picture is drawn from the game
//! itself: its board, its legal moves, or a move and the board after it.

use std::sync::Arc;

use treegauge_core::{
    Board, Ended, Ending, Game, Notation, Outcome, Panel, PathCell, Played, Plies, Role,
};

use crate::format::format;
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::reader::SECTIONS;
use crate::state::BoardWord;
use crate::text::Text;
use crate::words::Sort;

/// Part of the play of an example that its picture shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    /// The board.
    Position,
    /// The board with all legal moves: an arrow for each way of a piece, a mark for each other site.
    Moves,
    /// The last of the moves, and the board after it.
    Move,
}

use Shown::{Move, Moves, Position};

/// Game that shows a word.
#[derive(Clone, Copy, Debug)]
pub struct WordExample {
    /// Sort of the word; `None` for a word of the frame.
    pub sort: Option<Sort>,
    /// The word.
    pub word: &'static str,
    sections: &'static str,
    /// Moves to play first.
    line: &'static str,
    shown: Shown,
}

macro_rules! examples {
    ($(of $sort:expr => $($word:literal $shown:ident $sections:literal $line:literal;)+)+) => {
        /// All examples, in the order of the words.
        pub static EXAMPLES: &[WordExample] = &[$($(
            WordExample { sort: $sort, word: $word, sections: $sections, line: $line, shown: $shown },
        )+)+];
    };
}

// Each entry: the word, the part of the play, sections, and the moves before it. Sections that are
// not given are those of a board of 4x4 cells with a kind of men that is placed until no cell is
// empty.
examples! {
    of None =>
        "game" Position "(board (grid 3 3)) (pieces (man each)) (play (place)) (end (if (makes (line 3)) (win mover)) (if (none empty) draw))" "b2 a1 a3";
        "options" Position "(options (size 5 4 8)) (board (grid size size))" "";
        "board" Position "(board (grid 5 5))" "";
        "pieces" Position "(pieces (man each) (wall neutral)) (start (put first man (home 1)) (put second man (home 1)) (put neutral wall (sites b2 c3))) (play (step man all))" "";
        "start" Position "(start (put each man (home 1))) (play (step man all))" "";
        "turns" Move "(turns (opening first) (cycle second second first first))" "b2 c3 b3";
        "play" Moves "(start (put first man (sites b2)) (put second man (sites d4))) (play (or (step man orthogonal) (hop man all)))" "";
        "end" Move "(start (put each man (home 1))) (play (step man all)) (end (if (in to (far 1)) (win mover)) (stuck draw))" "d1-d2 d4-c3 d2-d3 c3-b3 d3-d4";
        "limits" Move "(board (grid 3 3)) (start (put each man (home 1))) (play (step man all)) (end (if (none theirs) (win mover))) (limits (quiet 4))" "a1-a2 c3-c2 a2-a1 c2-c3";
        "grid" Position "(board (grid 5 4))" "";
        "rhombus" Position "(board (rhombus 4 4))" "";
        "hexagon" Position "(board (hexagon 3))" "";
        "rings" Position "(board (rings 2))" "";
        "lattice" Position "(board (lattice 2 2)) (play (place)) (end (if (none empty) draw))" "";
        "pits" Position "(board (pits 3)) (start (seeds 2)) (play (sow (stores own))) (end (if (none mine) (win mover)))" "";
        "graph" Position "(board (graph (line a b c) (line a d e) (line c f e)))" "";
        "diagonals" Position "(board (grid 5 5 (diagonals alternate)))" "";
        "wrap" Moves "(board (grid 4 4 (wrap columns))) (start (put first man (sites a2))) (play (step man sideways))" "";
        "holes" Position "(board (grid 5 4 (holes c2 c3 d3)))" "";
        "drawn" Position "(board (grid 4 4 (drawn points))) (start (put each man (home 1))) (play (step man orthogonal))" "";
        "line" Position "(board (graph (line a b c) (line a d)))" "";
        "at" Position "(board (graph (line a b c) (line a d c) (at a 0 1 c 2 1 d 1 0)))" "";
        "track" Position "(board (graph (track (line a b c d e f)) (line a o d) (line b o e) (line c o f)))" "";
        "dots" Position "(board (graph (line ab bc ca) (dots a 0 0 b 4 0 c 2 3)))" "ab bc";
        "each" Position "(start (put each man (home 1))) (play (step man all))" "";
        "neutral" Position "(pieces (man each) (wall neutral)) (start (put each man (home 1)) (put neutral wall center)) (play (step man all))" "";
        "hand" Position "(board (grid 3 3)) (pieces (man each (hand 3))) (play (place man))" "b2";
        "letter" Position "(pieces (man each) (king each (letter k))) (board (grid 5 5)) (start (put each man (home 1)) (put each king (and (home 2) (not (home 1)) (columns 2 4)))) (play (step all))" "";
        "put" Position "(start (put each man (home 1))) (play (step man all))" "";
        "seeds" Position "(board (pits 3)) (start (seeds 4)) (play (sow (stores own))) (end (if (none mine) (win mover)))" "";
        "opening" Move "(turns (opening first first) (cycle second first))" "b2 c3";
        "cycle" Move "(turns (cycle first second second))" "b2 c3 c2";
        "if" Move "(start (put first man (sites b2 c2)) (put second man (sites c3))) (play (or (step man all) (hop man all (then (capture over))))) (end (if (none theirs) (win mover)))" "b2xd4";
        "stuck" Move "(board (grid 3 1)) (play (place man (to (and empty (not (next theirs)))))) (end (stuck (lose mover)))" "b1";
        "quiet" Move "(board (grid 3 3)) (start (put each man (home 1))) (play (step man all)) (end (if (none theirs) (win mover))) (limits (quiet 4))" "a1-a2 c3-c2 a2-a1 c2-c3";
        "repetition" Move "(board (grid 3 3)) (start (put each man (home 1))) (play (step man all)) (end (if (none theirs) (win mover))) (limits (repetition (lose mover)))" "a1-a2 c3-c2 a2-a1 c2-c3 a1-a2 c3-c2 a2-a1 c2-c3";
        "cap" Move "(board (grid 3 3)) (start (put each man (home 1))) (play (step man all)) (end (if (none theirs) (win mover))) (limits (cap 3))" "a1-a2 c3-c2 b1-b2";
        "to" Moves "(start (put first man (sites b2)) (put second man (sites a3 b4 c3))) (play (step man all (to (or empty theirs))))" "";
        "over" Moves "(board (grid 5 5)) (start (put first man (sites c3 c4)) (put second man (sites d3 b2))) (play (hop man all (over theirs)))" "";
        "at-most" Moves "(board (grid 5 5)) (start (put first man (sites a1))) (play (slide man all (at-most 2)))" "";
        "bends" Moves "(board (grid 4 4 (drawn points) (track (line a2 b2 c2 d2) (line c1 c2 c3 c4) (line d3 c3 b3 a3) (line b4 b3 b2 b1)))) (start (put first man (sites b2)) (put second man (sites c1 d3))) (play (ride man (bends 1) (to theirs)))" "";
        "chain" Moves "(board (grid 5 5)) (start (put first man (sites a1)) (put second man (sites b2 d4 d2))) (play (hop man diagonal (over theirs) (chain must)))" "";
        "stores" Move "(board (pits 3)) (start (seeds 2)) (play (sow (stores own))) (end (if (none mine) (win mover)))" "3";
        "skip" Move "(board (pits 2)) (start (seeds 5)) (play (sow (skip origin))) (end (if (none mine) (win mover)))" "1";
        "laps" Move "(board (pits 3)) (start (seeds 2)) (play (sow (stores own) (laps to))) (end (if (none mine) (win mover)))" "1";
        "leave" Move "(board (pits 3)) (start (seeds 2)) (play (sow (leave one))) (end (if (none mine) (win mover)))" "2";
        "then" Move "(start (put first man (sites b2)) (put second man (sites c3))) (play (hop man all (then (capture over))))" "b2xd4";
        "only-if" Moves "(start (put first man (sites b2)) (put second man (sites d4))) (play (step man all (only-if (none (and theirs (next to))))))" "";
    of Some(Sort::Player) =>
        "mover" Move "(board (grid 3 3)) (play (place)) (end (if (makes (line 3)) (win mover)) (if (none empty) draw))" "a1 b2 c1 b1 a3 b3";
        "opponent" Move "(start (put first man (sites b2)) (put second man (sites d4))) (play (step man all (then (put opponent man from))))" "b2-b3";
        "first" Move "(board (grid 2 2)) (end (if (none empty) (win first)))" "a1 b1 a2 b2";
        "second" Move "(board (grid 3 1)) (end (if (none empty) (win second)))" "a1 b1 c1";
    of Some(Sort::Directions) =>
        "n" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man n))" "";
        "ne" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man ne))" "";
        "e" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man e))" "";
        "se" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man se))" "";
        "s" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man s))" "";
        "sw" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man sw))" "";
        "w" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man w))" "";
        "nw" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man nw))" "";
        "orthogonal" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man orthogonal))" "";
        "diagonal" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man diagonal))" "";
        "all" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man all))" "";
        "forward" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man forward))" "";
        "backward" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man backward))" "";
        "sideways" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man sideways))" "";
        "forward-diagonal" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man forward-diagonal))" "";
        "backward-diagonal" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man backward-diagonal))" "";
        "or" Moves "(board (grid 3 3)) (start (put first man (sites b2))) (play (step man (or forward sideways)))" "";
    of Some(Sort::Set) =>
        "empty" Moves "(start (put each man (home 1))) (play (place man (to empty)))" "";
        "occupied" Moves "(start (put first man (sites a1 b2)) (put second man (sites d3))) (play (remove occupied))" "";
        "everywhere" Moves "(play (place man (to everywhere)))" "";
        "mine" Moves "(start (put first man (sites a1 b2)) (put second man (sites d3))) (play (remove mine))" "";
        "theirs" Moves "(start (put first man (sites a1 b2)) (put second man (sites d3))) (play (remove theirs))" "";
        "piece" Moves "(pieces (man each) (king each)) (start (put first man (sites a1 b2)) (put first king (sites c1)) (put second man (sites d3)) (put second king (sites b4))) (play (remove (piece king)))" "";
        "to" Move "(start (put first man (sites b2)) (put second man (sites a4 c4))) (play (step man all (then (capture (and theirs (next to))))))" "b2-b3";
        "from" Move "(pieces (man each) (wall neutral)) (start (put first man (sites b2)) (put second man (sites d4))) (play (step man all (then (put neutral wall from))))" "b2-b3";
        "over" Move "(start (put first man (sites b2)) (put second man (sites c3))) (play (hop man all (then (capture over))))" "b2xd4";
        "taken" Move "(start (put first man (sites b2)) (put second man (sites c3))) (play (hop man all (then (capture over) (if (some taken) (add 1)))))" "b2xd4";
        "last" Moves "(play (place man (to (and empty (first-of (next (last opponent)) everywhere)))))" "b2";
        "sites" Moves "(play (place man (to (sites a1 b2 d3))))" "";
        "row" Moves "(play (place man (to (row 2))))" "";
        "rows" Moves "(play (place man (to (rows 2 3))))" "";
        "column" Moves "(play (place man (to (column 3))))" "";
        "columns" Moves "(play (place man (to (columns 2 3))))" "";
        "home" Moves "(play (place man (to (home 2))))" "";
        "far" Moves "(play (place man (to (far 1))))" "";
        "side" Moves "(board (hexagon 3)) (play (place man (to (side ne))))" "";
        "edges" Moves "(play (place man (to edges)))" "";
        "corners" Moves "(play (place man (to corners)))" "";
        "center" Moves "(play (place man (to center)))" "";
        "dark" Moves "(play (place man (to dark)))" "";
        "light" Moves "(play (place man (to light)))" "";
        "and" Moves "(play (place man (to (and dark (home 3)))))" "";
        "or" Moves "(play (place man (to (or corners center))))" "";
        "not" Moves "(play (place man (to (not edges))))" "";
        "first-of" Moves "(play (place man (to (first-of (and empty (next (last opponent) orthogonal)) empty))))" "b2";
        "next" Moves "(start (put first man (sites b2))) (play (place man (to (and empty (next mine orthogonal)))))" "";
        "rays" Moves "(start (put first man (sites b2)) (put second man (sites b4 c3))) (play (place man (to (rays mine all))))" "";
        "custodial" Move "(start (put first man (sites a1 d4)) (put second man (sites b1 c1 d2 d3))) (play (place man (then (flip (custodial all)))))" "d1";
        "joined" Moves "(start (put first man (sites a1 b1)) (put second man (sites b2 d3 d4))) (play (remove (joined (sites a1) occupied)))" "";
        "enclosed" Move "(board (grid 4 4 (diagonals none))) (start (put first man (sites a2 b1 c2)) (put second man (sites b2 d4))) (play (place man (then (capture (enclosed theirs)))))" "b3";
        "covered" Moves "(start (put first man (sites a1)) (put second man (sites a4 b4 c4 d2 c2))) (play (remove (covered (line 3) theirs)))" "";
        "supported" Moves "(start (put first man (sites a1 a2)) (put second man (sites c1))) (play (place man (to supported)))" "";
        "store" Move "(board (pits 3)) (start (seeds 3)) (play (sow (stores own) (then (if (in to store) (again))))) (end (if (none mine) (win mover)))" "1";
        "opposite" Move "(board (pits 3)) (start (seeds 1)) (play (sow (then (collect (opposite to))))) (end (if (none mine) (win mover)))" "1";
        "back" Move "(board (pits 2)) (start (seeds 2)) (play (sow (then (collect (back (far 1) 3))))) (end (if (none mine) (win mover)))" "2";
        "after" Move "(board (pits 3)) (start (seeds 1)) (play (sow (then (collect (after to))))) (end (if (none mine) (win mover)))" "1";
        "counterpart" Move "(board (pits 3)) (start (seeds 1)) (play (sow (then (collect (counterpart to))))) (end (if (none mine) (win mover)))" "1";
        "claimed" Move "(board (pits 3)) (start (seeds 2)) (play (sow (then (if (and (in to (far 1)) (none (claimed mover))) (claim to))))) (end (if (none mine) (win mover)))" "2 2 3";
    of Some(Sort::Family) =>
        "line" Move "(play (place)) (end (if (makes (line 3)) (win mover)) (if (none empty) draw))" "a1 a4 b2 b4 c3";
        "shape" Move "(play (place)) (end (if (makes (shape (0 0) (1 0) (0 1) (1 1))) (win mover)) (if (none empty) draw))" "b2 a4 b3 d4 c2 d1 c3";
        "boxes" Move "(board (lattice 2 2)) (play (place (then (add (made boxes everywhere))))) (end (if (none empty) (most score)))" "h11 v11 h21 v12";
    of Some(Sort::Number) =>
        "count" Move "(start (put first man (sites a1 c4)) (put second man (sites b2))) (play (step man all)) (end (if (= (count (and mine corners)) 2) (win mover)))" "c4-d4";
        "groups" Move "(start (put first man (sites a1 b1 d1)) (put second man (sites a4))) (play (place)) (end (if (= (groups mine) 1) (win mover)) (if (none empty) draw))" "c1";
        "largest" Move "(start (put first man (sites a1 b1 d1)) (put second man (sites a4))) (play (place)) (end (if (>= (largest mine) 4) (win mover)) (if (none empty) draw))" "c1";
        "score" Move "(start (put second man (sites b2 c3))) (play (place man (then (add (count (and theirs (next to))))))) (end (if (>= score 2) (win mover)) (if (none empty) draw))" "b3";
        "hand" Moves "(board (grid 3 3)) (pieces (man each (hand 1))) (play (if (> (hand mover) 0) (place man) (step man all)))" "a1 c3";
        "made" Move "(start (put first man (sites a1 b1 c2 c3)) (put second man (sites a4 b4))) (play (place (then (add (made (line 3)))))) (end (if (>= score 2) (win mover)) (if (none empty) draw))" "c1";
        "seeds" Move "(board (pits 3)) (start (seeds 1)) (play (sow (then (if (= (seeds to) 2) (collect to))))) (end (if (none mine) (win mover)))" "1";
        "+" Move "(end (if (= (+ (count mine) (count theirs)) 3) (win mover)))" "a1 b2 c3";
        "-" Move "(start (put first man (sites a1 b2 c1)) (put second man (sites c3 d1))) (play (or (step man all) (hop man all (then (capture over))))) (end (if (= (- (count mine) (count theirs)) 2) (win mover)))" "b2xd4";
    of Some(Sort::Condition) =>
        "=" Moves "(start (put first man (sites b2 c3))) (play (place man (only-if (= (count (and mine (next to orthogonal))) 1))))" "";
        "<" Moves "(start (put first man (sites b2 c3))) (play (place man (only-if (< (count (and mine (next to orthogonal))) 1))))" "";
        ">" Moves "(start (put first man (sites b2 c3))) (play (place man (only-if (> (count (and mine (next to orthogonal))) 1))))" "";
        "<=" Moves "(start (put first man (sites b2 c3))) (play (place man (only-if (<= (count (and mine (next to orthogonal))) 1))))" "";
        ">=" Moves "(start (put first man (sites b2 c3))) (play (place man (only-if (>= (count (and mine (next to orthogonal))) 1))))" "";
        "some" Moves "(start (put second man (sites b2))) (play (place man (only-if (some (and theirs (next to orthogonal))))))" "";
        "none" Move "(start (put first man (sites b2)) (put second man (sites c3))) (play (or (step man all) (hop man all (then (capture over))))) (end (if (none theirs) (win mover)))" "b2xd4";
        "in" Move "(start (put each man (home 1))) (play (step man all)) (end (if (in to (far 1)) (win mover)))" "d1-d2 d4-c3 d2-d3 c3-b3 d3-d4";
        "is" Moves "(play (if (is mover first) (place man (to (and empty dark))) (place man (to (and empty light)))))" "";
        "makes" Move "(play (place)) (end (if (makes (line 3)) (win mover)) (if (none empty) draw))" "a1 a4 b1 b4 c1";
        "connects" Move "(board (rhombus 4 4)) (play (place)) (end (if (and (is mover first) (connects mine (side s) (side n))) (win first)) (if (and (is mover second) (connects mine (side w) (side e))) (win second)))" "b1 a2 b2 c2 b3 d2 b4";
        "opening" Moves "(play (if (opening 2) (place man (to (and empty center))) (place man)))" "";
        "and" Moves "(start (put first man (sites b2)) (put second man (sites c3))) (play (place man (only-if (and (some (and mine (next to orthogonal))) (some (and theirs (next to orthogonal)))))))" "";
        "or" Moves "(start (put first man (sites b2)) (put second man (sites d4))) (play (place man (only-if (or (some (and mine (next to orthogonal))) (some (and theirs (next to orthogonal)))))))" "";
        "not" Moves "(start (put second man (sites b2))) (play (place man (only-if (not (some (and theirs (next to)))))))" "";
        "even" Move "(board (pits 3)) (start (seeds 1)) (play (sow (then (if (even (seeds to)) (collect to))))) (end (if (none mine) (win mover)))" "1";
    of Some(Sort::Moves) =>
        "place" Moves "(start (put first man (sites b2)) (put second man (sites c3))) (play (place man))" "";
        "step" Moves "(start (put first man (sites b2)) (put second man (sites c3))) (play (step man all))" "";
        "slide" Moves "(start (put first man (sites a1)) (put second man (sites a4 c3))) (play (slide man all))" "";
        "leap" Moves "(board (grid 5 5)) (start (put first man (sites c3)) (put second man (sites c4))) (play (leap man (offsets (1 2))))" "";
        "fly" Moves "(board (grid 3 3)) (start (put first man (sites a1)) (put second man (sites b2 c3))) (play (fly man))" "";
        "ride" Moves "(board (grid 4 4 (drawn points) (track (line a2 b2 c2 d2) (line c1 c2 c3 c4) (line d3 c3 b3 a3) (line b4 b3 b2 b1)))) (start (put first man (sites b2)) (put second man (sites c1 b3))) (play (ride man (to (or empty theirs))))" "";
        "hop" Moves "(board (grid 5 5)) (start (put first man (sites c3)) (put second man (sites c4 d3 e5 b2))) (play (hop man all))" "";
        "remove" Moves "(start (put first man (sites a1 b2)) (put second man (sites c3 d3))) (play (remove theirs))" "";
        "sow" Move "(board (pits 3)) (start (seeds 2)) (play (sow)) (end (if (none mine) (win mover)))" "2";
        "swap" Move "(board (grid 3 3)) (play (or (place) (swap)))" "b2 swap";
        "pass" Move "(play (or (place man) pass))" "b2 c3 pass";
        "or" Moves "(start (put first man (sites b2)) (put second man (sites c3))) (play (or (step man orthogonal) (hop man all)))" "";
        "first-of" Moves "(start (put first man (sites b2 d1)) (put second man (sites c3))) (play (first-of (hop man all) (step man all)))" "";
        "seq" Move "(pieces (man each) (wall neutral)) (start (put first man (sites b2)) (put second man (sites d4))) (play (seq (step man all) (place wall)))" "b2-b3/a1";
        "if" Moves "(play (if (none mine) (place man) (step man all)))" "b2 c3";
    of Some(Sort::Effect) =>
        "capture" Move "(start (put first man (sites b2)) (put second man (sites a4 c4 d1))) (play (step man all (then (capture (and theirs (next to))))))" "b2-b3";
        "flip" Move "(start (put first man (sites a1)) (put second man (sites b1 c1))) (play (place man (then (flip (custodial all)))))" "d1";
        "put" Move "(start (put first man (sites b2)) (put second man (sites d4))) (play (step man all (then (put mover man from))))" "b2-b3";
        "become" Move "(pieces (man each) (king each)) (start (put first man (sites b3)) (put second man (sites d1))) (play (or (step man all (then (if (in to (far 1)) (become king)))) (slide king all)))" "b3-b4";
        "add" Move "(start (put first man (sites b2)) (put second man (sites c3 d1))) (play (or (step man all) (hop man all (then (capture over) (add 1))))) (end (if (none theirs) (most score)))" "b2xd4";
        "again" Move "(play (place man (then (if (in to center) again))))" "a1 b2 d4";
        "if" Move "(start (put second man (sites a2 b1 c3))) (play (place man (then (if (in to corners) (flip (next to))))))" "a1";
        "collect" Move "(board (pits 3)) (start (seeds 1)) (play (sow (then (collect to)))) (end (if (none mine) (win mover)))" "1";
        "claim" Move "(board (pits 3)) (start (seeds 1)) (play (sow (then (if (in to (far 1)) (claim to))))) (end (if (none mine) (win mover)))" "3";
        "sweep" Move "(board (pits 2)) (start (seeds 1)) (play (sow (stores own))) (end (if (none mine) (sweep) (most score)))" "1 1 2";
    of Some(Sort::Result) =>
        "win" Move "(start (put first man (sites b3)) (put second man (sites c2))) (play (step man (or forward sideways))) (end (if (in to (far 1)) (win mover)))" "b3-b4";
        "lose" Move "(play (place)) (end (if (makes (line 3)) (lose mover)) (if (none empty) draw))" "b2 a1 c2 a3 d2";
        "draw" Move "(board (grid 2 2))" "a1 b1 a2 b2";
        "most" Move "(board (grid 3 1)) (play (place)) (end (if (none empty) (most (count mine))))" "a1 b1 c1";
        "least" Move "(board (grid 3 1)) (play (place)) (end (if (none empty) (least (count mine))))" "a1 b1 c1";
}

/// Sections of an example that does not give its own.
const DEFAULTS: [&str; 3] =
    ["(board (grid 4 4))", "(play (place man))", "(end (if (none empty) draw))"];

impl WordExample {
    /// Example of a word of a sort, or of [`FRAME`](crate::FRAME) if the sort is `None`.
    #[must_use]
    pub fn of(sort: Option<Sort>, word: &str) -> Option<&'static WordExample> {
        EXAMPLES.iter().find(|example| example.sort == sort && example.word == word)
    }

    /// Name of the file of the picture: the first word of the heading under which the word is
    /// listed, and the word, or a name for a sign such as `<`, which files cannot have in their names.
    #[must_use]
    pub fn file_name(&self) -> String {
        let heading = self.sort.map_or("sections", Sort::title);
        let name = match self.word {
            "+" => "plus",
            "-" => "minus",
            "=" => "equal",
            "<" => "less",
            ">" => "greater",
            "<=" => "at-most",
            ">=" => "at-least",
            word => word,
        };
        format!("{}_{name}.svg", heading.split(' ').next().unwrap_or_default())
    }

    /// Complete text of the game.
    #[must_use]
    pub fn text(&self) -> String {
        let mut sections = parts(self.sections);
        for default in DEFAULTS {
            if !sections.iter().any(|section| head(section) == head(default)) {
                sections.push(default);
            }
        }
        let has_men = sections.iter().any(|section| section.contains("man"));
        if has_men && !sections.iter().any(|section| head(section) == "pieces") {
            sections.push("(pieces (man each))");
        }
        sections.sort_by_key(|section| SECTIONS.iter().position(|name| *name == head(section)));
        let text = format!("(game \"{}\"\n{})", self.word, sections.join("\n"));
        format(&text).unwrap_or(text)
    }

    /// Picture of the game that explains the word, as SVG.
    ///
    /// # Panics
    ///
    /// If the example is not a valid game, or its line is not legal, which tests rule out.
    #[must_use]
    pub fn picture(&self) -> String {
        let text = self.text();
        let program = Text::read(&text).and_then(|text| text.check());
        let program = program.unwrap_or_else(|mistakes| panic!("{}", mistakes.text(self.word)));
        let (title, panels) = visit(&Arc::new(program), Plies(1_000), Draw(self));
        Board::panels(&title, &panels)
    }
}

/// Lists of a text that stand side by side.
fn parts(text: &str) -> Vec<&str> {
    let (mut found, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => {
                if depth == 0 {
                    begin = at;
                }
                depth += 1;
            }
            ')' => {
                depth -= 1;
                if depth == 0 {
                    found.push(&text[begin..=at]);
                }
            }
            _ => {}
        }
    }
    found
}

/// First word of a list.
fn head(list: &str) -> &str {
    list.trim_start_matches('(').split([' ', ')']).next().unwrap_or_default()
}

struct Draw<'a>(&'a WordExample);

impl RulesVisitor for Draw<'_> {
    type Output = (String, Vec<Panel>);

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> Self::Output {
        let Draw(example) = self;
        let mut played = Played::start(&game);
        let mut last = None;
        for text in example.line.split_whitespace() {
            assert!(played.ended(&game).is_none(), "{}: over before {text}", example.word);
            let m = game.parse_move(played.state(), text);
            let m = m.unwrap_or_else(|error| panic!("{}: {error}", example.word));
            last = Some((*played.state(), m, text));
            played.play(&game, m);
        }
        let mut now = Panel { board: game.board(played.state()), ..Panel::default() };
        let word = example.word;
        match (example.shown, last) {
            (Shown::Position, _) => (format!("a board that shows the word {word}"), vec![now]),
            (Shown::Moves, _) => {
                let mut moves = Vec::new();
                game.moves_into(played.state(), &mut moves);
                assert!(!moves.is_empty(), "{word}: no legal move");
                for &m in &moves {
                    let path = game.move_cells(played.state(), m, &now.board);
                    sign(&mut now, &path);
                }
                let texts: Vec<String> =
                    moves.iter().map(|&m| game.move_text(played.state(), m)).collect();
                (format!("the moves that show the word {word}: {}", texts.join(" ")), vec![now])
            }
            (Shown::Move, None) => panic!("{word}: a move to show"),
            (Shown::Move, Some((state, m, text))) => {
                let mut before = Panel { board: game.board(&state), ..Panel::default() };
                let path = game.move_cells(&state, m, &before.board);
                sign(&mut before, &path);
                let ending = played.ended(&game).map(ending_words);
                now.board.beside.extend(ending.clone());
                let ending = ending.map_or_else(String::new, |words| format!(": {words}"));
                let title = format!(
                    "the word {word}: the board before the move {text} and after it{ending}"
                );
                (title, vec![before, now])
            }
        }
    }
}

/// Adds a move to the signs of a board: arrows for the ways of a piece, marks for other sites.
fn sign(panel: &mut Panel, path: &[PathCell]) {
    let mut at = None;
    for (n, touch) in path.iter().enumerate() {
        let hops_on = path.get(n + 1).is_some_and(|next| next.role == Role::Over);
        match (touch.role, at) {
            (Role::From, _) => at = Some(touch.cell),
            (Role::To, Some(from)) => {
                let arrow = (from, touch.cell, !hops_on);
                // An arrow with a head covers the same line without one.
                match panel.arrows.iter_mut().find(|known| (known.0, known.1) == (from, touch.cell))
                {
                    Some(known) => known.2 |= arrow.2,
                    None => panel.arrows.push(arrow),
                }
                at = hops_on.then_some(touch.cell);
            }
            (Role::To | Role::Removed, _) if !panel.marked.contains(&touch.cell) => {
                panel.marked.push(touch.cell);
            }
            _ => {}
        }
    }
    // A pit that is sown has no target.
    if let (Some(from), [_]) = (at, path) {
        panel.marked.push(from);
    }
}

/// Result of a game in two or three words.
fn ending_words(ended: Ended) -> String {
    let result = match ended.outcome {
        Outcome::FirstWins => "first wins",
        Outcome::SecondWins => "second wins",
        Outcome::Draw => "draw",
    };
    match ended.by {
        Ending::Outcome => result.to_owned(),
        Ending::Repetition => format!("{result}: third time"),
        Ending::DrawPlies => format!("{result}: no progress"),
        _ => format!("{result}: stopped"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use treegauge_core::{CellMark, Player};

    use super::*;
    use crate::frame::FRAME;
    use crate::words::WORDS;

    #[test]
    fn every_example_is_a_game_that_uses_its_word_and_has_a_picture() {
        let mut files = HashSet::new();
        for example in EXAMPLES {
            let text = example.text();
            let of_words = WORDS
                .iter()
                .any(|word| Some(word.sort) == example.sort && word.name == example.word);
            let of_frame =
                example.sort.is_none() && FRAME.iter().any(|word| word.name == example.word);
            assert!(of_words || of_frame, "{} is a word", example.word);
            let body = text.split_once('\n').map_or("", |(_, body)| body);
            let is_used = body
                .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')'))
                .any(|word| word == example.word);
            assert!(is_used || example.word == "game", "{text}");
            assert!(example.picture().starts_with("<svg"), "{}", example.word);
            assert!(files.insert(example.file_name()), "{} is there twice", example.word);
        }
    }

    #[test]
    fn every_word_but_two_has_a_picture() {
        for word in WORDS {
            assert!(WordExample::of(Some(word.sort), word.name).is_some(), "{}", word.name);
        }
        let without = ["about", "allow"];
        for word in FRAME.iter().filter(|word| !without.contains(&word.name)) {
            assert!(WordExample::of(None, word.name).is_some(), "{}", word.name);
        }
    }

    #[test]
    fn the_names_of_pictures_are_letters() {
        for example in EXAMPLES {
            let name = example.file_name();
            let is_plain = |c: char| c.is_ascii_lowercase() || matches!(c, '-' | '_' | '.');
            assert!(name.chars().all(is_plain), "{name}");
        }
    }

    /// The sites that a picture of a set marks are those of a second reading of the same words.
    #[test]
    fn pictures_of_regions_mark_the_sites_that_the_words_mean() {
        let marked = |sort: Sort, word: &str| {
            let example = WordExample::of(Some(sort), word).unwrap();
            let program = Text::read(&example.text()).unwrap().check().unwrap();
            let (_, panels) = visit(&Arc::new(program), Plies(1_000), Draw(example));
            let cells = &panels[0].board.cells;
            let mut names: Vec<String> =
                panels[0].marked.iter().map(|&cell| cells[cell].name.clone()).collect();
            names.sort();
            names.join(" ")
        };
        for (word, sites) in [
            ("row", "a2 b2 c2 d2"),
            ("columns", "b1 b2 b3 b4 c1 c2 c3 c4"),
            ("far", "a4 b4 c4 d4"),
            ("corners", "a1 a4 d1 d4"),
            ("center", "b2 b3 c2 c3"),
            ("dark", "a1 a3 b2 b4 c1 c3 d2 d4"),
            ("not", "b2 b3 c2 c3"),
            ("next", "a2 b1 b3 c2"),
            ("rays", "a1 a2 a3 b1 b3 c1 c2 d2"),
            ("theirs", "d3"),
            ("joined", "a1 b1 b2"),
            ("covered", "a4 b4 c4"),
            ("supported", "a3 b1 c2 d1"),
        ] {
            assert_eq!(marked(Sort::Set, word), sites, "{word}");
        }
        for (word, sites) in [
            ("=", "a2 b1 c4 d3"),
            ("<", "a1 a3 a4 b4 c1 d1 d2 d4"),
            (">", "b3 c2"),
            ("<=", "a1 a2 a3 a4 b1 b4 c1 c4 d1 d2 d3 d4"),
            (">=", "a2 b1 b3 c2 c4 d3"),
            ("some", "a2 b1 b3 c2"),
            ("is", "a1 a3 b2 b4 c1 c3 d2 d4"),
            ("opening", "b2 b3 c2 c3"),
            ("and", "b3 c2"),
            ("or", "a2 b1 b3 c2 c4 d3"),
            ("not", "a4 b4 c4 d1 d2 d3 d4"),
        ] {
            assert_eq!(marked(Sort::Condition, word), sites, "{word}");
        }
    }

    /// Games of pictures that show a result, or a number or a player of a result, end as they should.
    #[test]
    fn pictures_of_results_show_the_end_that_the_words_mean() {
        let title = |sort: Sort, word: &str| {
            let example = WordExample::of(Some(sort), word).unwrap();
            let program = Text::read(&example.text()).unwrap().check().unwrap();
            visit(&Arc::new(program), Plies(1_000), Draw(example)).0
        };
        for (sort, word, end) in [
            (Sort::Player, "mover", "b3 and after it: second wins"),
            (Sort::Player, "first", "b2 and after it: first wins"),
            (Sort::Player, "second", "c1 and after it: second wins"),
            (Sort::Number, "count", "c4-d4 and after it: first wins"),
            (Sort::Number, "score", "b3 and after it: first wins"),
            (Sort::Number, "+", "c3 and after it: first wins"),
            (Sort::Number, "-", "b2xd4 and after it: first wins"),
            (Sort::Result, "win", "b3-b4 and after it: first wins"),
            (Sort::Result, "lose", "d2 and after it: second wins"),
            (Sort::Result, "draw", "b2 and after it: draw"),
            (Sort::Result, "most", "c1 and after it: first wins"),
            (Sort::Result, "least", "c1 and after it: second wins"),
        ] {
            let title = title(sort, word);
            assert!(title.ends_with(end), "{title}");
        }
    }

    /// The moves that the pictures of the order of turns show are those of these players.
    #[test]
    fn pictures_of_turns_show_who_moves() {
        for (sort, word, mover) in [
            (None, "turns", Player::Second),
            (None, "opening", Player::First),
            (None, "cycle", Player::Second),
            (Some(Sort::Effect), "again", Player::Second),
        ] {
            let example = WordExample::of(sort, word).unwrap();
            let program = Text::read(&example.text()).unwrap().check().unwrap();
            let (_, panels) = visit(&Arc::new(program), Plies(1_000), Draw(example));
            let count = |panel: &Panel| {
                let is_owned = |mark: &CellMark| match mark {
                    CellMark::Piece { owner, .. } => *owner == Some(mover),
                    _ => false,
                };
                panel.board.cells.iter().filter(|cell| is_owned(&cell.mark)).count()
            };
            assert_eq!(count(&panels[1]), count(&panels[0]) + 1, "{word}");
        }
    }
}
