//! Whole graphs of small games, and their values by the simplest method.

use std::collections::HashMap;

use treegauge_core::{Game, Outcome, Player};

/// All reachable states of a game, each once, in breadth-first order.
#[derive(Clone, Debug)]
pub struct Graph<S> {
    /// The states, the start first.
    pub states: Vec<S>,
    /// Fewest plies from the start to each state.
    pub plies: Vec<u32>,
    /// Indices of each state's children, one per legal move; empty for a finished state.
    pub children: Vec<Vec<u32>>,
}

impl<S> Graph<S> {
    /// Number of states first reached at each ply.
    #[must_use]
    pub fn by_ply(&self) -> Vec<u64> {
        let mut counts = Vec::new();
        for &ply in &self.plies {
            if counts.len() <= ply as usize {
                counts.push(0);
            }
            counts[ply as usize] += 1;
        }
        counts
    }
}

/// Visits all states of a game, breadth first.
///
/// # Panics
///
/// If there are more than `states_max` states.
#[must_use]
pub fn explore<G: Game>(game: &G, states_max: usize) -> Graph<G::State> {
    let mut places = HashMap::from([(game.start(), 0u32)]);
    let mut graph = Graph { states: vec![game.start()], plies: vec![0], children: Vec::new() };
    let mut moves = Vec::new();
    while graph.children.len() < graph.states.len() {
        let place = graph.children.len();
        let mut children = Vec::new();
        if game.outcome(&graph.states[place]).is_none() {
            game.moves_into(&graph.states[place], &mut moves);
            for &m in &moves {
                let mut child = graph.states[place].clone();
                game.play(&mut child, m);
                let next = graph.states.len() as u32;
                let found = *places.entry(child.clone()).or_insert(next);
                if found == next {
                    assert!(graph.states.len() < states_max, "more than {states_max} states");
                    graph.states.push(child);
                    graph.plies.push(graph.plies[place] + 1);
                }
                children.push(found);
            }
        }
        graph.children.push(children);
    }
    graph
}

/// Counts the courses of a game, from the start to an end: those that the first player wins, those
/// that the second player wins, and those that nobody wins. All courses that reach a state must
/// reach it at the same ply.
#[must_use]
pub fn courses<G: Game>(game: &G, graph: &Graph<G::State>) -> [u64; 3] {
    let mut courses = vec![[0; 3]; graph.states.len()];
    for place in (0..graph.states.len()).rev() {
        match game.outcome(&graph.states[place]) {
            Some(Outcome::FirstWins) => courses[place][0] = 1,
            Some(Outcome::SecondWins) => courses[place][1] = 1,
            Some(Outcome::Draw) => courses[place][2] = 1,
            None => {
                for &child in &graph.children[place] {
                    let below = courses[child as usize];
                    courses[place].iter_mut().zip(below).for_each(|(sum, n)| *sum += n);
                }
            }
        }
    }
    courses[0]
}

/// Value of a state for the player to move, with best play by both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The player to move wins.
    Win,
    /// The player to move loses.
    Lose,
    /// The game ends without a winner.
    Tie,
    /// Neither player can force an end.
    Draw,
}

/// Value and remoteness of each state of a graph. The remoteness is the number of plies to the end
/// if the winner hurries and the loser delays; in a tie both hurry. It is `None` for a draw.
///
/// The method finds one remoteness after the other and visits every open state each time. It is
/// slow and independent of the real solver. It ignores history, so endless play is a draw.
#[must_use]
pub fn solve<G: Game>(game: &G, graph: &Graph<G::State>) -> Vec<(Value, Option<u32>)> {
    let turns: Vec<Player> = graph.states.iter().map(|state| game.turn(state)).collect();
    let mut known: Vec<Option<(Value, u32)>> = graph
        .states
        .iter()
        .zip(&turns)
        .map(|(state, &turn)| {
            let outcome = game.outcome(state)?;
            let value = match outcome {
                Outcome::Draw => Value::Tie,
                _ if outcome.winner() == Some(turn) => Value::Win,
                _ => Value::Lose,
            };
            Some((value, 0))
        })
        .collect();
    // Value of a child for the player to move at `place`, and the child's remoteness.
    let seen = |known: &[Option<(Value, u32)>], place: usize, child: u32| {
        let (value, remoteness) = known[child as usize]?;
        let value = match value {
            _ if turns[child as usize] == turns[place] => value,
            Value::Win => Value::Lose,
            Value::Lose => Value::Win,
            other => other,
        };
        Some((value, remoteness))
    };
    // Wins and losses come first. A tie is a state that can be neither, so ties come second.
    for ties in [false, true] {
        // A state of remoteness n has a child of remoteness n - 1, so the first remoteness without
        // a new state ends the search.
        for remoteness in 1.. {
            let mut found = Vec::new();
            for (place, children) in graph.children.iter().enumerate() {
                if known[place].is_some() {
                    continue;
                }
                let values: Vec<_> =
                    children.iter().map(|&child| seen(&known, place, child)).collect();
                let before = |value: Value| values.contains(&Some((value, remoteness - 1)));
                let lost = values.iter().all(|v| matches!(v, Some((Value::Lose, _))));
                let longest = values.iter().flatten().map(|v| v.1).max();
                if before(Value::Win) {
                    found.push((place, Value::Win));
                } else if lost && longest == Some(remoteness - 1) {
                    found.push((place, Value::Lose));
                } else if ties && before(Value::Tie) {
                    found.push((place, Value::Tie));
                }
            }
            if found.is_empty() {
                break;
            }
            for (place, value) in found {
                known[place] = Some((value, remoteness));
            }
        }
    }
    known
        .into_iter()
        .map(|known| match known {
            Some((value, remoteness)) => (value, Some(remoteness)),
            None => (Value::Draw, None),
        })
        .collect()
}

/// Counts of a solved game. They include all reachable states, finished ones too, by their value
/// for the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// Number of reachable states.
    pub states: usize,
    /// Number of reachable states that are finished.
    pub finished: usize,
    /// Number of states that the player to move wins.
    pub win: usize,
    /// Number of states that the player to move loses.
    pub lose: usize,
    /// Number of states that neither player wins: tied or endless.
    pub draw: usize,
    /// Winner from the start and the number of plies; `None` if neither player wins.
    pub start: Option<(Player, u32)>,
}

/// Explores and solves a game of at most 500,000 states.
///
/// # Panics
///
/// If the game has more states.
#[must_use]
pub fn solved<G: Game>(game: &G) -> Solved {
    let graph = explore(game, 500_000);
    let values = solve(game, &graph);
    let count = |of: &[Value]| values.iter().filter(|v| of.contains(&v.0)).count();
    let turn = game.turn(&graph.states[0]);
    let start = match values[0] {
        (Value::Win, Some(plies)) => Some((turn, plies)),
        (Value::Lose, Some(plies)) => Some((turn.other(), plies)),
        _ => None,
    };
    Solved {
        states: graph.states.len(),
        finished: graph.children.iter().filter(|children| children.is_empty()).count(),
        win: count(&[Value::Win]),
        lose: count(&[Value::Lose]),
        draw: count(&[Value::Tie, Value::Draw]),
        start,
    }
}
