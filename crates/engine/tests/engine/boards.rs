//! Positions as boards, and the cells that moves touch.

use std::collections::{HashMap, HashSet};

use treegauge_core::{Board, CellShape, MovePath, Role};
use treegauge_engine::StartingPoint;
use treegauge_search::Seed;

use crate::common::{all_engines, open};

/// The contents of the cells, and the words beside them.
fn seen(board: &Board) -> String {
    let contents: Vec<&str> = board.cells.iter().map(|cell| cell.contents.as_str()).collect();
    format!("{} {}", contents.join("/"), board.beside.join("/"))
}

#[test]
fn moves_are_told_apart_by_their_cells_and_choices() {
    for (engine, is_family) in all_engines() {
        let name = &engine.info().canonical_name;
        let mut known: HashMap<String, String> = HashMap::new();
        for seed in 0..2 {
            let (mut line, mut rng) = (engine.start(), Seed(seed).generator());
            for _ in 0..60 {
                let (board, at) = (line.board(), format!("{name} at {}", line.position_text()));
                if is_family {
                    let seen = format!("{} {:?}", seen(&board), line.turn());
                    let text = known.entry(seen).or_insert_with(|| line.position_text());
                    assert_eq!(*text, line.position_text(), "two positions look alike in {name}");
                }
                assert_eq!(line.board_svg(), board.svg(), "{at}");
                let paths = line.paths(&board);
                let texts: Vec<String> = paths.iter().map(|path| path.text.clone()).collect();
                assert_eq!(texts, line.moves(), "{at}");
                let cells = |path: &MovePath| -> Vec<usize> {
                    path.path.iter().map(|touch| touch.cell).collect()
                };
                let by_cells = |path: &MovePath| (cells(path), path.choice.clone());
                let told: HashSet<_> = paths.iter().map(by_cells).collect();
                assert_eq!(told.len(), paths.len(), "{at}: {paths:?}");
                // A text names the cells in the order in which the move touches them; pits have numbers.
                let is_named = !board.cells.iter().any(|cell| cell.shape == CellShape::Pit);
                for path in paths.iter().filter(|_| !is_family && is_named) {
                    let chosen = path.path.iter().filter(|touch| touch.role != Role::Over);
                    let rest = chosen.fold(path.text.as_str(), |rest, touch| {
                        let after = rest.split_once(&board.cells[touch.cell].name);
                        after.unwrap_or_else(|| panic!("{at}: {path:?}")).1
                    });
                    assert!(rest.len() < path.text.len() || path.path.is_empty());
                }
                for (number, path) in (0..).zip(&paths).take(20) {
                    assert_eq!(line.move_cells(number), path.path, "{at}: {path:?}");
                    // Only moves that need one have a choice.
                    let alike = paths.iter().filter(|other| cells(other) == cells(path)).count();
                    let has_choice = path.path.is_empty() || alike > 1;
                    assert_eq!(path.choice.is_some(), has_choice, "{at}: {path:?}");
                }
                let Some(number) = line.ended().is_none().then(|| line.random_move(&mut rng))
                else {
                    assert!(paths.is_empty(), "{at}: the game is over");
                    break;
                };
                line.play(number.unwrap());
            }
            let board = line.board();
            let text = serde_json::to_string(&board).unwrap();
            assert_eq!(serde_json::from_str::<Board>(&text).unwrap(), board);
        }
    }
}

#[test]
fn moves_touch_what_their_rules_say() {
    use Role::{From, Over, Removed, To};
    let of = |game: &str, position: Option<&str>, text: &str| {
        let position = position.map(str::to_owned);
        let line = open(game).begin(&StartingPoint { position, moves: Vec::new() }).unwrap();
        let board = line.board();
        let path = line.paths(&board).into_iter().find(|path| path.text == text).unwrap();
        let cells =
            path.path.iter().map(|touch| (board.cells[touch.cell].name.clone(), touch.role));
        (cells.collect::<Vec<_>>(), path.choice)
    };
    let on = |cells: &[(&str, Role)]| -> Vec<(String, Role)> {
        cells.iter().map(|&(name, role)| (name.to_owned(), role)).collect()
    };
    for (game, position, text, cells) in [
        ("connect_four", None, "d", &[("d1", To)][..]),
        ("connect_four", Some("7/7/7/7/3o3/3x3 x"), "d", &[("d3", To)]),
        ("breakthrough", None, "a2-b3", &[("a2", From), ("b3", To)]),
        (
            "checkers",
            Some("8/8/3o4/8/3o4/2x5/8/8 x"),
            "c3xe5xc7",
            &[("c3", From), ("d4", Over), ("e5", To), ("d6", Over), ("c7", To)],
        ),
        ("kalah", None, "3", &[("x3", From)]),
        ("oware", Some("4,4,4,4,4,4 0 4,4,4,4,4,4 0 o"), "6", &[("o6", From)]),
        ("dots_and_boxes", None, "v23", &[("v23", To)]),
        ("dots_corridor", None, "3", &[("3", To)]),
        ("finger_game", None, "LR", &[("xL", From), ("oR", To)]),
        ("qubic", None, "213", &[("213", To)]),
        ("one_to_ten", Some("3 x"), "2", &[("point 5", To)]),
        (
            "isolation(cols=3,rows=3,piece=king_remove)",
            Some("..o/.../x.. x"),
            "b1-a1",
            &[("a1", From), ("b1", To), ("a1", Removed)],
        ),
        (
            "nine_mens_morris",
            Some("o--.--./-o-.-.-/--...--/...-.../--...--/-.-.-.-/x--x--. x 14"),
            "g1xa7",
            &[("g1", To), ("a7", Removed)],
        ),
    ] {
        assert_eq!(of(game, position, text), (on(cells), None), "{game}: {text}");
    }
    // Where cells are not enough, the text of the move is its name.
    for (game, position, text, cells) in [
        ("wild_tic_tac_toe", None, "Xa1", &[("a1", To)][..]),
        ("finger_game", Some("30 11 x"), "S2", &[("xL", From), ("xR", To)]),
        ("dipole", None, "e1-off:12", &[("e1", From)]),
        ("one_to_ten(target=100)", None, "1", &[]),
    ] {
        assert_eq!(of(game, position, text), (on(cells), Some(text.to_owned())), "{game}: {text}");
    }
}

#[test]
fn boards_say_what_they_hold() {
    let said = |game: &str, position: &str, name: &str| {
        let position = Some(position.to_owned());
        let line = open(game).begin(&StartingPoint { position, moves: Vec::new() }).unwrap();
        let board = line.board();
        board.cells[board.cell(name).unwrap()].contents.clone()
    };
    for (game, position, name, contents) in [
        ("kalah", "4,4,0,5,5,5 1 4,4,4,4,4,4 0 o", "x3", "empty"),
        ("kalah", "4,4,0,5,5,5 1 4,4,4,4,4,4 0 o", "o1", "4 seeds"),
        ("kalah", "4,4,0,5,5,5 1 4,4,4,4,4,4 0 o", "store x", "1 seed"),
        ("checkers", "8/8/3o4/8/3O4/2x5/8/8 x", "d4", "second player's king"),
        ("checkers", "8/8/3o4/8/3O4/2x5/8/8 x", "c3", "first player's man"),
        ("checkers", "8/8/3o4/8/3O4/2x5/8/8 x", "h8", "empty"),
        ("isolation(cols=3,rows=3)", "..o/.#./x.. o", "b2", "blocked"),
        ("alak(length=7)", "o.xo.o* x", "g", "forbidden"),
        ("wild_tic_tac_toe", "..O/.../X.. x", "c3", "O"),
    ] {
        assert_eq!(said(game, position, name), contents, "{game}: {name} in {position}");
    }
}
