use std::collections::BTreeSet;
use std::sync::Arc;

use treegauge_catalog::GameSpec;
use treegauge_core::{Player, ReportHeader};
use treegauge_doc::{STYLE, Svg};
use treegauge_engine::{CutLimits, CutTree, Engine, Line, PlayerSpec, StartingPoint};
use treegauge_search::picture::{Limits, Shown, Style, TreeSelection, pick};
use treegauge_search::{Budget, DEFAULT_CP, Seed, Stopped};

use super::{CUT_TREE_BOARDS_DEFAULT, TREE_BOARDS_DEFAULT, cut_tree_svg, tree_picture, tree_svg};
use crate::{AlphaBetaSearchReport, Boards, NoBoards, ReachedBoard};

#[derive(Debug)]
struct OneGame(Arc<dyn Engine>);

impl OneGame {
    fn open(game: &str) -> OneGame {
        OneGame(treegauge_engine::open(&GameSpec::parse(game).unwrap()).unwrap())
    }

    fn after(&self, moves: &[&str]) -> Line {
        let mut line = self.0.start();
        line.play_texts(moves).unwrap();
        line
    }

    fn grown(&self, moves: &[&str], iterations: u32, limits: Limits) -> TreeSelection {
        let line = self.after(moves);
        let mut uct = self.0.uct(Budget::iterations(iterations), DEFAULT_CP);
        let _ = uct.search(&line, &mut Seed(1).generator(), &mut || false);
        pick(&uct.outline(&line, &self.0.info().canonical_name, 1), Style::Plain, limits)
    }

    fn cut(&self, moves: &[&str], nodes_max: usize) -> CutTree {
        let player = PlayerSpec::parse("alphabeta").unwrap();
        let limits = CutLimits { nodes_max, depth_max: 6 };
        CutTree::of(self.0.as_ref(), &self.after(moves), &player, limits, &[], &()).unwrap()
    }
}

impl Boards for OneGame {
    fn text(&self, _: &str) -> String {
        String::new()
    }

    fn svg(&self, _: &str) -> Svg {
        Svg::default()
    }

    fn reached(&self, position: &str, moves: &[&str]) -> Option<ReachedBoard> {
        let position = Some(position.to_owned());
        let line = self.0.begin(&StartingPoint { position, moves: Vec::new() }).ok()?;
        ReachedBoard::of(line, moves)
    }
}

/// Values of an attribute, in order.
fn values<'a>(svg: &'a str, attribute: &str) -> Vec<&'a str> {
    let begin = format!(" {attribute}=\"");
    svg.split(&begin[..]).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

fn boards_in(svg: &str) -> usize {
    svg.matches("<g class=\"position\" transform").count()
}

/// Contents of all titles.
fn titles(svg: &str) -> Vec<&str> {
    svg.split("<title>").skip(1).filter_map(|rest| rest.split("</title>").next()).collect()
}

/// Checks that a picture only draws, that its parts are defined, and that its nodes do not overlap.
fn check(svg: &str) {
    let (before, style) = svg.split_once("<style>").unwrap();
    let (style, after) = style.split_once("</style>").unwrap();
    let drawn = format!("{before}{after}");
    assert!(!Svg::new(drawn.trim()).is_empty(), "{drawn}");
    // A rule for elements of other pictures would change them in a page that has several.
    let scoped = style.replace("@media screen and (prefers-color-scheme: dark) {", "");
    let selectors = scoped.split('}').filter_map(|rule| rule.split_once('{'));
    for selector in selectors.flat_map(|(selectors, _)| selectors.split(',')) {
        let own = [".game-tree", ".tree-board "];
        assert!(own.iter().any(|own| selector.trim().starts_with(own)), "{selector}");
    }
    let used: BTreeSet<&str> = values(svg, "href").into_iter().collect();
    let defined: BTreeSet<String> = svg
        .split("<g id=\"")
        .skip(1)
        .filter_map(|rest| Some(format!("#{}", rest.split('"').next()?)))
        .collect();
    assert_eq!(used, defined.iter().map(String::as_str).collect());
    // The style of dark mode knows each class of the tree with a colour.
    let classes: BTreeSet<&str> =
        values(svg, "class").into_iter().flat_map(str::split_whitespace).collect();
    let around = ["game-tree", "position", "tree-board"];
    for class in classes.into_iter().filter(|class| !around.contains(class)) {
        let known = [format!(".game-tree .{class}"), format!(".tree-board .{class}")];
        let is_known = known.iter().any(|known| style.contains(&format!("{known} ")))
            || known.iter().any(|known| style.contains(&format!("{known},")))
            || ["marked", "marked-line"].contains(&class);
        assert!(is_known, "dark mode has no colour of {class}");
    }
}

/// Frames of nodes: left, top, width and height.
fn frames(svg: &str) -> Vec<[f64; 4]> {
    let is_frame = |line: &&str| line.contains("class=\"box\"") || line.contains("-frame\"");
    let frame = |line: &str| {
        ["x", "y", "width", "height"].map(|name| values(line, name)[0].parse().unwrap())
    };
    svg.lines().filter(is_frame).map(frame).collect()
}

fn check_apart(frames: &[[f64; 4]]) {
    for (n, a) in frames.iter().enumerate() {
        for b in &frames[..n] {
            let apart = |axis: usize| {
                a[axis] + a[axis + 2] < b[axis] + 0.1 || b[axis] + b[axis + 2] < a[axis] + 0.1
            };
            assert!(apart(0) || apart(1), "{a:?} {b:?}");
        }
    }
}

#[test]
fn nodes_of_uct_have_boards_titles_and_room() {
    let room = Limits { nodes_max: 300, depth_max: 9, ..Limits::default() };
    for (name, moves, limits) in [
        ("tic_tac_toe", &["b2", "a1"][..], Limits::default()),
        ("connect_four", &[], Limits::default()),
        ("kalah", &[], Limits::default()),
        ("dots_and_boxes", &[], Limits::default()),
        ("nine_mens_morris", &[], Limits::default()),
        ("hex(size=5)", &[], Limits::default()),
        ("sim", &["ab"], Limits::default()),
        ("othello", &[], room),
    ] {
        let game = OneGame::open(name);
        let picked = game.grown(moves, 3_000, limits);
        let is_node = |node: &&_| {
            let node: &treegauge_search::picture::PickedNode = node;
            matches!(node.what, Shown::Node(_))
        };
        let nodes = picked.nodes.iter().filter(is_node).count();
        let svg = tree_svg(&picked, &game, TREE_BOARDS_DEFAULT);
        check(&svg);
        check_apart(&frames(&svg));
        assert_eq!(frames(&svg).len(), nodes, "{name}");
        assert_eq!(boards_in(&svg), nodes.min(TREE_BOARDS_DEFAULT), "{name}");
        assert_eq!(titles(&svg).len(), nodes, "{name}");
        assert!(titles(&svg)[0].starts_with("start: 3000 visits"), "{}", titles(&svg)[0]);
        // All boards but the first mark a move.
        let marks: Vec<&str> = svg
            .split("<g id=\"")
            .filter(|part| part.contains("class=\"marked"))
            .map(|part| part.split('"').next().unwrap())
            .collect();
        let pictures: Vec<&str> = svg.split("<g class=\"position\" transform").skip(1).collect();
        for (n, picture) in pictures.iter().enumerate() {
            let elements = picture.split("</g>").next().unwrap();
            let is_marked = marks.iter().any(|id| elements.contains(id));
            assert_eq!(is_marked, n > 0, "{name}: board {n}");
        }
        // Parts of boards are defined once, so a board takes little more than a line for each man.
        let most = 20_000 + 900 * picked.nodes.len() + 2_000 * TREE_BOARDS_DEFAULT;
        assert!(svg.len() < most, "{name}: {} bytes, more than {most}", svg.len());
    }
}

#[test]
fn the_principal_variation_and_the_most_visited_nodes_have_the_boards() {
    let game = OneGame::open("connect_four");
    let picked = game.grown(&[], 2_000, Limits::default());
    let shown = |n: usize| match &picked.nodes[n].what {
        Shown::Node(shown) => Some(shown),
        Shown::Folded { .. } => None,
    };
    let principal =
        (0..picked.nodes.len()).filter(|&n| shown(n).is_some_and(|node| node.principal)).count();
    let svg = tree_svg(&picked, &game, principal);
    assert_eq!(boards_in(&svg), principal);
    assert!(svg.contains(">boards: the positions of the principal variation"), "{svg}");
    for groups in svg.split("<g role=\"img\">").skip(1) {
        let is_thick = groups.contains("stroke-width=\"2.2\"");
        assert_eq!(groups.contains("class=\"position\""), is_thick, "{groups}");
    }
    assert_eq!(boards_in(&tree_svg(&picked, &game, principal + 5)), principal + 5);
    let without = tree_svg(&picked, &game, 0);
    assert_eq!(without, tree_svg(&picked, &NoBoards, 44), "without boards nodes are text");
    assert!(!without.contains("boards:") && !without.contains("<defs>"));
}

#[test]
fn a_page_has_the_same_picture_without_a_style_of_its_own() {
    let game = OneGame::open("tic_tac_toe");
    let picked = game.grown(&[], 500, Limits::default());
    let (page, file) = (tree_picture(&picked, &game, 44), tree_svg(&picked, &game, 44));
    let (before, after) = file.split_once("<style>").unwrap();
    let (style, after) = after.split_once("</style>\n").unwrap();
    assert_eq!(page.as_str(), format!("{before}{after}"));
    // The page has all rules of the file.
    let rules = style.lines().flat_map(|line| line.split('}'));
    let own = [".game-tree .", ".tree-board ."];
    for rule in rules.map(str::trim).filter(|rule| own.iter().any(|own| rule.starts_with(own))) {
        let rule = rule.replace(".tree-board ", ".position ");
        assert!(STYLE.contains(&rule), "{rule}");
    }
}

/// Report of an alpha-beta search.
fn found(depth: u32, best_move: &str) -> AlphaBetaSearchReport {
    AlphaBetaSearchReport {
        head: ReportHeader::NEW,
        game: "tic_tac_toe".to_owned(),
        position: String::new(),
        last_cells: Vec::new(),
        player: "alphabeta".to_owned(),
        turn: Player::First,
        best_move: best_move.to_owned(),
        value: Some(0.0),
        decided: None,
        plies_to_end: None,
        depth,
        nodes: 1,
        stopped: Stopped::Nodes,
        principal_variation: vec![best_move.to_owned()],
        tree: None,
    }
}

#[test]
fn a_tree_says_that_the_search_was_deeper() {
    let game = OneGame::open("tic_tac_toe");
    let shallow = game.cut(&[], 44);
    let depth = shallow.depth.unwrap();
    let words = |depth, best_move| cut_tree_svg(&found(depth, best_move), &shallow, 0);
    assert!(!words(depth, "a1").contains("the search itself"));
    let deeper = depth + 3;
    let same =
        format!("the search itself was {deeper} plies deep, has the value +0 and plays a1 too");
    assert!(words(deeper, "a1").contains(&same));
    let other = format!("plays b2, which {depth} plies do not show");
    assert!(words(deeper, "b2").contains(&other));
}

#[test]
fn nodes_of_alpha_beta_have_boards_values_and_cuts() {
    let game = OneGame::open("tic_tac_toe");
    let whole = game.cut(&["a1", "b2", "c3"], 3_000);
    let found = found(9, "a3");
    assert!(whole.nodes.len() > 2 * CUT_TREE_BOARDS_DEFAULT, "{}", whole.nodes.len());
    let svg = cut_tree_svg(&found, &whole, CUT_TREE_BOARDS_DEFAULT);
    check(&svg);
    check_apart(&frames(&svg));
    assert_eq!(frames(&svg).len(), whole.nodes.len());
    assert_eq!(boards_in(&svg), CUT_TREE_BOARDS_DEFAULT);
    assert_eq!(titles(&svg).len(), whole.nodes.len());
    let cuts = whole.nodes.iter().filter(|node| !node.cut.is_empty()).count();
    assert_eq!(svg.matches(">cut:</text>").count(), cuts);
    assert!(titles(&svg).iter().any(|title| title.contains("; cut: ")), "{svg}");
    let all = cut_tree_svg(&found, &whole, usize::MAX);
    assert_eq!(boards_in(&all), whole.nodes.len());
    check_apart(&frames(&all));
}
