//! Practice files from won positions: the graph of positions that a solver may reach.

use std::collections::{HashMap, VecDeque};

use treegauge_core::{Board, CellNumber, Watch};
use treegauge_engine::{ExactMove, Line};
use treegauge_report::{
    Judgement, PRACTICE_BYTES_MAX, PRACTICE_PROBLEMS_MAX, Practice, PracticeAnswer, PracticeMove,
    PracticeNode, PracticeProblem, PracticeThen, defence_words, judged, practice_page,
    refutation_words, sheet_rules, title_of,
};
use treegauge_solve::report::value_words;

use super::won::WonPosition;
use crate::{Error, ErrorKind, Game};

/// A puzzle of a practice file.
#[derive(Debug)]
pub struct PracticePuzzle {
    /// Title, such as `Puzzle 3`.
    pub title: String,
    /// Task in a sentence.
    pub task: String,
    /// Position to win.
    pub won: WonPosition,
}

/// Numbers of positions per puzzle, tried one after the other until the file is short enough.
const POSITIONS: [usize; 7] = [240, 120, 60, 30, 15, 6, 1];

/// Writes a practice file: one HTML file with puzzles, for solvers without a server. It has all
/// legal moves of the solver on the lines that it covers: the longest defence always, other
/// defences while there is room.
///
/// # Errors
///
/// If there are no puzzles or too many, or they do not fit into a file ([`ErrorKind::Limit`]); if
/// the solution cannot be read; and if `watch` says stop ([`ErrorKind::Interrupted`]).
pub fn practice_file(
    game: &Game,
    puzzles: &[PracticePuzzle],
    watch: &dyn Watch,
) -> Result<String, Error> {
    let limit = |message: String| Error::new(ErrorKind::Limit, message);
    if puzzles.is_empty() || puzzles.len() > PRACTICE_PROBLEMS_MAX {
        let count = puzzles.len();
        return Err(limit(format!(
            "a practice file has 1 to {PRACTICE_PROBLEMS_MAX} puzzles, and these are {count}"
        )));
    }
    let (title, rules) = (title_of(&game.name(), game), sheet_rules(game));
    for positions_max in POSITIONS {
        let mut problems = Vec::new();
        for puzzle in puzzles {
            let nodes = Graph::of(&puzzle.won, positions_max, watch)?.nodes;
            let (title, task) = (puzzle.title.clone(), puzzle.task.clone());
            let solver = format!("the {} player", puzzle.won.solver());
            problems.push(PracticeProblem {
                title,
                task,
                solver,
                is_flipped: false,
                last: Vec::new(),
                nodes,
            });
        }
        let (title, rules) = (title.clone(), rules.clone());
        let heading = "Find the win".to_owned();
        let page = practice_page(&Practice { heading, title, rules, problems });
        if page.len() <= PRACTICE_BYTES_MAX {
            return Ok(page);
        }
    }
    Err(limit("these puzzles do not fit into a practice file of 2 MB; choose fewer".to_owned()))
}

/// Positions in which the solver is to move.
struct Graph<'a> {
    won: &'a WonPosition,
    nodes: Vec<PracticeNode>,
    /// Positions by their texts.
    known: HashMap<String, usize>,
    /// Lines of the positions whose moves are not added yet.
    open: Vec<(usize, Line)>,
    /// Answers and moves that lead to positions that are added if there is room.
    later: VecDeque<Later>,
    watch: &'a dyn Watch,
}

/// A way to a position that is added if there is room.
struct Later {
    node: usize,
    m: usize,
    line: Line,
    /// The answer that leads there; `None` if the solver moves again.
    answer: Option<PracticeAnswer>,
}

impl<'a> Graph<'a> {
    fn of(
        won: &'a WonPosition,
        positions_max: usize,
        watch: &'a dyn Watch,
    ) -> Result<Graph<'a>, Error> {
        let (nodes, known, open) = (Vec::new(), HashMap::new(), Vec::new());
        let mut graph = Graph { won, nodes, known, open, later: VecDeque::new(), watch };
        graph.node(won.start());
        graph.close()?;
        while let Some(Later { node, m, line, answer }) = graph.later.pop_front() {
            let is_new = !graph.known.contains_key(&line.position_text());
            if is_new && graph.nodes.len() >= positions_max {
                continue;
            }
            let to = graph.node(&line);
            let one = &mut graph.nodes[node].moves[m];
            match (answer, &mut one.then) {
                (Some(answer), PracticeThen::Answers(answers)) => {
                    answers.push(PracticeAnswer { then: Ok(to), ..answer });
                }
                (Some(answer), then) => {
                    *then = PracticeThen::Answers(vec![PracticeAnswer { then: Ok(to), ..answer }]);
                    one.judgement = Judgement::GoOn;
                }
                (None, then) => {
                    *then = PracticeThen::Again(to);
                    one.judgement = Judgement::GoOn;
                }
            }
            graph.close()?;
        }
        Ok(graph)
    }

    /// The number of a position, which is added if it is new.
    fn node(&mut self, line: &Line) -> usize {
        let text = line.position_text();
        if let Some(&known) = self.known.get(&text) {
            return known;
        }
        let number = self.nodes.len();
        self.known.insert(text, number);
        self.nodes.push(PracticeNode { board: line.board(), moves: Vec::new(), best: 0 });
        self.open.push((number, line.clone()));
        number
    }

    /// Adds the moves of all open positions, with what follows on the main line of each.
    fn close(&mut self) -> Result<(), Error> {
        while let Some((node, line)) = self.open.pop() {
            if self.watch.stop() {
                return Err(Error::interrupted("the practice file is not written"));
            }
            self.add_moves(node, &line)?;
        }
        Ok(())
    }

    fn add_moves(&mut self, node: usize, line: &Line) -> Result<(), Error> {
        let values = self.won.values(line)?;
        let best = values.first().map_or(0, |best| best.m as usize);
        self.nodes[node].best = best;
        let paths = line.paths(&self.nodes[node].board);
        for (m, path) in paths.into_iter().enumerate() {
            let mut next = line.clone();
            next.play(m as u32);
            let lost = || Error::new(ErrorKind::Data, "the puzzle is not won any more");
            let is_over = next.ended().is_some();
            let (judgement, words) = judged(&values, m as u32, is_over).ok_or_else(lost)?;
            let cells = cells_of(line, m as u32);
            let one = PracticeMove { path, judgement, words, then: end(&next, cells) };
            self.nodes[node].moves.push(one);
            let is_main = m == best;
            match judgement {
                Judgement::Solved | Judgement::Slower => {}
                Judgement::Wrong => self.refute(node, m, next)?,
                Judgement::GoOn => self.go_on(node, m, &next, is_main)?,
            }
        }
        Ok(())
    }

    /// Plays the best answer to a wrong move.
    fn refute(&mut self, node: usize, m: usize, mut next: Line) -> Result<(), Error> {
        if next.ended().is_some() || next.turn() == self.won.solver() {
            return Ok(());
        }
        if let Some(best) = self.won.values(&next)?.first() {
            let cells = cells_of(&next, best.m);
            next.play(best.m);
            let one = &mut self.nodes[node].moves[m];
            one.words = format!("{} {}", one.words, refutation_words(&best.text));
            one.then = end(&next, cells);
        }
        Ok(())
    }

    /// Follows a right move. That of the main line is followed by its longest defence at once.
    fn go_on(&mut self, node: usize, m: usize, next: &Line, is_main: bool) -> Result<(), Error> {
        if !is_main {
            // Until there is room, the move is right and ends the try.
            let one = &mut self.nodes[node].moves[m];
            let text = one.path.text.clone();
            one.judgement = Judgement::Slower;
            one.words =
                format!("{text} wins as quickly. This file goes on after another move; find it.");
        }
        if next.turn() == self.won.solver() {
            if is_main {
                let to = self.node(next);
                self.nodes[node].moves[m].then = PracticeThen::Again(to);
            } else {
                self.later.push_back(Later { node, m, line: next.clone(), answer: None });
            }
            return Ok(());
        }
        for (n, row) in self.won.values(next)?.into_iter().enumerate() {
            let (answer, line) = self.answer(next, &row)?;
            let is_over = answer.then.is_err();
            if n > 0 || !is_main {
                if is_over {
                    if let PracticeThen::Answers(answers) = &mut self.nodes[node].moves[m].then {
                        answers.push(answer);
                    }
                } else {
                    self.later.push_back(Later { node, m, line, answer: Some(answer) });
                }
                continue;
            }
            let then = if is_over { answer.then } else { Ok(self.node(&line)) };
            let answer = PracticeAnswer { then, ..answer };
            self.nodes[node].moves[m].then = PracticeThen::Answers(vec![answer]);
        }
        Ok(())
    }

    /// A move of the opponent, with the longest defences that follow until the solver is to move.
    fn answer(&self, at: &Line, row: &ExactMove) -> Result<(PracticeAnswer, Line), Error> {
        let mut line = at.clone();
        let mut last = cells_of(&line, row.m);
        line.play(row.m);
        let mut moves = vec![row.text.clone()];
        while line.ended().is_none() && line.turn() != self.won.solver() {
            let Some(best) = self.won.values(&line)?.into_iter().next() else { break };
            last = cells_of(&line, best.m);
            line.play(best.m);
            moves.push(best.text);
        }
        let mut words = defence_words(&moves);
        let is_over = line.ended().is_some();
        if is_over {
            words.push_str(" The game is over, and the problem is solved.");
        }
        let value = value_words(row.value, row.plies);
        // The number of the position is set when it is added.
        let then = if is_over { Err(line.board()) } else { Ok(0) };
        Ok((PracticeAnswer { moves, value, words, last, then }, line))
    }
}

fn end(line: &Line, last: Vec<CellNumber>) -> PracticeThen {
    let board: Board = line.board();
    PracticeThen::End(board, last)
}

/// Cells that a move touches.
fn cells_of(line: &Line, m: u32) -> Vec<CellNumber> {
    line.move_cells(m).iter().map(|touch| touch.cell).collect()
}

#[cfg(test)]
mod tests {
    use treegauge_engine::StartingPoint;

    use super::*;
    use crate::{Game, solve};

    fn puzzle(game: &str, moves: &str) -> PracticePuzzle {
        let game = Game::parse(game).unwrap();
        let solved = solve(&game, &game.start(), Default::default(), &()).unwrap().done().unwrap();
        let moves = moves.split_whitespace().map(str::to_owned).collect();
        let start = game.begin(&StartingPoint { position: None, moves }).unwrap();
        let won = WonPosition::new(solved.as_solved_game(), start).unwrap();
        PracticePuzzle { title: "Puzzle 1".to_owned(), task: "Win.".to_owned(), won }
    }

    /// Checks that the moves of every position are there, with the judgement of the solving mode.
    fn is_sound(puzzle: &PracticePuzzle, positions_max: usize) -> Graph<'_> {
        let graph = Graph::of(&puzzle.won, positions_max, &()).unwrap();
        for node in &graph.nodes {
            assert_eq!(node.moves[node.best].judgement, best_judgement(node));
            for one in &node.moves {
                match (&one.then, one.judgement) {
                    (PracticeThen::Again(to), Judgement::GoOn) => assert!(*to < graph.nodes.len()),
                    (PracticeThen::Answers(answers), Judgement::GoOn) => {
                        assert!(!answers.is_empty());
                        let to = answers.iter().filter_map(|answer| answer.then.as_ref().ok());
                        assert!(to.copied().all(|to| to < graph.nodes.len() && to > 0));
                    }
                    (PracticeThen::End(..), judgement) => assert_ne!(judgement, Judgement::GoOn),
                    other => panic!("{other:?}"),
                }
            }
        }
        graph
    }

    fn best_judgement(node: &PracticeNode) -> Judgement {
        match node.moves[node.best].then {
            PracticeThen::End(..) => Judgement::Solved,
            _ => Judgement::GoOn,
        }
    }

    #[test]
    fn a_graph_has_every_move_of_its_positions() {
        for (game, moves) in [("tic_tac_toe", "a1 b1"), ("dots_and_boxes(rows=1,cols=2)", "h11")] {
            let puzzle = puzzle(game, moves);
            let small = is_sound(&puzzle, 1).nodes.len();
            let large = is_sound(&puzzle, 500).nodes.len();
            assert!(small <= large, "{game}: {small} {large}");
            let start = &is_sound(&puzzle, 1).nodes[0];
            let legal = puzzle.won.start().move_count() as usize;
            assert_eq!(start.moves.len(), legal, "{game}");
        }
    }

    #[test]
    fn a_practice_file_is_short_and_shows_no_solution() {
        let puzzles = [puzzle("tic_tac_toe", "a1 b1")];
        let game = Game::parse("tic_tac_toe").unwrap();
        let page = practice_file(&game, &puzzles, &()).unwrap();
        assert!(page.len() < PRACTICE_BYTES_MAX && page.contains("Practice: Tic-tac-toe"));
        assert!(page.contains("marks in a straight line wins"), "the rules are told");
        assert!(!page.contains("is the right move"), "the sentences are encoded");
        let none = practice_file(&game, &[], &()).unwrap_err();
        assert_eq!(none.kind(), ErrorKind::Limit);
    }
}
