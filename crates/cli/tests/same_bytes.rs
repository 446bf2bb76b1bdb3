//! The same seed gives the same bytes, for any number of threads.

use serde_json::Value;

use crate::common::{Fields, Room, json, solved, unsigned};

/// Answer of a command as JSON, from which its text follows, its page, and the file of an option.
fn printed(room: &Room, command: &str, file: &str) -> [Vec<u8>; 3] {
    let mut answer = room.answer(format!("{command} --html page.html --force"));
    // Times and sizes of memory differ.
    let fields = answer.as_object_mut().unwrap();
    let is_timed = fields.remove("cpu_s").is_some() && fields.remove("peak_memory_bytes").is_some();
    let page = if is_timed { String::new() } else { unsigned(&room.text("page.html")) };
    let file = if file.is_empty() { Vec::new() } else { room.bytes(file) };
    [answer.to_string().into_bytes(), page.into_bytes(), file]
}

#[test]
fn nothing_depends_on_the_threads() {
    let room = Room::new();
    let few = "--games 5 --iterations 60 --model none --seed 3";
    for (command, file) in [
        (format!("gauge tic_tac_toe {few}"), ""),
        (format!("gauge 'connect_four(cols=5,rows=4)' {few}"), ""),
        (format!("gauge 'dots_and_boxes(rows=2,cols=2)' {few}"), ""),
        ("solve 'connect_four(cols=4,rows=4)' -o file".to_owned(), "file"),
        ("solve 'connect_four(cols=4,rows=4)' --symmetry -o file".to_owned(), "file"),
        ("solve achi -o file".to_owned(), "file"),
        ("solve achi --symmetry -o file".to_owned(), "file"),
        ("puzzles achi --top 2".to_owned(), ""),
        ("interest tic_tac_toe --csv file".to_owned(), "file"),
        ("interest achi --csv file".to_owned(), "file"),
    ] {
        let one = printed(&room, &format!("{command} --threads 1"), file);
        for more in ["--threads 2", "--threads 4"] {
            let other = printed(&room, &format!("{command} {more}"), file);
            for (n, what) in ["JSON", "page", "file"].into_iter().enumerate() {
                assert!(one[n] == other[n], "the {what} of {command} differs with {more}");
            }
        }
    }
}

#[test]
fn puzzles_and_interestingness_do_not_depend_on_the_source_of_the_solution() {
    let room = Room::new();
    let one = printed(&room, "puzzles achi --top 2", "");
    solved(&room, "file", "achi");
    assert!(printed(&room, "puzzles file --top 2", "") == one, "the file shows");
    // Positions that are not stored are counted otherwise, but the puzzles are the same.
    solved(&room, "reduced", "achi --symmetry");
    for source in ["achi --symmetry", "reduced"] {
        let found = room.json(format!("puzzles {source} --top 2"));
        assert_eq!(found["puzzles"], room.json("puzzles achi --top 2")["puzzles"]);
    }
    for game in ["tic_tac_toe", "achi"] {
        let one = printed(&room, &format!("interest {game} --csv table"), "table");
        let reduced = printed(&room, &format!("interest {game} --symmetry --csv table"), "table");
        assert!(one == reduced, "the symmetry of {game} shows");
    }
}

#[test]
fn gauge_differs_with_the_seed() {
    let report =
        |seed: &str| json(format!("gauge connect_four --games 2 --iterations 30 --seed {seed}"));
    // The seed itself is in the report, so the trees are compared.
    assert_ne!(report("1")["tree"], report("2")["tree"]);
    // From 2^53 on a number of JSON would be rounded by most who read it.
    assert_eq!(report("18446744073709551615")["seed"], u64::MAX.to_string());
}

#[test]
fn search_is_the_same_twice_and_differs_with_the_seed() {
    let room = Room::new();
    let searched = |seed: &str| {
        let files = "--svg svg --dot dot --tree-json tree --force";
        let search = format!("search 'othello(size=6)' --iterations 800 --seed {seed}");
        let json = room.stdout(format!("{search} --json {files}"));
        [json, room.text("svg"), room.text("dot"), room.text("tree")]
    };
    let one = searched("5");
    assert_eq!(one, searched("5"));
    let other = searched("6");
    assert!((0..4).all(|n| one[n] != other[n]));
    // Apart from the seed, which the JSON names, the search itself is another one.
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_ne!(read(&one[0])["moves"], read(&other[0])["moves"]);

    // The exported tree is the tree of the report.
    let [report, svg, dot, tree] = one;
    let (report, tree) = (read(&report), read(&tree));
    let nodes = tree.list("/nodes");
    assert_eq!(nodes.len() as u64, report.whole("/nodes"));
    assert_eq!(nodes[0]["visits"], report["iterations"]);
    for row in report.list("/moves") {
        let found = nodes.iter().find(|node| node["parent"] == 0 && node["move"] == row["move"]);
        assert_eq!(found.expect("each tried move has a node")["visits"], row["visits"]);
    }
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>\n<!-- treegauge -->"));
    assert!(dot.starts_with("digraph") && dot.trim_end().ends_with('}'));
}
