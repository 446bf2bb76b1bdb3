//! Alpha-beta trees of few positions, with every value and every cut, as pictures.

use std::fmt::Write;

use treegauge_core::{Board, Player, Watch};
use treegauge_engine::{AlphaBetaPlayer, AlphaBetaSearch, Line, MoveBudget, PlayerSpec};
use treegauge_search::{AlphaBetaLimits, AlphaBetaOptions};

use crate::{Error, ErrorKind, Game};

/// Tree of an alpha-beta search without a table and without an order of moves, as textbooks draw
/// it: a move is cut if it cannot change the value of the root.
#[derive(Clone, Debug, PartialEq)]
pub struct CutTree {
    /// Name of the game.
    pub game: String,
    /// Nodes in the order of the search, each after its parent.
    pub nodes: Vec<CutNode>,
    /// Depth of the search in plies; `None` if every line goes to the end of the game.
    pub depth: Option<u32>,
    /// Number of positions of the same tree without cuts; `None` if there are more than
    /// [`CutTree::UNCUT_MAX`].
    pub uncut: Option<usize>,
}

/// Node of a [`CutTree`].
#[derive(Clone, Debug, PartialEq)]
pub struct CutNode {
    /// Index of the parent; `None` at the root.
    pub parent: Option<usize>,
    /// Move that led here; empty at the root.
    pub m: String,
    /// The position.
    pub board: Board,
    /// Player to move; `None` if the game is over.
    pub turn: Option<Player>,
    /// Value for the first player: plus or minus infinity for a won or lost game, 0 for a draw, and
    /// otherwise the value of the evaluator.
    pub value: f64,
    /// Relation of `value` to the exact value.
    pub bound: CutBound,
    /// Moves that the search left out.
    pub cut: Vec<String>,
    /// Whether the node lies on the line of best play.
    pub best: bool,
}

/// Meaning of the value of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutBound {
    /// The value itself.
    Exact,
    /// The value is at least this.
    AtLeast,
    /// The value is at most this.
    AtMost,
}

/// Limits of a [`CutTree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CutLimits {
    /// Most nodes.
    pub nodes_max: usize,
    /// Most plies below the root.
    pub depth_max: u32,
}

/// Reason that a tree was not grown.
enum Failure {
    TooLarge,
    Error(Error),
}

struct Growth<'a> {
    search: Box<dyn AlphaBetaSearch>,
    nodes: Vec<CutNode>,
    /// Child with the value of each node.
    best: Vec<Option<usize>>,
    nodes_max: usize,
    /// Whether the evaluator was asked for a value.
    evaluated: bool,
    watch: &'a dyn Watch,
}

impl Growth<'_> {
    /// Grows the tree below the position of a line. Returns the value for the first player.
    fn grow(
        &mut self,
        line: &mut Line,
        parent: Option<usize>,
        m: String,
        depth: u32,
        window: [f64; 2],
    ) -> Result<f64, Failure> {
        if self.nodes.len() >= self.nodes_max {
            return Err(Failure::TooLarge);
        }
        if self.watch.stop() {
            return Err(Failure::Error(Error::interrupted("the tree is not complete")));
        }
        let at = self.nodes.len();
        let ended = line.ended();
        let turn = ended.is_none().then(|| line.turn());
        let (value, bound, cut) = (0.0, CutBound::Exact, Vec::new());
        let mut board = line.board();
        // Labels and sentences are too small to be read in a tree.
        board.labels.clear();
        board.beside.clear();
        self.nodes.push(CutNode { parent, m, board, turn, value, bound, cut, best: false });
        self.best.push(None);
        let value = match (ended, depth) {
            (Some(ended), _) => match ended.outcome.value() {
                0 => 0.0,
                sign => f64::from(sign) * f64::INFINITY,
            },
            (None, 0) => self.evaluate(line)?,
            (None, _) => return self.choose(line, at, depth, window),
        };
        self.nodes[at].value = value;
        Ok(value)
    }

    /// Searches the moves of a node.
    fn choose(
        &mut self,
        line: &mut Line,
        at: usize,
        depth: u32,
        window: [f64; 2],
    ) -> Result<f64, Failure> {
        let sign = f64::from(line.turn().sign());
        let [mut alpha, mut beta] = window;
        let (mut value, mut is_exact) = (-sign * f64::INFINITY, true);
        let count = line.move_count();
        for number in 0..count {
            let (m, child) = (line.move_text(number), self.nodes.len());
            line.play(number);
            let found = self.grow(line, Some(at), m, depth - 1, [alpha, beta]);
            line.undo();
            let found = found?;
            is_exact &= self.nodes[child].bound == CutBound::Exact;
            if self.best[at].is_none() || sign * found > sign * value {
                (value, self.best[at]) = (found, Some(child));
            }
            if sign > 0.0 {
                alpha = alpha.max(value);
            } else {
                beta = beta.min(value);
            }
            if alpha >= beta && number + 1 < count {
                let left = (number + 1..count).map(|number| line.move_text(number));
                self.nodes[at].cut = left.collect();
                is_exact = false;
                break;
            }
        }
        // Nothing is better than a win.
        is_exact |= value == sign * f64::INFINITY || window[0] < value && value < window[1];
        self.nodes[at].value = value;
        self.nodes[at].bound = match () {
            () if is_exact => CutBound::Exact,
            () if value >= window[1] => CutBound::AtLeast,
            () => CutBound::AtMost,
        };
        Ok(value)
    }

    /// Value of a position by the evaluator.
    fn evaluate(&mut self, line: &Line) -> Result<f64, Failure> {
        self.evaluated = true;
        let found = self.search.search(line, AlphaBetaLimits::nodes(1), &mut || false);
        let found = found.map_err(|error| Failure::Error(error.into()))?;
        let sign = f64::from(line.turn().sign());
        let decided = found.decided.map(f64::from).filter(|one| *one != 0.0);
        Ok(match (decided, found.plies_to_end()) {
            (Some(decided), _) => sign * decided * f64::INFINITY,
            (None, Some(_)) => sign * f64::from(found.value.signum()) * f64::INFINITY,
            (None, None) => sign * f64::from(found.value) / found.unit,
        })
    }
}

/// Number of positions of a tree without cuts, up to `left`.
fn uncut(line: &mut Line, depth: u32, left: &mut usize) -> Option<usize> {
    *left = left.checked_sub(1)?;
    let mut sum = 1;
    if depth > 0 && line.ended().is_none() {
        for number in 0..line.move_count() {
            line.play(number);
            let below = uncut(line, depth - 1, left);
            line.undo();
            sum += below?;
        }
    }
    Some(sum)
}

impl CutTree {
    /// Most positions without cuts that are counted.
    pub const UNCUT_MAX: usize = 20_000;

    /// Grows the tree of a position to the greatest depth that the limits and the depth of the
    /// player allow, one ply after another.
    ///
    /// # Errors
    ///
    /// If `player` does not search by alpha-beta, the game is over, not even one ply fits, the
    /// evaluator fails, or `watch` says stop.
    pub fn of(
        game: &Game,
        at: &Line,
        player: &PlayerSpec,
        limits: CutLimits,
        watch: &dyn Watch,
    ) -> Result<CutTree, Error> {
        let Some(AlphaBetaPlayer { eval, budget }) = player.get() else {
            let message = format!("{player} does not search by alpha-beta");
            return Err(Error::new(ErrorKind::Usage, message));
        };
        let depth_max = match budget {
            MoveBudget::Depth(plies) => limits.depth_max.min(plies.0),
            _ => limits.depth_max,
        };
        let mut line = at.clone();
        let mut tree = None;
        for depth in 1..=depth_max.max(1) {
            let mut growth = Growth {
                search: game.engine().alpha_beta(AlphaBetaOptions::default(), eval)?,
                nodes: Vec::new(),
                best: Vec::new(),
                nodes_max: limits.nodes_max,
                evaluated: false,
                watch,
            };
            let window = [-f64::INFINITY, f64::INFINITY];
            match growth.grow(&mut line, None, String::new(), depth, window) {
                Ok(_) => {}
                Err(Failure::Error(error)) => return Err(error),
                Err(Failure::TooLarge) => break,
            }
            let Growth { mut nodes, best, evaluated, .. } = growth;
            let mut next = Some(0);
            while let Some(node) = next {
                nodes[node].best = true;
                next = best[node];
            }
            let mut left = CutTree::UNCUT_MAX;
            let uncut = uncut(&mut line, depth, &mut left);
            let depth = evaluated.then_some(depth);
            tree = Some(CutTree { game: game.name(), nodes, depth, uncut });
            if !evaluated {
                break;
            }
        }
        tree.ok_or_else(|| {
            let message = format!(
                "the position has {} moves, and a picture has up to {} nodes; --picture-nodes N allows more",
                at.move_count(),
                limits.nodes_max
            );
            Error::new(ErrorKind::Usage, message)
        })
    }

    /// Value of a node in the terms of the picture.
    fn value_words(&self, node: &CutNode) -> String {
        let bound = match node.bound {
            CutBound::Exact => "",
            CutBound::AtLeast => "\u{2265} ",
            CutBound::AtMost => "\u{2264} ",
        };
        let value = match (node.value, self.depth) {
            (v, None) if v.is_infinite() => format!("{:+}", v.signum()),
            (v, Some(_)) if v == f64::INFINITY => "first wins".to_owned(),
            (v, Some(_)) if v == -f64::INFINITY => "second wins".to_owned(),
            (v, None) => format!("{v:.0}"),
            (v, Some(_)) => format!("{:+.2}", (v * 100.0).round() / 100.0 + 0.0),
        };
        format!("{bound}{value}")
    }

    /// Sentences above the picture.
    fn head(&self) -> [String; 4] {
        let how = match self.depth {
            None => "to the end of the game".to_owned(),
            Some(1) => "1 ply deep".to_owned(),
            Some(depth) => format!("{depth} plies deep"),
        };
        let visited = self.nodes.len();
        let instead = match self.uncut {
            Some(all) if all > visited => format!(" instead of {all} without cuts"),
            Some(_) => ", and no cuts".to_owned(),
            None => format!(" instead of more than {}", CutTree::UNCUT_MAX),
        };
        let values = match self.depth {
            None => "+1: the first player wins; 0: a draw; -1: the second player wins",
            Some(_) => "numbers are the evaluator's, for the first player",
        };
        [
            format!("{}: an alpha-beta tree {how}", self.game),
            format!("{visited} positions{instead}; {values}"),
            "\u{25b2} the first player takes the greatest value, \u{25bc} the second the least; thick: best play"
                .to_owned(),
            "red: moves that cannot change the value of the root; \u{2265}, \u{2264}: at least, at most"
                .to_owned(),
        ]
    }

    /// Draws the tree as an SVG document, from the root at the top downwards. Each node is the board
    /// with the player to move and the value.
    #[must_use]
    pub fn svg(&self) -> String {
        picture(self)
    }
}

/// Pixels of a picture.
const BOARD: f64 = 64.0;
const GAP: f64 = 18.0;
const VALUE: f64 = 20.0;
const EDGE: f64 = 46.0;
const MARGIN: f64 = 14.0;
const HEAD: f64 = 94.0;
const WIDTH_MIN: f64 = 720.0;
/// Width of the note on cut moves.
const CUT: f64 = 58.0;

/// Colours of nodes that the first player wins, the second wins, and neither.
const COLOURS: [&str; 3] = ["#2f6fb5", "#c4691c", "#777777"];
const CUT_COLOUR: &str = "#b3261e";

fn picture(tree: &CutTree) -> String {
    let boards: Vec<(String, f64, f64)> =
        tree.nodes.iter().map(|node| small(&node.board)).collect();
    let height = boards.iter().map(|board| board.2).fold(0.0, f64::max);
    let mut children = vec![Vec::new(); tree.nodes.len()];
    let mut depth = vec![0_u32; tree.nodes.len()];
    for (n, node) in tree.nodes.iter().enumerate() {
        if let Some(parent) = node.parent {
            children[parent].push(n);
            depth[n] = depth[parent] + 1;
        }
    }
    let mut centre = vec![0.0; tree.nodes.len()];
    let mut cut_at = vec![None; tree.nodes.len()];
    let mut right = MARGIN;
    place(tree, &children, 0, &mut right, &mut centre, &mut cut_at);
    let deepest = depth.iter().copied().max().unwrap_or(0);
    let level = height + VALUE + EDGE;
    let width = (right - GAP + MARGIN).max(WIDTH_MIN);
    let all = HEAD + f64::from(deepest) * level + height + VALUE + MARGIN;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{all:.0}\" viewBox=\"0 0 {width:.1} {all:.1}\" font-family=\"system-ui, sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    for (n, line) in tree.head().iter().enumerate() {
        let (size, fill) = if n == 0 { (15.0, "#111111") } else { (11.0, "#555555") };
        let y = 22.0 + 16.0 * n as f64;
        words(&mut text, (MARGIN, y), size, fill, "start", line);
    }
    let top = |n: usize| HEAD + f64::from(depth[n]) * level;
    for (n, node) in tree.nodes.iter().enumerate() {
        let foot = (centre[n], top(n) + height + VALUE);
        if let Some(x) = cut_at[n] {
            cut_note(&mut text, foot, (x, foot.1 + EDGE), &node.cut);
        }
        let Some(parent) = node.parent else { continue };
        let from = (centre[parent], top(parent) + height + VALUE);
        let stroke = if node.best { 2.4 } else { 0.9 };
        let _ = writeln!(
            text,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#333333\" stroke-width=\"{stroke}\"/>",
            from.0,
            from.1,
            centre[n],
            top(n)
        );
        let at = ((from.0 + 2.0 * centre[n]) / 3.0, (from.1 + 2.0 * top(n)) / 3.0);
        let half = 3.2 * node.m.chars().count() as f64 + 3.0;
        let _ = writeln!(
            text,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"14\" fill=\"#ffffff\"/>",
            at.0 - half,
            at.1 - 10.0,
            2.0 * half
        );
        words(&mut text, (at.0, at.1 + 1.0), 11.0, "#111111", "middle", &node.m);
    }
    for (n, node) in tree.nodes.iter().enumerate() {
        let (picture, wide, high) = &boards[n];
        let (x, y) = (centre[n] - wide / 2.0, top(n));
        let colour = match node.value {
            v if v > 0.0 => COLOURS[0],
            v if v < 0.0 => COLOURS[1],
            _ => COLOURS[2],
        };
        let stroke = if node.best { 3.0 } else { 1.5 };
        let _ = writeln!(text, "<svg x=\"{x:.1}\" y=\"{y:.1}\" {picture}");
        let _ = writeln!(
            text,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"{high:.1}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{stroke}\"/>"
        );
        let turn = match node.turn {
            Some(Player::First) => "\u{25b2} ",
            Some(Player::Second) => "\u{25bc} ",
            None => "",
        };
        let value = format!("{turn}{}", tree.value_words(node));
        words(&mut text, (centre[n], y + high + 14.0), 12.0, colour, "middle", &value);
    }
    text.push_str("</svg>\n");
    text
}

/// Small picture of a board without the beginning of its first tag, and its width and height.
fn small(board: &Board) -> (String, f64, f64) {
    let svg = board.svg();
    let (tag, body) = svg.split_once('>').unwrap_or_default();
    let sizes = tag.split_once("viewBox=\"").and_then(|(_, rest)| rest.split_once('"'));
    let sizes = sizes.map_or("", |(sizes, _)| sizes);
    let numbers: Vec<f64> = sizes.split(' ').filter_map(|number| number.parse().ok()).collect();
    let (wide, high) = match numbers[..] {
        [_, _, wide, high] if wide > 0.0 && high > 0.0 => (wide, high),
        _ => (BOARD, BOARD),
    };
    let scale = BOARD / wide.max(high);
    let (width, height) = (wide * scale, high * scale);
    let open = format!(
        "width=\"{width:.1}\" height=\"{height:.1}\" viewBox=\"{sizes}\" font-family=\"sans-serif\" text-anchor=\"middle\">{body}"
    );
    (open.trim_end().to_owned(), width, height)
}

/// Places a node above its children, and notes on cuts to the right of them.
fn place(
    tree: &CutTree,
    children: &[Vec<usize>],
    n: usize,
    right: &mut f64,
    centre: &mut [f64],
    cut_at: &mut [Option<f64>],
) {
    for &child in &children[n] {
        place(tree, children, child, right, centre, cut_at);
    }
    if !tree.nodes[n].cut.is_empty() {
        cut_at[n] = Some(*right + CUT / 2.0);
        *right += CUT + GAP;
    }
    let (Some(&first), Some(&last)) = (children[n].first(), children[n].last()) else {
        centre[n] = *right + BOARD / 2.0;
        *right += BOARD + GAP;
        return;
    };
    centre[n] = (centre[first] + cut_at[n].unwrap_or(centre[last])) / 2.0;
}

/// Draws the edge to moves that were cut, and names them.
fn cut_note(text: &mut String, from: (f64, f64), to: (f64, f64), cut: &[String]) {
    let _ = writeln!(
        text,
        "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{CUT_COLOUR}\" stroke-width=\"1\" stroke-dasharray=\"4 3\"/>",
        from.0, from.1, to.0, to.1
    );
    // Two bars across the edge, as in textbooks.
    let (x, y) = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    for shift in [-2.0, 2.0] {
        let _ = writeln!(
            text,
            "<line x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"{CUT_COLOUR}\" stroke-width=\"1.6\"/>",
            x - 7.0,
            y + shift + 3.0,
            x + 7.0,
            y + shift - 3.0
        );
    }
    words(text, (to.0, to.1 + 12.0), 11.0, CUT_COLOUR, "middle", "cut:");
    let more = if cut.len() > 3 { cut.len() - 2 } else { 0 };
    for (n, m) in cut.iter().take(cut.len() - more).enumerate() {
        words(text, (to.0, to.1 + 26.0 + 13.0 * n as f64), 11.0, CUT_COLOUR, "middle", m);
    }
    if more > 0 {
        let line = format!("and {more} more");
        words(text, (to.0, to.1 + 52.0), 11.0, CUT_COLOUR, "middle", &line);
    }
}

fn words(text: &mut String, (x, y): (f64, f64), size: f64, fill: &str, anchor: &str, what: &str) {
    let what = what.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ = writeln!(
        text,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"{fill}\" text-anchor=\"{anchor}\">{what}</text>"
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: CutLimits = CutLimits { nodes_max: 3_000, depth_max: 9 };

    fn tree(game: &str, moves: &[&str], player: &str, limits: CutLimits) -> CutTree {
        let game = Game::parse(game).unwrap();
        let mut at = game.start();
        at.play_texts(moves).unwrap();
        let player = PlayerSpec::parse(player).unwrap();
        CutTree::of(&game, &at, &player, limits, &()).unwrap()
    }

    /// Value of a position by plain minimax to the end of the game.
    fn minimax(line: &mut Line) -> i32 {
        if let Some(ended) = line.ended() {
            return ended.outcome.value();
        }
        let sign = line.turn().sign();
        let values = (0..line.move_count()).map(|number| {
            line.play(number);
            let value = minimax(line);
            line.undo();
            sign * value
        });
        sign * values.max().unwrap()
    }

    /// Checks every value of a tree against plain minimax. Returns the number of cut moves.
    fn checked(game: &str, moves: &[&str]) -> usize {
        let tree = tree(game, moves, "alphabeta(eval=mobility,depth=9)", LIMITS);
        assert_eq!(tree.depth, None, "{game} is searched to its end");
        let parsed = Game::parse(game).unwrap();
        for n in 0..tree.nodes.len() {
            let mut path = Vec::new();
            let mut at = n;
            while let Some(parent) = tree.nodes[at].parent {
                path.push(tree.nodes[at].m.clone());
                at = parent;
            }
            let mut line = parsed.start();
            line.play_texts(moves).unwrap();
            for m in path.iter().rev() {
                line.play_text(m).unwrap();
            }
            let (node, exact) = (&tree.nodes[n], f64::from(minimax(&mut line)));
            let value = node.value.clamp(-1.0, 1.0);
            let holds = match node.bound {
                CutBound::Exact => exact == value,
                CutBound::AtLeast => exact >= value,
                CutBound::AtMost => exact <= value,
            };
            assert!(holds, "{game} {path:?}: {exact}, {:?} {value}", node.bound);
            let searched = tree.nodes.iter().filter(|other| other.parent == Some(n)).count();
            let legal = if line.ended().is_some() { 0 } else { line.move_count() as usize };
            assert_eq!(searched + node.cut.len(), legal, "{game} {path:?}");
        }
        assert_eq!(tree.nodes[0].bound, CutBound::Exact);
        tree.nodes.iter().map(|node| node.cut.len()).sum()
    }

    #[test]
    fn every_value_agrees_with_minimax_and_every_move_is_searched_or_cut() {
        let cut = [
            checked("tic_tac_toe", &["a1", "b2", "c3", "a3"]),
            checked("tic_tac_toe", &["b2", "a1", "c3"]),
            checked("hexapawn", &[]),
            checked("dots_and_boxes(rows=1,cols=2)", &[]),
        ];
        assert!(cut.iter().all(|&moves| moves > 0), "{cut:?}");
    }

    #[test]
    fn the_deepest_tree_that_fits_is_drawn_with_its_cuts() {
        let limits = CutLimits { nodes_max: 44, depth_max: 6 };
        let whole = tree("tic_tac_toe", &["a1", "b2", "c3", "a3", "c1", "b1"], "alphabeta", limits);
        assert_eq!(whole.depth, None);
        assert_eq!(whole.nodes[0].value, f64::INFINITY);
        let svg = whole.svg();
        assert!(
            svg.matches("<svg ").count() == whole.nodes.len() + 1 && svg.contains("+1"),
            "{svg}"
        );
        let part = tree("tic_tac_toe", &[], "alphabeta", limits);
        // Nine moves, all eight answers to the first of them, and one to each other: it cuts, since all
        // are worth the same.
        assert_eq!((part.depth, part.nodes.len()), (Some(2), 1 + 9 + 8 + 8));
        let shallow = tree("connect_four", &[], "alphabeta(depth=1)", LIMITS);
        assert_eq!((shallow.depth, shallow.nodes.len(), shallow.uncut), (Some(1), 8, Some(8)));
        let game = Game::parse("othello").unwrap();
        let player = PlayerSpec::parse("alphabeta").unwrap();
        let few = CutLimits { nodes_max: 3, depth_max: 6 };
        let refused = CutTree::of(&game, &game.start(), &player, few, &()).unwrap_err();
        assert!(refused.to_string().contains("--picture-nodes"), "{refused}");
    }
}
