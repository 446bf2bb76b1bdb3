//! Families with a text, with random parameters. The text of the default game is changed at the
//! words that express the parameters.

use proptest::prelude::*;

use super::agreement::{Pair, Pick, Written, agree, begin, first_words};
use super::source;
use crate::{GameSpec, SpecError};

macro_rules! families {
    ($($family:ident $cases:literal $written:expr;)+) => {
        /// Notation of each family, if its text has another.
        pub(super) static WRITTEN: &[(&str, Written)] = &[$((stringify!($family), $written)),+];

        mod random_games_follow_the_text_of {
            use super::*;

            $(proptest! {
                #![proptest_config(ProptestConfig::with_cases($cases))]

                #[test]
                fn $family(seed: u64) {
                    let mut pick = Pick::new(seed);
                    let pair = super::$family(&mut pick);
                    for _ in 0..2 {
                        agree(&pair, &$written, &mut pick);
                    }
                }
            })+
        }
    };
}

families! {
    achi 100 Written::ALIKE;
    alquerque 120 Written::ALIKE;
    breakthrough 80 Written::ALIKE;
    checkers 160 Written::ALIKE;
    connect_four 150 CONNECT_FOUR;
    dots_and_boxes 60 DOTS_AND_BOXES;
    forms 60 Written::ALIKE;
    isolation 120 ISOLATION;
    kalah 160 KALAH;
    mnk 160 Written::ALIKE;
    nine_mens_morris 80 NINE_MENS_MORRIS;
    othello 60 OTHELLO;
    oware 240 OWARE;
    qubic 40 QUBIC;
    tic_tac_toe 100 Written::ALIKE;
    wild_tic_tac_toe 60 WILD_TIC_TAC_TOE;
}

/// Text of `testdata/rules` with some of its words replaced.
struct Changed(String);

impl Changed {
    fn of(name: &str) -> Changed {
        Changed(source(&format!("{name}.rules")))
    }

    /// Replaces words everywhere.
    fn with(self, words: &str, by: impl ToString) -> Changed {
        assert!(self.0.contains(words), "{words} is not in {}", self.0);
        Changed(self.0.replace(words, &by.to_string()))
    }

    /// Replaces words everywhere if the condition holds.
    fn with_if(self, condition: bool, words: &str, by: &str) -> Changed {
        if condition { self.with(words, by) } else { self }
    }

    /// Pair with the built-in game of this family and these parameters; both stop after 300 plies.
    fn is(self, family: &str, parameters: &str) -> Pair {
        let game = format!("{family}({parameters},ply_cap=300)").replace("(,", "(");
        let text = GameSpec::parse_with("changed.rules(ply_cap=300)", &mut |_| Ok(self.0.clone()));
        let over = |error: &SpecError| error.to_string().contains("every first move ends the game");
        let text = match text {
            Err(error) if over(&error) => None,
            text => Some(text.unwrap_or_else(|error| panic!("{error}\n{}", self.0))),
        };
        Pair { game, text, from: None }
    }
}

/// Position with a few pieces of both players; `None` if one has none. `pieces` returns the letters
/// of the first and second player's pieces that may be on a cell, by its column and row from 0.
fn scattered(
    pick: &mut Pick,
    [cols, rows]: [u32; 2],
    most: u32,
    pieces: impl Fn(u32, u32) -> [&'static str; 2],
) -> Option<String> {
    let mut cells = vec![vec!['.'; cols as usize]; rows as usize];
    let mut has = [false; 2];
    for n in 0..2 * pick.whole(1..=most) {
        let (col, row, player) =
            (pick.whole(0..=cols - 1), pick.whole(0..=rows - 1), n as usize % 2);
        let letters: Vec<char> = pieces(col, row)[player].chars().collect();
        let cell = &mut cells[row as usize][col as usize];
        if !letters.is_empty() && *cell == '.' {
            *cell = pick.one(&letters);
            has[player] = true;
        }
    }
    let rows: Vec<String> = cells.iter().rev().map(|row| row.iter().collect()).collect();
    let turn = pick.one(&['x', 'o']);
    (has == [true; 2]).then(|| format!("{} {turn}", rows.join("/")))
}

/// Number of quiet plies after which a game is stopped: the usual number, which most games do not
/// reach, or fewer.
fn draw_plies(pick: &mut Pick) -> u32 {
    if pick.flag() { 100 } else { pick.whole(1..=60) }
}

fn achi(pick: &mut Pick) -> Pair {
    let size = pick.whole(3..=5);
    let men = pick.whole(3..=(size * size - 1) / 2);
    let (adjacency, diagonals) =
        pick.one(&[("lines", "alternate"), ("king", "all"), ("orth", "none")]);
    Changed::of("achi")
        .with(
            "grid 3 3 (diagonals alternate)",
            format!("grid {size} {size} (diagonals {diagonals})"),
        )
        .with("hand 3", format!("hand {men}"))
        .is("achi", &format!("size={size},men={men},adjacency={adjacency}"))
}

fn alquerque(pick: &mut Pick) -> Pair {
    let draw_plies = draw_plies(pick);
    let mut pair = Changed::of("alquerque")
        .with("quiet 100", format!("quiet {draw_plies}"))
        .is("alquerque", &format!("draw_plies={draw_plies}"));
    if pick.flag() {
        pair.from = scattered(pick, [5, 5], 12, |_, _| ["x", "o"]);
    }
    pair
}

fn breakthrough(pick: &mut Pick) -> Pair {
    let (cols, rows) = if pick.whole(0..=3) == 0 {
        (pick.whole(2..=16), pick.whole(4..=16))
    } else {
        (pick.whole(2..=8), pick.whole(4..=8))
    };
    let mut pair = Changed::of("breakthrough")
        .with("grid 8 8", format!("grid {cols} {rows}"))
        .is("breakthrough", &format!("cols={cols},rows={rows}"));
    if pick.flag() {
        // No piece has reached the other side yet.
        let inner = |row| row > 0 && row + 1 < rows;
        let pieces = |_, row| if inner(row) { ["x", "o"] } else { ["", ""] };
        pair.from = scattered(pick, [cols, rows], 3.min(cols), pieces);
    }
    pair
}

fn checkers(pick: &mut Pick) -> Pair {
    let (kings, draw_plies) = (pick.flag(), draw_plies(pick));
    let mut pair = Changed::of(if kings { "checkers_kings" } else { "checkers" })
        .with("quiet 100", format!("quiet {draw_plies}"))
        .is("checkers", &format!("kings={kings},draw_plies={draw_plies}"));
    if !kings && pick.whole(0..=2) > 0 {
        pair.from = scattered(pick, [8, 8], 12, |col, row| match (col + row) % 2 {
            1 => ["", ""],
            _ if row % 7 == 0 => ["X", "O"],
            _ => ["xX", "oO"],
        });
    }
    pair
}

/// The name of a disc's move is its column alone.
const CONNECT_FOUR: Written = Written { game_move: |m| m[..1].to_owned(), ..Written::ALIKE };

fn connect_four(pick: &mut Pick) -> Pair {
    let (cols, rows, k) = if pick.whole(0..=3) == 0 {
        (pick.whole(7..=20), pick.whole(6..=20), pick.whole(3..=6))
    } else {
        (pick.whole(1..=9), pick.whole(1..=6), pick.whole(1..=7))
    };
    let text = Changed::of("connect_four").with("grid 7 6", format!("grid {cols} {rows}"));
    lines(text, "(line 4)", &format!("(line {k})"), k <= cols.max(rows))
        .is("connect_four", &format!("cols={cols},rows={rows},k={k}"))
}

/// Text with another winning line. The language has no lines longer than the board; nobody can
/// complete them, so such a line is removed.
fn lines(text: Changed, line: &str, by: &str, fits: bool) -> Changed {
    text.with_if(!fits, &format!("(if (makes {line}) (win mover))"), "").with_if(fits, line, by)
}

/// The text counts points, and writes all lines alike.
const DOTS_AND_BOXES: Written = Written {
    text_position: |position| {
        let words: Vec<&str> = position.split(' ').collect();
        format!("{} {} s{},{}", words[0].replace(['-', '|'], "#"), words[1], words[2], words[3])
    },
    ..Written::ALIKE
};

fn dots_and_boxes(pick: &mut Pick) -> Pair {
    let (rows, cols) = (pick.whole(1..=8), pick.whole(1..=8));
    Changed::of("dots_and_boxes")
        .with("lattice 4 4", format!("lattice {cols} {rows}"))
        .is("dots_and_boxes", &format!("rows={rows},cols={cols}"))
}

fn forms(pick: &mut Pick) -> Pair {
    let (half, cols) = pick.one(&[(4, 7), (4, 7), (5, 11)]);
    let (half, cols) = (pick.whole(1..=half), pick.whole(1..=cols));
    let (objective, end) = pick.one(&[("last_with", "(win mover)"), ("lose_all", "(lose mover)")]);
    let rows = 2 * half;
    Changed::of("forms")
        .with("grid 6 4", format!("grid {cols} {rows}"))
        .with("home 2", format!("home {half}"))
        .with("(win mover)", end)
        .is("forms", &format!("rows={rows},cols={cols},objective={objective}"))
}

/// The text names the kinds of pieces that it places and has tokens in hand.
const ISOLATION: Written = Written {
    game_move: |m| {
        let (step, removed) = m.split_once('/').unwrap_or((m, ""));
        let to = step.rsplit(['-', '@']).next().unwrap_or(step);
        removed.split_once('@').map_or(to.to_owned(), |(_, cell)| format!("{to}-{cell}"))
    },
    text_position: |position| {
        let hands =
            ['x', 'o'].map(|token| u32::from(!position[..position.len() - 1].contains(token)));
        format!("{position} h{}/{}", hands[0], hands[1])
    },
    ..Written::ALIKE
};

fn isolation(pick: &mut Pick) -> Pair {
    let (piece, text, max) = pick.one(&[
        ("knight", "isolation", 11),
        ("queen", "isolation_queen", 11),
        ("king_remove", "isola", 7),
    ]);
    let max = if pick.flag() { max } else { 5 };
    let (cols, rows) = (pick.whole(2..=max), pick.whole(2..=max));
    // On smaller boards the first player may have no move at the start.
    let fixed = pick.flag() && cols.min(rows) > 2 && cols + rows > 6;
    let starts = if fixed { "fixed" } else { "free" };
    let mut pair = Changed::of(text)
        .with("grid 7 7", format!("grid {cols} {rows}"))
        .is("isolation", &format!("cols={cols},rows={rows},piece={piece},starts={starts}"));
    pair.from = fixed.then(|| begin(&GameSpec::parse(&pair.game).unwrap()).position());
    pair
}

/// The text writes the rows of pits as they lie on the table, and the stores after the player to
/// move.
const KALAH: Written = Written {
    text_position: |position| {
        let words: Vec<&str> = position.split(' ').collect();
        let mut upper: Vec<&str> = words[2].split(',').collect();
        upper.reverse();
        format!("{}/{} {} s{},{}", upper.join(","), words[0], words[4], words[1], words[3])
    },
    ..Written::ALIKE
};

fn kalah(pick: &mut Pick) -> Pair {
    let (houses, seeds) = (pick.whole(1..=7), pick.whole(1..=18));
    let (stores, empty, captures) = (pick.flag(), pick.flag(), pick.whole(0..=3) > 0);
    let empty = empty && captures;
    Changed::of("kalah")
        .with("pits 6", format!("pits {houses}"))
        .with("seeds 4", format!("seeds {seeds}"))
        .with_if(!stores, "(stores own)", "")
        .with_if(empty, "(> (seeds (opposite to)) 0)", "(>= (seeds (opposite to)) 0)")
        .with_if(!captures, "(= (seeds to) 1)", "(< (seeds to) 1)")
        .is(
            "kalah",
            &format!(
                "houses={houses},seeds={seeds},sow_stores={stores},empty_capture={empty},captures={captures}"
            ),
        )
}

fn mnk(pick: &mut Pick) -> Pair {
    let max = pick.one(&[4, 7, 7, 12]);
    let rows = pick.whole(1..=max);
    let cols = pick.whole(if rows < 3 { 3 } else { 1 }..=max);
    let directions = ["all", "orthogonal", "diagonal"];
    let dirs = [pick.one(&directions), pick.one(&directions)];
    // A longer line than the board is not valid in the language.
    let k = dirs.map(|dirs| {
        let longest = if dirs == "diagonal" { rows.min(cols) } else { rows.max(cols) };
        pick.whole(1..=longest)
    });
    let first = [pick.whole(1..=2), pick.whole(1..=2)];
    let (misere, gravity) = (pick.flag(), pick.flag());
    let wrap = rows > 2 && cols > 2 && pick.flag();
    let wraps = ["", " (wrap columns)", " (wrap both)"];
    let wraps = wraps[if wrap { 2 - usize::from(gravity) } else { 0 }];
    let turns = "first ".repeat(first[0] as usize) + &"second ".repeat(first[1] as usize);
    Changed::of("mnk_options")
        .with("(grid width height)", format!("(grid {cols} {rows}{wraps})"))
        .with("first second second", turns.trim())
        .with("(line k1 orthogonal)", format!("(line {} {})", k[0], dirs[0]))
        .with("(line k2)", format!("(line {} {})", k[1], dirs[1]))
        .with_if(!misere, "(lose mover)", "(win mover)")
        .with_if(gravity, "(place)", "(place (to supported))")
        .is(
            "mnk",
            &format!(
                "rows={rows},cols={cols},k1={},k2={},dirs1={},dirs2={},first1={},first2={},\
                 misere={misere},gravity={gravity},wrap={wrap}",
                k[0], k[1], dirs[0], dirs[1], first[0], first[1]
            ),
        )
}

/// The text separates the removed piece from the move. Its positions have only the points and the
/// men in hand of each player.
const NINE_MENS_MORRIS: Written = Written {
    game_move: |m| m.replace('/', ""),
    text_position: |position| {
        let words: Vec<&str> = position.split(' ').collect();
        let to_place: u32 = words[2].parse().unwrap();
        let (board, second) = (words[0].replace('-', ""), to_place.div_ceil(2));
        format!("{board} {} h{}/{second}", words[1], to_place - second)
    },
    ..Written::ALIKE
};

fn nine_mens_morris(pick: &mut Pick) -> Pair {
    let (flying, first_mill, draw_plies) = (pick.flag(), pick.flag(), draw_plies(pick));
    let text = if flying { "nine_mens_morris_flying" } else { "nine_mens_morris" };
    Changed::of(text)
        .with("quiet 100", format!("quiet {draw_plies}"))
        .with_if(first_mill, "(if (makes (line 3))", "(if (none everywhere)")
        .with_if(first_mill, "(end ", "(end (if (makes (line 3)) (win mover)) ")
        .is(
            "nine_mens_morris",
            &format!("flying={flying},first_mill_wins={first_mill},draw_plies={draw_plies}"),
        )
}

/// If discs must touch the last one, both notations include the last ones.
const OTHELLO: Written = Written {
    text_position: |position| {
        let words: Vec<&str> = position.split(' ').collect();
        let last = words.get(2..).filter(|last| !last.is_empty());
        let last = last.map_or(String::new(), |last| format!(" l{}", last.join(",")));
        format!("{} {}{last}", words[0], words[1])
    },
    ..Written::ALIKE
};

fn othello(pick: &mut Pick) -> Pair {
    let (size, adjacent) = (pick.one(&[4u8, 6, 8]), pick.flag());
    let (low, high) = (size / 2, size / 2 + 1);
    let site = |col: u8, row: u8| format!("{}{row}", char::from(b'a' - 1 + col));
    Changed::of(if adjacent { "othello_adjacent" } else { "othello" })
        .with("grid 8 8", format!("grid {size} {size}"))
        .with("e4 d5", format!("{} {}", site(high, low), site(low, high)))
        .with("d4 e5", format!("{} {}", site(low, low), site(high, high)))
        .is("othello", &format!("size={size},adjacent={adjacent}"))
}

/// The text sweeps the board when its result is computed.
const OWARE: Written = Written { same_end: false, ..KALAH };

fn oware(pick: &mut Pick) -> Pair {
    let (houses, seeds, draw_plies) = (pick.whole(1..=7), pick.whole(1..=18), draw_plies(pick));
    let capture = pick.one(&["2-3", "2-3", "2-3", "1", "2", "3", "4", "5", "9"]);
    let (chain, slams) = (pick.flag(), pick.flag());
    let captured = if capture == "2-3" { "2 3" } else { capture };
    let run = format!("(back (far 1) {captured})");
    let taken = if chain { run.clone() } else { format!("(and to {run})") };
    let grand_slam = if slams { "all" } else { "none" };
    Changed::of("oware")
        .with("pits 6", format!("pits {houses}"))
        .with("seeds 4", format!("seeds {seeds}"))
        .with("(back (far 1) 2 3)", taken)
        .with("score 24", format!("score {}", houses * seeds))
        .with("quiet 100", format!("quiet {draw_plies}"))
        .with_if(slams, "(if (<", "(if (<=")
        // A sowing that takes all of them has fed the opponent.
        .with_if(slams, "(some theirs)", "(or (some theirs) (in to (far 1)))")
        .is(
            "oware",
            &format!(
                "houses={houses},seeds={seeds},capture={capture},chain={chain},\
                 grand_slam={grand_slam},draw_plies={draw_plies}"
            ),
        )
}

/// The name of a cell is three numbers, `213` for `b1z3` of the text, which begins with the lowest
/// level.
const QUBIC: Written = Written {
    game_move: |m| {
        let name = m.as_bytes();
        format!("{}{}{}", name[0] - b'a' + 1, &m[1..2], &m[3..])
    },
    text_position: |position| {
        let (board, turn) = position.split_once(' ').unwrap();
        let rows: Vec<&str> = board.split('/').collect();
        let levels: Vec<String> = rows.chunks(4).rev().map(|level| level.join("/")).collect();
        format!("{} {turn}", levels.join("/"))
    },
    ..Written::ALIKE
};

fn qubic(pick: &mut Pick) -> Pair {
    let lines = pick.whole(1..=7);
    Changed::of("qubic")
        .with("(play (place))", "(play (place (then (add (made (line 4))))))")
        .with("(makes (line 4))", format!("(>= score {lines})"))
        .is("qubic", &format!("lines={lines}"))
}

fn tic_tac_toe(pick: &mut Pick) -> Pair {
    let (size, k, misere) = (pick.whole(1..=12), pick.whole(1..=6), pick.flag());
    let text = Changed::of("tic_tac_toe").with("grid 3 3", format!("grid {size} {size}"));
    lines(text, "(line 3)", &format!("(line {k})"), k <= size)
        .with_if(misere && k <= size, "(win mover)", "(lose mover)")
        .is("tic_tac_toe", &format!("size={size},k={k},misere={misere}"))
}

/// The text writes the names of its marks in full.
const WILD_TIC_TAC_TOE: Written = Written {
    game_move: |m| m.replace("cross@", "X").replace("nought@", "O"),
    text_position: |position| first_words(position, 2),
    ..Written::ALIKE
};

fn wild_tic_tac_toe(_: &mut Pick) -> Pair {
    Changed::of("wild_tic_tac_toe").is("wild_tic_tac_toe", "")
}
