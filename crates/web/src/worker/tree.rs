//! Search trees: growing one, and the parts of it that a page shows.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use treegauge::board::Side;
use treegauge::engine::{PlayerSpec, UctPlayer};
use treegauge::report::{ShownBoard, TREE_BOARDS_DEFAULT, outcome_words, tree_svg};
use treegauge::search::picture::{self, Limits, Style};
use treegauge::search::{FEATURES, ShapeOptions, Stopped};
use treegauge::{Error, ErrorKind, GrowingSearch, Line, Watch};

use super::Reply;
use super::kept::{At, Kept, Until};
use crate::workspace::Workspace;

/// The time for the growth of a tree. The rest of the time of the request is for the answer.
const SEARCH_TIME: Duration = Duration::from_millis(28_500);

/// Children that an open node shows: the root and the chosen node, and nodes on the way there. Others
/// have a number of their own.
pub(crate) const SHOWN: usize = 50;
const SHOWN_ON_THE_WAY: usize = 8;

/// Plies of the principal variation that are open at first, and rows after which no more are opened.
const PLIES_OPEN: usize = 6;
const ROWS_MAX: usize = 140;

/// The greatest number of rectangles of the overview, and the least share of all visits of one.
const RECTANGLES_MAX: usize = 500;
const SHARE_MIN: f64 = 0.002;

/// A search whose tree is looked at.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Grown {
    pub(crate) at: At,
    /// The search as a player: `uct(iterations=N,...)`.
    pub(crate) player: String,
    pub(crate) seed: u64,
}

/// The state of a search.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Growth {
    pub(crate) iterations: u32,
    pub(crate) nodes: u32,
    pub(crate) memory_bytes: u64,
    pub(crate) stopped: Stop,
}

/// The reason why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stop {
    /// It made its iterations.
    Iterations,
    /// The result is proved.
    Proved,
    /// The tree reached its limit of nodes.
    Nodes,
    /// The time was over.
    Time,
}

/// The part of a tree that a page shows.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct View {
    /// Name of the game with its parameters.
    pub(crate) name: String,
    pub(crate) growth: Growth,
    pub(crate) turn: Side,
    /// Rows of the outline.
    pub(crate) rows: Vec<Row>,
    /// The line that the search expects.
    pub(crate) expected: Vec<String>,
    pub(crate) rectangles: Vec<Rectangle>,
    pub(crate) features: Vec<Feature>,
    pub(crate) node: Node,
}

/// A row of the outline.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Row {
    /// A node.
    Node(Child),
    /// Children that are folded.
    Folded {
        /// Moves to their parent.
        parent: Vec<String>,
        /// Number of children of the parent that are shown.
        from: usize,
        count: usize,
        visits: u64,
    },
}

/// A node of the outline.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Child {
    /// Moves from the root.
    pub(crate) path: Vec<String>,
    pub(crate) by: Side,
    pub(crate) visits: u32,
    /// Its visits as a share of those of its siblings together.
    pub(crate) share: f64,
    /// Average result for the player who makes the move, -1 to 1, with its 95% interval.
    pub(crate) value: f64,
    pub(crate) interval: [f64; 2],
    /// Proved result for the same player: 1 a win, 0 a draw, -1 a loss.
    pub(crate) proved: Option<i32>,
    pub(crate) legal_moves: u32,
    pub(crate) tried_moves: u32,
    pub(crate) is_open: bool,
    /// Whether the search expects the move.
    pub(crate) is_expected: bool,
}

/// A rectangle of the overview. Places are shares of the width.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Rectangle {
    pub(crate) path: Vec<String>,
    pub(crate) from: f64,
    pub(crate) width: f64,
    pub(crate) visits: u32,
    pub(crate) value_for_first: f64,
}

/// A feature of the tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Feature {
    pub(crate) name: String,
    pub(crate) unit: String,
    pub(crate) meaning: String,
    pub(crate) value: f64,
}

/// The node that was chosen.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Node {
    pub(crate) path: Vec<String>,
    pub(crate) position: String,
    pub(crate) turn: Side,
    pub(crate) board: ShownBoard,
    /// Result in words if the game is over there.
    pub(crate) ended: Option<String>,
    /// The node as a row; `None` at the root.
    pub(crate) child: Option<Child>,
}

/// Form of an exported tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TreeForm {
    /// A picture of its main part.
    Svg,
    /// The same part for GraphViz.
    Dot,
    /// The same part as JSON.
    Json,
    /// All nodes as JSON.
    Whole,
}

/// Reads the search of a tree.
fn uct_of(grown: &Grown) -> Result<UctPlayer, Error> {
    let spec = PlayerSpec::parse(&grown.player)?;
    let uct = spec.get::<UctPlayer>().copied();
    let uct = uct.filter(|uct| !uct.variant.reuse);
    uct.ok_or_else(|| {
        Error::new(ErrorKind::Usage, "a tree is grown by a player uct(...) without reuse")
    })
}

/// The searched tree; never kept from growing by time alone, unless `watch` says so.
fn tree<'k>(
    kept: &'k mut Kept,
    workspace: &Workspace,
    grown: &Grown,
    watch: &dyn Watch,
) -> Result<&'k mut GrowingSearch, Error> {
    let uct = uct_of(grown)?;
    let (_, line) = kept.line(workspace, &grown.at)?;
    if let Some(end) = line.ended() {
        let message = format!("nothing to search: the game is over by {}", end.by);
        return Err(Error::new(ErrorKind::Data, message));
    }
    kept.search(workspace, &grown.at, uct, grown.seed, watch)
}

fn growth(search: &GrowingSearch, wanted: u32) -> Growth {
    let found = search.found();
    let stopped = match found.stopped {
        _ if found.proved.is_some() => Stop::Proved,
        Stopped::Nodes | Stopped::Memory => Stop::Nodes,
        _ if found.iterations < wanted => Stop::Time,
        _ => Stop::Iterations,
    };
    Growth {
        iterations: found.iterations,
        nodes: search.node_count(),
        memory_bytes: search.memory_bytes(),
        stopped,
    }
}

pub(super) fn search(
    kept: &mut Kept,
    workspace: &Workspace,
    grown: &Grown,
) -> Result<Reply, Error> {
    let watch = Until(Instant::now() + SEARCH_TIME);
    let wanted = uct_of(grown)?.iterations;
    Ok(Reply::Growth(growth(tree(kept, workspace, grown, &watch)?, wanted)))
}

pub(super) fn view(
    kept: &mut Kept,
    workspace: &Workspace,
    grown: &Grown,
    node: &[String],
) -> Result<Reply, Error> {
    let watch = Until(Instant::now() + SEARCH_TIME);
    let wanted = uct_of(grown)?.iterations;
    let (game, root) = kept.line(workspace, &grown.at)?;
    let search = tree(kept, workspace, grown, &watch)?;
    let expected = root.line_texts(&search.principal_variation());
    let (node, open) = node_of(search, &root, node)?;
    let features = search.shape(ShapeOptions::default()).map_or_else(Vec::new, |shape| {
        let feature = |feature: &treegauge::search::Feature| Feature {
            name: feature.name.to_owned(),
            unit: feature.unit.to_owned(),
            meaning: feature.meaning.to_owned(),
            value: (feature.of)(&shape),
        };
        FEATURES.iter().map(feature).collect()
    });
    let mut outline =
        Outline { search, root: &root, expected: &expected, chosen: &open, rows: Vec::new() };
    outline.open(&[]);
    let rows = outline.rows;
    Ok(Reply::View(Box::new(View {
        name: game.name(),
        growth: growth(search, wanted),
        turn: root.turn(),
        rows,
        rectangles: rectangles(search, &root),
        expected,
        features,
        node,
    })))
}

/// The chosen node and its moves as the game writes them.
fn node_of(
    search: &GrowingSearch,
    root: &Line,
    node: &[String],
) -> Result<(Node, Vec<String>), Error> {
    let mut line = root.clone();
    let mut path = Vec::new();
    let mut child = None;
    let begin = root.played().len();
    for text in node {
        child = children(search, root, &path)
            .into_iter()
            .find(|child| child.path.last().is_some_and(|last| last.eq_ignore_ascii_case(text)));
        let Some(found) = &child else {
            let message = format!("the tree has no node {}", node.join(" "));
            return Err(Error::new(ErrorKind::Data, message));
        };
        path.clone_from(&found.path);
        line.play_text(text).map_err(|error| Error::new(ErrorKind::Data, error))?;
    }
    assert_eq!(line.played().len(), begin + path.len());
    let node = Node {
        path: path.clone(),
        position: line.position_text(),
        turn: line.turn(),
        board: ShownBoard::of(&line),
        ended: line
            .ended()
            .map(|end| format!("{} (ended by {})", outcome_words(end.outcome), end.by)),
        child,
    };
    Ok((node, path))
}

/// Children of a node, the most visited first; empty if the tree has none there.
fn children(search: &GrowingSearch, root: &Line, path: &[String]) -> Vec<Child> {
    let mut line = root.clone();
    let mut numbers = Vec::new();
    for text in path {
        match line.play_text(text) {
            Ok(number) => numbers.push(number),
            Err(_) => return Vec::new(),
        }
    }
    let by = line.turn();
    let mut moves = search.children(&numbers).unwrap_or_default();
    moves.sort_by_key(|tried| Reverse(tried.visits));
    let all: u64 = moves.iter().map(|tried| u64::from(tried.visits)).sum();
    let child = |tried: &_| {
        let tried: &treegauge::engine::SearchedMove = tried;
        Child {
            path: path.iter().chain([&tried.text]).cloned().collect(),
            by,
            visits: tried.visits,
            share: f64::from(tried.visits) / (all as f64).max(1.0),
            value: tried.value,
            interval: tried.interval,
            proved: tried.proved,
            legal_moves: tried.legal_moves,
            tried_moves: tried.tried_moves,
            is_open: false,
            is_expected: false,
        }
    };
    moves.iter().map(child).collect()
}

/// The outline while it is made.
struct Outline<'a> {
    search: &'a GrowingSearch,
    root: &'a Line,
    expected: &'a [String],
    chosen: &'a [String],
    rows: Vec<Row>,
}

impl Outline<'_> {
    /// Adds the children of a node. Recursion follows lines that are open: a few plies of the principal
    /// variation, and the moves that a user chose.
    fn open(&mut self, path: &[String]) {
        let is_end = path == self.chosen;
        let most = if path.is_empty() || is_end { SHOWN } else { SHOWN_ON_THE_WAY };
        let all = children(self.search, self.root, path);
        // The child on the way to the chosen node is always shown.
        let way = self.chosen.get(path.len()).filter(|_| self.chosen.starts_with(path));
        let place =
            way.and_then(|text| all.iter().position(|child| child.path.last() == Some(text)));
        let shown = heavy(&all, most).max(place.map_or(0, |place| place + 1));
        let is_on_expected = self.expected.starts_with(path);
        let expected = self.expected.get(path.len()).filter(|_| is_on_expected);
        for mut child in all[..shown].iter().cloned() {
            let path = child.path.clone();
            child.is_expected = expected.is_some_and(|text| path.last() == Some(text));
            let is_asked = self.chosen.starts_with(&path);
            let is_pv = child.is_expected && path.len() < PLIES_OPEN && self.rows.len() < ROWS_MAX;
            child.is_open = child.tried_moves > 0 && (is_asked || is_pv);
            let is_open = child.is_open;
            self.rows.push(Row::Node(child));
            if is_open {
                self.open(&path);
            }
        }
        self.rows.extend(folded(&all, path, shown));
    }
}

/// The least number of children that are shown, whatever their visits.
const SHOWN_MIN: usize = 8;

/// Number of children that are shown at first: those with one in a hundred of the visits, and at least
/// [`SHOWN_MIN`].
fn heavy(all: &[Child], most: usize) -> usize {
    let heavy = all.iter().take_while(|child| child.share >= 0.01).count();
    heavy.max(SHOWN_MIN).min(most).min(all.len())
}

/// The row of the children after the first `shown`; `None` if there are no more.
fn folded(all: &[Child], parent: &[String], shown: usize) -> Option<Row> {
    let rest = &all[shown..];
    let visits = rest.iter().map(|child| u64::from(child.visits)).sum();
    (!rest.is_empty()).then(|| Row::Folded {
        parent: parent.to_vec(),
        from: shown,
        count: rest.len(),
        visits,
    })
}

/// Rows of the children of a node: those with one in a hundred of the visits, or the next
/// [`SHOWN`] after the first `from`.
pub(super) fn rows(
    kept: &mut Kept,
    workspace: &Workspace,
    grown: &Grown,
    path: &[String],
    from: usize,
) -> Result<Reply, Error> {
    let watch = Until(Instant::now() + SEARCH_TIME);
    let (_, root) = kept.line(workspace, &grown.at)?;
    let search = tree(kept, workspace, grown, &watch)?;
    let (node, path) = node_of(search, &root, path)?;
    let all = children(search, &root, &path);
    let begin = from.min(all.len());
    let end = if from == 0 { heavy(&all, SHOWN) } else { (begin + SHOWN).min(all.len()) };
    let expected = root.line_texts(&search.principal_variation());
    let expected = expected.get(path.len()).filter(|_| expected.starts_with(&path));
    let shown = all[begin..end].iter().cloned().map(|mut child| {
        child.is_expected = child.path.last() == expected;
        Row::Node(child)
    });
    let mut rows: Vec<Row> = shown.collect();
    rows.extend(folded(&all, &path, end));
    let count = all.len();
    Ok(Reply::Rows { path: node.path, count, rows })
}

/// Rectangles of the overview: the most visited nodes, each below its parent.
fn rectangles(search: &GrowingSearch, root: &Line) -> Vec<Rectangle> {
    /// A node whose children are not drawn yet, by its visits.
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    struct Open(u32, Reverse<usize>);

    let whole = Rectangle {
        path: Vec::new(),
        from: 0.0,
        width: 1.0,
        visits: search.found().iterations,
        value_for_first: search.found().mean_for_first,
    };
    let mut all = vec![whole];
    let mut open = BinaryHeap::from([Open(u32::MAX, Reverse(0))]);
    while let Some(Open(_, Reverse(n))) = open.pop() {
        let (path, mut from, width) = (all[n].path.clone(), all[n].from, all[n].width);
        for child in children(search, root, &path) {
            let width = width * child.share;
            if width < SHARE_MIN {
                break;
            }
            if all.len() == RECTANGLES_MAX {
                return all;
            }
            if child.tried_moves > 0 {
                open.push(Open(child.visits, Reverse(all.len())));
            }
            let value_for_first = child.value * f64::from(child.by.sign());
            all.push(Rectangle {
                path: child.path,
                from,
                width,
                visits: child.visits,
                value_for_first,
            });
            from += width;
        }
    }
    all
}

pub(super) fn export(
    kept: &mut Kept,
    workspace: &Workspace,
    grown: &Grown,
    form: TreeForm,
) -> Result<Reply, Error> {
    let watch = Until(Instant::now() + SEARCH_TIME);
    let game = kept.game(workspace, &grown.at.game)?.clone();
    let search = tree(kept, workspace, grown, &watch)?;
    let outline = search.outline(&game.name(), grown.seed);
    let picked = || {
        picture::pick(&outline, Style::Plain, Limits { nodes_max: ROWS_MAX, ..Limits::default() })
    };
    Ok(Reply::Part(match form {
        TreeForm::Svg => tree_svg(&picked(), &game, TREE_BOARDS_DEFAULT),
        TreeForm::Dot => picture::dot(&picked()),
        TreeForm::Json => serde_json::to_string(&picked()).unwrap_or_default(),
        TreeForm::Whole => picture::json(&outline),
    }))
}
