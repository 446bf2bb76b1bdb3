//! Pages and pictures about a game have its name, its rules, the last move and the searched tree.

use crate::common::{Fields, Room};

/// Number of cells that a picture marks.
fn marks(picture: &str) -> usize {
    let classes = picture.split("class=\"").skip(1);
    classes.filter(|class| class.starts_with("marked")).count()
}

/// Figure of the searched tree on a page, if it has one.
fn tree(page: &str) -> Option<&str> {
    let figures = page.split("<figure").skip(1);
    let mut trees = figures.filter(|figure| figure.contains("class=\"game-tree\""));
    let tree = trees.next()?;
    assert!(trees.next().is_none(), "a page has one tree");
    tree.split("</figure>").next()
}

#[test]
fn pages_of_one_game_have_its_name_and_rules() {
    let room = Room::new();
    let rules = "removes a line of pegs";
    room.write(
        "pegs.rules",
        format!(
            "(game \"Pegs in a row\" (about \"Each player {rules}.\") (board (grid 3 1)) (pieces (peg each))
              (play (place)) (end (if (none empty) (win mover))))"
        ),
    );
    for command in [
        "solve pegs.rules",
        "search pegs.rules --iterations 50",
        "search pegs.rules --player 'alphabeta(depth=2)'",
        "show pegs.rules --moves a1",
        "match pegs.rules random random --games 2 --record record",
        "replay record --game 1",
        "tournament pegs.rules random 'uct(iterations=5)' --games 2",
    ] {
        let page = room.page(command);
        assert!(page.contains("<h1>Pegs in a row</h1>"), "{command}");
        assert!(page.contains(rules), "{command}");
    }
}

#[test]
fn a_page_of_a_search_has_its_tree() {
    let room = Room::new();
    let uct = room.page("search tic_tac_toe --iterations 60");
    assert!(tree(&uct).unwrap().contains("b2"), "the tree has the moves");
    let cut = "search tic_tac_toe --player 'alphabeta(depth=3)' --moves 'a1 b2 c3 a3'";
    let page = room.page(cut);
    let found = tree(&page).unwrap();
    assert!(found.contains("cut"), "{found}");
    // A saved report does not keep the tree, and its page has none.
    room.save("saved.json", cut);
    assert_eq!(tree(&room.page("report saved.json")), None);
}

#[test]
fn pictures_mark_the_last_move() {
    let room = Room::new();
    let shown = |moves: &str| {
        room.stdout(format!("show tic_tac_toe --moves '{moves}' --svg shown.svg --force"));
        room.text("shown.svg")
    };
    assert_eq!(marks(&shown("")), 0, "no move was made");
    assert_eq!(marks(&shown("a1 b2")), 1);
    // A step is marked where it began and where it ended.
    room.stdout("show hare_and_hounds --moves 'l-m1' --svg step.svg");
    assert_eq!(marks(&room.text("step.svg")), 2);

    for command in [
        "show tic_tac_toe --moves 'a1 b2'",
        "search tic_tac_toe --moves 'a1 b2' --iterations 30",
        "search tic_tac_toe --moves 'a1 b2' --player 'alphabeta(depth=1)'",
    ] {
        let page = room.page(command);
        let board = page.split("<svg").nth(1).unwrap().split("</svg>").next().unwrap();
        assert_eq!(marks(board), 1, "{command}");
    }

    room.stdout("match tic_tac_toe random random --games 2 --seed 3 --record match");
    let page = room.page("replay match --game 1");
    let plies = room.json("replay match --game 1 --svg-dir pictures").whole("/plies") as usize;
    let files = room.names("pictures");
    assert_eq!(files.len(), plies + 1);
    for (ply, file) in files.iter().enumerate() {
        assert_eq!(marks(&room.text(&format!("pictures/{file}"))), usize::from(ply > 0), "{file}");
    }
    assert_eq!(marks(&page), plies, "each board of the page but the first has a mark");
}
