//! Tracks against play that is coded by hand, and the limits of texts with tracks.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use treegauge_core::{Game, Notation, Player, Plies, uniform_below};

use super::agreement::Agree;
use super::library::program as library_program;
use super::program;
use crate::Text;
use crate::explain;
use crate::game::{MoveBits, RulesVisitor, TextRules, visit};
use crate::identity::identity;
use crate::state::BoardWord;

/// Cells of a Surakarta board in the names of the text, by column and row.
type Cells = [[Option<Player>; 6]; 6];

fn named(x: i32, y: i32) -> String {
    format!("{}{}", char::from(b'a' + x as u8), y + 1)
}

/// First cell of the line to which the loop at the end of a line leads, with the direction there;
/// `None` for the outer lines, which have no loops.
///
/// A loop is a part of a circle around the nearest corner, so it leads from a line to the one that is
/// as far from that corner.
fn around_loop((x, y): (i32, i32), (dx, _): (i32, i32)) -> Option<((i32, i32), (i32, i32))> {
    let line = if dx == 0 { x } else { y };
    let far = line.min(5 - line);
    if far == 0 {
        return None;
    }
    // The other line is `far` from the edge that the piece leaves, and begins at the edge near `line`.
    let (edge, onward) = if line < 3 { (0, 1) } else { (5, -1) };
    if dx == 0 {
        let row = if y == 0 { far } else { 5 - far };
        Some(((edge, row), (onward, 0)))
    } else {
        let column = if x == 0 { far } else { 5 - far };
        Some(((column, edge), (0, onward)))
    }
}

/// Moves of Surakarta, without the words of the language.
fn surakarta(cells: &Cells, mover: Player) -> BTreeSet<String> {
    let at = |x: i32, y: i32| cells[y as usize][x as usize];
    let is_on = |x: i32, y: i32| (0..6).contains(&x) && (0..6).contains(&y);
    let mut moves = BTreeSet::new();
    let all = (0..6).flat_map(|y| (0..6).map(move |x| (x, y)));
    for begin in all.filter(|&(x, y)| at(x, y) == Some(mover)) {
        let name = named(begin.0, begin.1);
        for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
            let (x, y) = (begin.0 + dx, begin.1 + dy);
            if is_on(x, y) && at(x, y).is_none() {
                moves.insert(format!("{name}-{}", named(x, y)));
            }
        }
        for way in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let (mut now, mut heading, mut loops) = (begin, way, 0);
            loop {
                let next = (now.0 + heading.0, now.1 + heading.1);
                (now, heading) = if is_on(next.0, next.1) {
                    (next, heading)
                } else {
                    loops += 1;
                    match around_loop(now, heading) {
                        Some(behind) => behind,
                        None => break,
                    }
                };
                if (now, heading) == (begin, way) {
                    break;
                }
                match at(now.0, now.1) {
                    _ if now == begin => {}
                    None => {}
                    Some(player) => {
                        if player != mover && loops > 0 {
                            moves.insert(format!("{name}x{}", named(now.0, now.1)));
                        }
                        break;
                    }
                }
            }
        }
    }
    moves
}

/// Plays random games and compares the moves of every position with those coded by hand. Returns the
/// numbers of positions and of captures offered.
struct Compare {
    games: u64,
}

impl RulesVisitor for Compare {
    type Output = (usize, usize);

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> (usize, usize) {
        let (mut positions, mut captures) = (0, 0);
        for seed in 0..self.games {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut state = game.start();
            for _ in 0..400 {
                let position = game.position(&state);
                let mut cells: Cells = [[None; 6]; 6];
                for (site, piece) in position.pieces.iter().enumerate() {
                    cells[site / 6][site % 6] = piece.and_then(|(owner, _)| owner);
                }
                let count =
                    |player| cells.iter().flatten().filter(|cell| **cell == Some(player)).count();
                let is_over = count(Player::First) == 0 || count(Player::Second) == 0;
                assert_eq!(game.outcome(&state).is_some(), is_over);
                if is_over {
                    break;
                }
                let mut moves = Vec::new();
                game.moves_into(&state, &mut moves);
                let texts: Vec<String> = moves.iter().map(|&m| game.move_text(&state, m)).collect();
                let found: BTreeSet<String> = texts.iter().cloned().collect();
                assert_eq!(found.len(), texts.len(), "a move is there twice");
                assert_eq!(found, surakarta(&cells, position.turn), "seed {seed}");
                positions += 1;
                captures += texts.iter().filter(|text| text.contains('x')).count();
                // Captures are preferred, so that boards become empty and ways long.
                let takes: Vec<usize> =
                    (0..moves.len()).filter(|&n| texts[n].contains('x')).collect();
                let n = match takes.len() as u32 {
                    0 => uniform_below(&mut rng, moves.len() as u32) as usize,
                    some => takes[uniform_below(&mut rng, some) as usize],
                };
                game.play(&mut state, moves[n]);
            }
        }
        (positions, captures)
    }
}

#[test]
fn surakarta_has_the_moves_of_a_generator_coded_by_hand() {
    let (positions, captures) =
        visit(&library_program("surakarta"), Plies(1_000), Compare { games: 60 });
    assert!(positions > 2_000 && captures > 1_200, "{positions} positions, {captures} captures");
}

/// Moves of the first position as the text of the game names them.
struct Moves;

impl RulesVisitor for Moves {
    type Output = Vec<String>;

    fn visit<W: BoardWord, M: MoveBits>(self, game: TextRules<W, M>) -> Vec<String> {
        let state = game.start();
        let mut moves = Vec::new();
        game.moves_into(&state, &mut moves);
        let mut texts: Vec<String> = moves.iter().map(|&m| game.move_text(&state, m)).collect();
        texts.sort();
        texts
    }
}

fn moves_of(board: &str, start: &str, play: &str) -> Vec<String> {
    let source = format!(
        "(game \"T\" (board {board}) (pieces (man each) (king each)) (start {start}) (play {play})
         (end (if (none theirs) (win mover)) (stuck draw)) (limits (quiet 30)))"
    );
    let program = program(&source);
    visit(
        &program,
        Plies(1_000),
        Agree { name: &source, games: 20, plies: 40, seed: 3, moves_max: 1_500 },
    );
    visit(&program, Plies(1_000), Moves)
}

/// Track that crosses itself in `b2`.
const CROSSED: &str = "(grid 3 3 (track (line a2 b2 c2) (line b1 b2 b3)))";

#[test]
fn a_ride_passes_bends_empty_sites_and_its_own_site() {
    let riding = |start: &str, clauses: &str| {
        moves_of(CROSSED, start, &format!("(ride man {clauses})")).join(" ")
    };
    let alone = "(put first man (sites b2)) (put second man (sites a1))";
    assert_eq!(riding(alone, ""), "b2-a2 b2-b1 b2-b3 b2-c2");
    assert_eq!(riding(alone, "(bends 1)"), "b2-a2 b2-b1 b2-b3 b2-c2");
    // From b2 the second bend comes after b1 and b3, or after a2 and c2.
    let far = "(put first man (sites a2)) (put second man (sites a1))";
    assert_eq!(riding(far, "(bends 2)"), "a2-b2 a2-c2", "on the way back");
    // The piece captures the first piece of its way, and no other.
    let blocked = "(put first man (sites a2)) (put second man (sites c2 b3))";
    assert_eq!(riding(blocked, "(to theirs)"), "a2xb3 a2xc2");
    assert_eq!(riding(blocked, "(bends 1) (to theirs)"), "a2xb3");
    let all = riding(blocked, "(to (or empty theirs))");
    assert_eq!(all, "a2-b2 a2xb3 a2xc2");
    assert_eq!(riding(blocked, "(to theirs) (only-if (in to (row 3)))"), "a2xb3");
    // Sites off the track are out of reach.
    let off = "(put first man (sites a1 b2)) (put second man (sites c3))";
    assert_eq!(riding(off, ""), "b2-a2 b2-b1 b2-b3 b2-c2");
}

#[test]
fn the_only_line_of_a_track_of_a_drawn_board_is_closed_for_all_moves() {
    let ring = "(graph (track (line a b c d e f)) (line a o d g))";
    let start = "(put first man (sites a)) (put second man (sites b f))";
    let of = |play: &str| moves_of(ring, start, play).join(" ");
    assert_eq!(of("(hop man all (then (capture over)))"), "axc axe");
    assert_eq!(of("(step man all)"), "a-o");
    assert_eq!(of("(or (slide man all) (ride man (to theirs)))"), "a-d a-g a-o axb axf");
    // A chain goes around over three men.
    let start =
        "(put first man (sites a)) (put second man (sites b d f)) (put second king (sites g))";
    let chains = moves_of(ring, start, "(hop man all (chain must) (then (capture over)))");
    assert_eq!(chains.join(" "), "axcxexa axexcxa");
    // Without the track there is no way from f to a.
    let open = moves_of("(graph (line a b c d e f) (line a o d g))", start, "(hop man all)");
    assert_eq!(open.join(" "), "a-c");
}

#[test]
fn a_line_of_stones_goes_round_a_closed_line() {
    let program = program(
        "(game \"T\" (board (graph (track (line a b c d e)))) (start (put first (sites e a)))
         (play (place)) (end (if (makes (line 3)) (win mover)) (stuck draw)))",
    );
    let sets = &program.families[0].sets;
    assert_eq!(sets.len(), 5, "a line begins at every site");
}

#[test]
fn texts_that_differ_only_in_tracks_are_different_games() {
    let text = |tracks: &str, bends: u32| {
        let source = format!(
            "(game \"T\" (board (grid 3 3 {tracks})) (pieces (man each)) (start (put each man (home 1)))
             (play (or (step man all) (ride man (bends {bends}) (to theirs))))
             (end (if (none theirs) (win mover))) (limits (quiet 30)))"
        );
        program(&source)
    };
    let one = text("(track (line a2 b2 c2) (line b1 b2 b3))", 1);
    let said = |program: &crate::Program| format!("{:?}", explain(program));
    for other in [
        text("(track (line a2 b2 c2) (line b1 b2 b3))", 2),
        text("(track (line a2 b2 c2) (line a1 b2 c3))", 1),
        text("(track (line a2 b2 c2 b1 b3))", 1),
        text("(track (line a2 b2) (line c2 c1) (line b1 b2 b3))", 1),
    ] {
        assert_ne!(identity(&one), identity(&other));
        assert_ne!(said(&one), said(&other));
    }
    // A track begins anywhere and is read either way.
    for same in [
        text("(track (line b1 b2 b3) (line a2 b2 c2))", 1),
        text("(track (line b3 b2 b1) (line c2 b2 a2))", 1),
    ] {
        assert_eq!(identity(&one), identity(&same));
    }
}

#[test]
fn symmetries_keep_tracks() {
    let program = library_program("surakarta");
    // The start is the same in a mirror beside the board, and so are the tracks.
    assert_eq!(crate::symmetry::symmetries(&program).len(), 2);
    // Bends in two opposite corners are kept by half of the symmetries of a square.
    let two = Text::read(
        "(game \"T\" (board (grid 3 3 (track (line a2 b2 c2) (line b1 b2 b3)))) (pieces (man each))
         (play (or (place man) (ride man (bends 1)))) (end (stuck draw)))",
    );
    assert_eq!(crate::symmetry::symmetries(&two.unwrap().check().unwrap()).len(), 4);
}

#[test]
fn mistakes_in_tracks_say_what_may_stand_there() {
    let mistake = |board: &str, play: &str| {
        let source = format!(
            "(game \"T\" (board {board}) (pieces (man each)) (play (or (place man) {play}))
             (end (stuck draw)))"
        );
        Text::read(&source).and_then(|text| text.check()).unwrap_err().text("t.rules")
    };
    let track = "(grid 3 3 (track (line a2 b2 c2) (line b1 b2 b3)))";
    for (board, play, message) in [
        ("(grid 3 3)", "(ride man)", "`ride` needs a track"),
        (
            "(hexagon 3 (track (line a1 b1) (line b2 a2)))",
            "(ride man)",
            "a grid and a drawn board do",
        ),
        ("(grid 3 3 (track))", "(ride man)", "a track has one line or more"),
        ("(grid 3 3 (track a1 b1))", "(ride man)", "a line has two sites or more"),
        ("(grid 3 3 (track (line a1)))", "(ride man)", "a line has two sites or more"),
        ("(grid 3 3 (track (line a1 b1)))", "(ride man)", "three sites or more"),
        ("(grid 3 3 (track (line a1 b1 d9)))", "(ride man)", "d9"),
        ("(grid 3 3 (track (line a1 b1 a1)))", "(ride man)", "a second time"),
        ("(graph (track (line a b)))", "(ride man)", "three sites or more"),
        ("(graph (loop (line a b c)))", "(ride man)", "and tracks"),
        (track, "(ride man (bends 3))", "a track of this board has at most 2"),
        (track, "(ride man (bends -1))", "a number of bends"),
        (track, "(ride man all)", "`ride`"),
        (track, "(ride man (at-most 2))", "`ride` takes bends, to, then, only-if"),
        (track, "(orbit man)", "`ride`"),
    ] {
        let text = mistake(board, play);
        assert!(text.contains(message), "{board} {play}: {text}");
    }
}

#[test]
fn hostile_tracks_are_bounded_in_places_time_and_memory() {
    // Two sites, between which the track goes to and fro as often as the limit allows.
    let board = |lines: usize| {
        let lines: Vec<&str> =
            (0..lines).map(|n| if n % 2 == 0 { "(line a1 b1)" } else { "(line b2 a2)" }).collect();
        format!("(grid 26 19 (track {}))", lines.join(" "))
    };
    let source = |lines: usize| {
        let rides: Vec<String> =
            (0..59).map(|bends| format!("(ride man (bends {bends}))")).collect();
        format!(
            "(game \"T\" (board {}) (pieces (man each)) (start (put first man (sites a1 a2))
             (put second man (sites z9))) (play (or {})) (end (stuck draw)) (limits (quiet 30)))",
            board(lines),
            rides.join(" ")
        )
    };
    let refused =
        Text::read(&source(129)).and_then(|text| text.check()).unwrap_err().text("t.rules");
    assert!(refused.contains("tracks with 258 places are more than 256"), "{refused}");
    let begun = Instant::now();
    let program = program(&source(128));
    // Two sites of the track are empty, and each of the two men comes to them and to none else.
    assert_eq!(visit(&program, Plies(100), Moves).len(), 4);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    // Rides and flights that may all be the same moves.
    let mixed: String = (0..59)
        .map(
            |n| if n % 2 == 0 { format!("(ride man (bends {n}))") } else { "(fly man)".to_owned() },
        )
        .collect();
    let rides = source(128).split_once("(or ").unwrap().0.to_owned();
    let mixed = format!("{rides}(or {mixed})) (end (stuck draw)) (limits (quiet 30)))");
    let begun = Instant::now();
    super::program(&mixed);
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}
