//! Printed form of the solution of a puzzle.

use std::collections::{HashMap, HashSet};

use treegauge_solve::report::{OtherMove, SolutionMove, SolutionPosition, SolutionSide};

/// Signs of a solution, their meanings, and for each a piece of text that occurs in every solution
/// with the sign.
const LEGEND: [(&str, &str, &str); 8] = [
    (
        "a, b: c",
        ":",
        "after the defences a and b the winner answers c; further in, the line goes on",
    ),
    ("!", "!", "the only winning move"),
    ("#", "#", "the game is over"),
    ("or b", "(or ", "a dual: this move wins as quickly"),
    (
        "slower: b in 5",
        "slower",
        "this move wins too, in 5 plies (moves of either player), itself included",
    ),
    (
        "(1), as (1)",
        "as (",
        "a place in the solution, and that the same moves follow as from there",
    ),
    ("as a, by symmetry", "by symmetry", "what follows is what follows a, mirrored or turned"),
    ("[a]", "[", "a move of the loser, where a player may move twice in a row"),
];

/// Signs that occur in these solutions, with their meanings.
pub(crate) fn legend<'a>(
    solutions: impl Iterator<Item = &'a [Line]> + Clone,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let has = move |piece: &str| solutions.clone().flatten().any(|line| line.text.contains(piece));
    let needed = LEGEND.into_iter().filter(move |(_, piece, _)| has(piece));
    needed.map(|(sign, _, meaning)| (sign, meaning))
}

/// A line of a solution: moves, and their indentation in steps.
pub(crate) struct Line {
    pub(crate) depth: usize,
    pub(crate) text: String,
}

/// Greatest number of slower wins that a note of a solution lists.
const SLOWER_MAX: usize = 3;

/// A piece of a line.
enum Part {
    Text(String),
    /// Start of the text of a position, by its number.
    Place(usize),
    /// Reference to the place with the text of this number.
    As(usize),
}

/// Text of a position. Two positions with equal values are printed the same.
#[derive(PartialEq, Eq, Hash)]
enum Written {
    Over,
    /// The moves of the position are left out.
    Cut,
    /// The winner's move with its notes, and the number of the position after it.
    Answer(String, usize),
    /// The loser's moves, each with the number of the position after it.
    Defences(Vec<(String, usize)>),
}

/// Lines of the solution that follows one winning move at each turn. Equal texts, mostly from moves
/// that lead to the same position, are written once, at their first place, and referred to
/// elsewhere.
pub(crate) fn solution_lines(positions: &[SolutionPosition]) -> Vec<Line> {
    let brackets = may_move_again(positions);
    let mut writer = Writer { positions, brackets, numbers: Vec::new(), short: Vec::new() };
    writer.number();
    writer.write()
}

/// Tests whether a player moves twice in a row in a solution.
fn may_move_again(positions: &[SolutionPosition]) -> bool {
    positions.iter().any(|here| {
        let mut after = here.moves.iter().map(|step| &positions[step.then]);
        after.any(|next| !is_over(next) && next.to_move == here.to_move)
    })
}

fn is_over(position: &SolutionPosition) -> bool {
    position.to_move.is_none()
}

fn winner_to_move(position: &SolutionPosition) -> bool {
    position.to_move == Some(SolutionSide::Winner)
}

struct Writer<'a> {
    positions: &'a [SolutionPosition],
    /// Whether the loser's moves are in brackets.
    brackets: bool,
    /// Number of the text of each position. Positions with equal texts share a number.
    numbers: Vec<usize>,
    /// Whether the text of each position is short enough to be repeated rather than referred to.
    short: Vec<bool>,
}

/// Defences with the same answer: the moves, and the positions after them.
struct Row<'a> {
    moves: Vec<&'a str>,
    after: Vec<usize>,
    /// Defence that all of these are images of by symmetry, which the row only refers to; `None`
    /// for other rows.
    like: Option<&'a str>,
}

impl Writer<'_> {
    /// Move of the loser, with `#` if it ends the game.
    fn defence(&self, step: &SolutionMove) -> String {
        step.m.clone() + if is_over(&self.positions[step.then]) { "#" } else { "" }
    }

    /// Move of the winner, with `!` if it is the only win and `#` if it ends the game.
    fn answer(&self, here: &SolutionPosition) -> String {
        let step = &here.moves[0];
        let only = if here.unique == Some(true) { "!" } else { "" };
        let over = if is_over(&self.positions[step.then]) { "#" } else { "" };
        format!("{}{only}{over}", step.m)
    }

    /// Moves that win as quickly as the followed one; `None` if there are none.
    fn as_quick(&self, here: &SolutionPosition) -> Option<String> {
        (!here.as_quick.is_empty()).then(|| format!("or {}", here.as_quick.join(", ")))
    }

    /// Moves that win more slowly; `None` if there are none. Those of the first move are listed
    /// next to the solution.
    fn slower<'s>(&self, here: &'s SolutionPosition) -> Option<&'s [OtherMove]> {
        let slower = here.slower.as_deref().filter(|_| here.id > 0)?;
        (!slower.is_empty()).then_some(slower)
    }

    /// Numbers the text of each position.
    fn number(&mut self) {
        let mut known: HashMap<Written, usize> = HashMap::new();
        self.numbers = vec![0; self.positions.len()];
        self.short = vec![false; self.positions.len()];
        // Remoteness falls with every move, so each position comes after all positions that its
        // moves lead to.
        let mut from_the_ends: Vec<usize> = (0..self.positions.len()).collect();
        from_the_ends.sort_by_key(|&at| self.positions[at].remoteness);
        for at in from_the_ends {
            let node = &self.positions[at];
            let after = |next: usize| self.numbers[next];
            let written = match (node.cut, winner_to_move(node)) {
                (true, _) => Written::Cut,
                _ if is_over(node) => Written::Over,
                (_, true) => {
                    let slower = self.slower(node).map(slower_words);
                    let notes = [self.as_quick(node), slower].map(Option::unwrap_or_default);
                    let text = [self.answer(node), notes.join(" ")].join(" ");
                    Written::Answer(text, after(node.moves[0].then))
                }
                (_, false) => {
                    let moves = node.moves.iter();
                    Written::Defences(
                        moves.map(|step| (self.defence(step), after(step.then))).collect(),
                    )
                }
            };
            // At most two moves, and no choice for the loser.
            let ends = node.cut || node.remoteness <= 2;
            self.short[at] = ends && (winner_to_move(node) || node.moves.len() <= 1);
            let next = known.len();
            self.numbers[at] = *known.entry(written).or_insert(next);
        }
    }

    /// Defences of a position, in rows. A row joins defences that the same winning move ends, that
    /// have the same text after them, or that are images of one another by symmetry.
    fn rows<'t>(&self, node: &SolutionPosition, texts: &'t [String]) -> Vec<Row<'t>> {
        /// Feature that joins the defences of a row.
        #[derive(PartialEq, Eq, Hash)]
        enum Same {
            Written(usize),
            Last(String),
            ImageOf(usize),
        }
        let image = |n: usize| node.images.get(n).copied().unwrap_or(n);
        let mut rows: Vec<Row<'t>> = Vec::new();
        let mut known: HashMap<Same, usize> = HashMap::new();
        for (n, text) in texts.iter().enumerate() {
            let next = node.moves[n].then;
            let (written, first) = (self.numbers[next], self.numbers[node.moves[image(n)].then]);
            let answers = &self.positions[next];
            let same = if self.wins_at_once(answers) {
                let quick = self.as_quick(answers).unwrap_or_default();
                Same::Last(format!("{} {quick}", self.answer(answers)))
            } else if written == first || self.short[next] {
                Same::Written(written)
            } else {
                Same::ImageOf(image(n))
            };
            let like = matches!(same, Same::ImageOf(_)).then(|| texts[image(n)].as_str());
            let row = *known.entry(same).or_insert(rows.len());
            if row == rows.len() {
                rows.push(Row { moves: Vec::new(), after: Vec::new(), like });
            }
            rows[row].moves.push(text);
            rows[row].after.push(next);
        }
        rows
    }

    fn wins_at_once(&self, node: &SolutionPosition) -> bool {
        !node.cut && winner_to_move(node) && node.remoteness == 1
    }

    /// Slower wins when the same move answers several defences, grouped by equal notes.
    fn slower_after(&self, row: &Row<'_>) -> Option<String> {
        let mut groups: Vec<(Option<&[OtherMove]>, Vec<&str>)> = Vec::new();
        for (&text, &at) in row.moves.iter().zip(&row.after) {
            let slower = self.slower(&self.positions[at]);
            match groups.iter_mut().find(|(known, _)| *known == slower) {
                Some((_, moves)) => moves.push(text),
                None => groups.push((slower, vec![text])),
            }
        }
        if let [(slower, _)] = &groups[..] {
            return slower.map(|slower| format!("slower: {}", slower_words(slower)));
        }
        let (mut listed, mut left, mut more) = (Vec::new(), SLOWER_MAX, 0);
        for (slower, moves) in groups {
            let slower = slower.unwrap_or_default();
            let shown = &slower[..slower.len().min(left)];
            (left, more) = (left - shown.len(), more + slower.len() - shown.len());
            if !shown.is_empty() {
                listed.push(format!("after {}: {}", moves.join(", "), in_plies(shown)));
            }
        }
        listed.extend((more > 0).then(|| format!("and {more} more")));
        Some(format!("slower {}", listed.join("; ")))
    }

    /// Move of the winner with its notes, for one or more positions that share it.
    fn answer_words(&self, row: &Row<'_>) -> String {
        let node = &self.positions[row.after[0]];
        let notes: Vec<String> =
            [self.as_quick(node), self.slower_after(row)].into_iter().flatten().collect();
        match notes.is_empty() {
            true => self.answer(node),
            false => format!("{} ({})", self.answer(node), notes.join("; ")),
        }
    }

    fn write(&self) -> Vec<Line> {
        let mut lines: Vec<(usize, Vec<Part>)> = Vec::new();
        let mut written = HashSet::new();
        let mut referred = HashSet::new();
        // Unfinished lines: the indentation, the text so far, and the position after it; `None` if
        // the line ends there.
        let mut open = vec![(0, Vec::new(), Some(0))];
        while let Some((depth, mut parts, mut next)) = open.pop() {
            while let Some(at) = next.take() {
                let node = &self.positions[at];
                if is_over(node) {
                    break;
                }
                if node.cut {
                    parts.push(Part::Text("...".to_owned()));
                    break;
                }
                let number = self.numbers[at];
                if !self.short[at] {
                    if !written.insert(number) {
                        referred.insert(number);
                        parts.push(Part::As(number));
                        break;
                    }
                    parts.push(Part::Place(number));
                }
                if winner_to_move(node) {
                    // The text before already names all the defences that this move answers.
                    let row = Row { moves: vec![""], after: vec![at], like: None };
                    parts.push(Part::Text(self.answer_words(&row)));
                    next = Some(node.moves[0].then);
                    continue;
                }
                let texts: Vec<String> = node.moves.iter().map(|step| self.defence(step)).collect();
                let rows = self.rows(node, &texts);
                if let [only] = &node.moves[..] {
                    parts.push(Part::Text(self.bracketed(&[&texts[0]])));
                    next = Some(only.then);
                    continue;
                }
                for row in rows.iter().rev() {
                    if let Some(like) = row.like {
                        let (moves, like) = (self.bracketed(&row.moves), self.bracketed(&[like]));
                        let text = format!("{moves}: as {like}, by symmetry");
                        open.push((depth + 1, vec![Part::Text(text)], None));
                        continue;
                    }
                    let over = is_over(&self.positions[row.after[0]]);
                    let begin = self.bracketed(&row.moves) + if over { "" } else { ":" };
                    let mut parts = vec![Part::Text(begin)];
                    let mut next = row.after[0];
                    // One move answers all these defences; only its notes may differ.
                    if self.wins_at_once(&self.positions[next]) {
                        parts.push(Part::Text(self.answer_words(row)));
                        next = self.positions[next].moves[0].then;
                    }
                    open.push((depth + 1, parts, Some(next)));
                }
            }
            lines.push((depth, parts));
        }
        places_named(lines, &referred)
    }

    /// Moves of the loser, in brackets if a player may move twice in a row.
    fn bracketed(&self, moves: &[&str]) -> String {
        let moves = moves.join(", ");
        if self.brackets { format!("[{moves}]") } else { moves }
    }
}

/// Numbers the referenced places in the order of the lines.
fn places_named(lines: Vec<(usize, Vec<Part>)>, referred: &HashSet<usize>) -> Vec<Line> {
    let mut names: HashMap<usize, usize> = HashMap::new();
    let line = |(depth, parts): (usize, Vec<Part>)| {
        let texts = parts.into_iter().filter_map(|part| match part {
            Part::Text(text) => Some(text),
            Part::Place(number) if referred.contains(&number) => {
                let name = names.len() + 1;
                names.insert(number, name);
                Some(format!("({name})"))
            }
            Part::Place(_) => None,
            // A place comes before all references to it.
            Part::As(number) => Some(format!("as ({})", names[&number])),
        });
        Line { depth, text: texts.collect::<Vec<_>>().join(" ") }
    };
    lines.into_iter().map(line).collect()
}

/// Moves in groups of equal value and plies.
pub(crate) fn grouped(others: &[OtherMove], does: impl Fn(&OtherMove) -> String) -> String {
    let groups = others.chunk_by(|a, b| (a.value, a.plies) == (b.value, b.plies));
    let groups = groups.map(|group| {
        let moves: Vec<&str> = group.iter().map(|other| other.m.as_str()).collect();
        format!("{} {}", moves.join(", "), does(&group[0]))
    });
    groups.collect::<Vec<_>>().join("; ")
}

/// Up to [`SLOWER_MAX`] moves that win more slowly, with the plies, and the number of the others.
pub(crate) fn slower_words(others: &[OtherMove]) -> String {
    let (shown, more) = others.split_at(others.len().min(SLOWER_MAX));
    match more.len() {
        0 => in_plies(shown),
        more => format!("{}; and {more} more", in_plies(shown)),
    }
}

/// Moves that win more slowly, with the plies.
fn in_plies(others: &[OtherMove]) -> String {
    grouped(others, |other| format!("in {}", other.plies.unwrap_or_default()))
}
