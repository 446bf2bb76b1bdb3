//! Attributes of a solution by the probabilities of people's moves.

use cozy_chess::Move;
use serde::{Deserialize, Serialize};
use treegauge_human::{ChessHistory, MovePredictor, MoveProbability};

use crate::chess::position::{ChessMove, Position};

/// Ratings of the people whose moves are predicted for attributes.
pub const PEOPLE: [f64; 3] = [1100.0, 1500.0, 1900.0];

/// Names and descriptions of the values at one move, without the rating, and the parts that each of
/// them has.
const VALUES: [(&str, &str, &[&str]); 4] = [
    (
        "Bits",
        "the probability that people of the rating play the solution's move, as the negative binary logarithm",
        &["1", "2", "3", "mean", "max", "sum"],
    ),
    (
        "Likelier",
        "moves that people of the rating play more often than the solution's",
        &["1", "2", "3", "mean", "max"],
    ),
    (
        "Rival",
        "the probability of the likeliest move that is not the solution's, among people of the rating",
        &["1", "2", "3", "mean", "max"],
    ),
    (
        "Entropy",
        "the entropy of the moves of people of the rating, in bits",
        &["1", "2", "3", "mean"],
    ),
];

/// Values of the opponent's answers, as [`VALUES`]. They are for people of [`ANSWERING`].
const ANSWERS: [(&str, &str, &[&str]); 2] = [
    (
        "AnswerBits",
        "the probability that people of the rating play the opponent's answer, as the negative binary logarithm",
        &["1", "2", "mean", "sum"],
    ),
    (
        "AnswerLikelier",
        "answers that people of the rating play more often than the opponent's",
        &["1", "2", "mean"],
    ),
];

/// Rating of the people whose answers are predicted for attributes.
const ANSWERING: f64 = 1500.0;

/// Least probability in logarithms.
const PROBABILITY_MIN: f64 = 1e-6;

/// Move of a solution beside the move that people play most often instead of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeopleChoice {
    /// Number of the player's move, from 1.
    pub number: u32,
    /// Rating of the people.
    pub rating: f64,
    /// Move of the solution, in algebraic notation.
    pub solution: String,
    /// Probability that people play it, or another move that mates if it mates; 0 to 1.
    pub chance: f64,
    /// Move that people play most often among the others; `None` if there is no other move.
    pub rival: Option<String>,
    /// Probability that people play that move, 0 to 1.
    pub rival_chance: f64,
}

/// Position of a solution in which the player is to move.
pub(crate) struct Turn {
    history: ChessHistory,
    /// Move of the solution.
    solution: ChessMove,
    /// Moves that solve: that of the solution, or every move that mates if it mates.
    solving: Vec<Move>,
    /// Position after the move and the opponent's answer; `None` at the end of the solution.
    answer: Option<(ChessHistory, Move)>,
}

/// Names of all values with their descriptions: `PolicyBits1100(1)` and so on. `prefix` names the
/// predictor.
pub(crate) fn people_names(prefix: &str) -> Vec<(String, &'static str)> {
    let of = |rating: f64| {
        VALUES.iter().flat_map(move |(name, meaning, parts)| {
            parts.iter().map(move |part| (format!("{prefix}{name}{rating}({part})"), *meaning))
        })
    };
    let answer = ANSWERS.iter().flat_map(|(name, meaning, parts)| {
        parts.iter().map(move |part| (format!("{prefix}{name}{ANSWERING}({part})"), *meaning))
    });
    PEOPLE.into_iter().flat_map(of).chain(answer).collect()
}

/// Values of a solution, in the order of [`people_names`].
pub(crate) fn people(predictor: &dyn MovePredictor, turns: &[Turn]) -> Vec<f64> {
    let histories: Vec<&ChessHistory> = turns.iter().map(|turn| &turn.history).collect();
    let bits = |p: f64| -libm::log2(p.max(PROBABILITY_MIN));
    let mut all = Vec::new();
    for rating in PEOPLE {
        let answers = predictor.predict_all(&histories, rating);
        let mut by_value: [Vec<f64>; VALUES.len()] = Default::default();
        for (turn, answer) in turns.iter().zip(answers) {
            let solves = |played: &Move| turn.solving.contains(played);
            let own: f64 =
                answer.iter().filter(|one| solves(&one.played)).map(|one| one.probability).sum();
            let others = answer.iter().filter(|one| !solves(&one.played));
            let others: Vec<f64> = others.map(|one| one.probability).collect();
            let entropy: f64 =
                answer.iter().map(|one| one.probability * bits(one.probability)).sum();
            let values = [
                bits(own),
                others.iter().filter(|&&other| other > own).count() as f64,
                others.iter().copied().fold(0.0, f64::max),
                entropy,
            ];
            by_value.iter_mut().zip(values).for_each(|(all, value)| all.push(value));
        }
        for ((_, _, parts), values) in VALUES.iter().zip(&by_value) {
            all.extend(parts.iter().map(|part| part_of(values, part)));
        }
    }
    let answered: Vec<(&ChessHistory, Move)> = turns
        .iter()
        .filter_map(|turn| turn.answer.as_ref().map(|(at, answer)| (at, *answer)))
        .collect();
    let histories: Vec<&ChessHistory> = answered.iter().map(|(at, _)| *at).collect();
    let answers = predictor.predict_all(&histories, ANSWERING);
    let mut by_value: [Vec<f64>; ANSWERS.len()] = Default::default();
    for ((_, answer), likely) in answered.iter().zip(answers) {
        let own =
            likely.iter().find(|one| one.played == *answer).map_or(0.0, |one| one.probability);
        by_value[0].push(bits(own));
        by_value[1].push(likely.iter().filter(|one| one.probability > own).count() as f64);
    }
    for ((_, _, parts), values) in ANSWERS.iter().zip(&by_value) {
        all.extend(parts.iter().map(|part| part_of(values, part)));
    }
    all
}

/// Part of the values of several moves: the one of a move by its number, 0 if there is none, or their
/// mean, greatest or sum.
fn part_of(values: &[f64], part: &str) -> f64 {
    let sum: f64 = values.iter().sum();
    match part {
        "mean" => sum / values.len().max(1) as f64,
        "max" => values.iter().copied().fold(0.0, f64::max),
        "sum" => sum,
        place => {
            let place: usize = place.parse().expect("other parts are numbers of moves");
            values.get(place - 1).copied().unwrap_or(0.0)
        }
    }
}

/// Choices of people of a rating at the player's moves of a solution.
pub(crate) fn people_choices(
    predictor: &dyn MovePredictor,
    rating: f64,
    turns: &[Turn],
) -> Vec<PeopleChoice> {
    let histories: Vec<&ChessHistory> = turns.iter().map(|turn| &turn.history).collect();
    let answers = predictor.predict_all(&histories, rating);
    let choice = |(n, (turn, answer)): (usize, (&Turn, Vec<MoveProbability>))| {
        let at = Position::of(turn.history.board().clone());
        let (own, others): (Vec<_>, Vec<_>) =
            answer.into_iter().partition(|one| turn.solving.contains(&one.played));
        let rival = others.into_iter().max_by(|a, b| a.probability.total_cmp(&b.probability));
        PeopleChoice {
            number: n as u32 + 1,
            rating,
            solution: at.san(turn.solution),
            chance: own.iter().map(|one| one.probability).sum(),
            rival: rival.map(|one| at.san(ChessMove::of(one.played))),
            rival_chance: rival.map_or(0.0, |one| one.probability),
        }
    };
    turns.iter().zip(answers).enumerate().map(choice).collect()
}

/// Positions of a solution in which the player is to move. `before` is the position before the
/// opponent's last move, with this move, if it is known.
pub(crate) fn turns(
    problem: &Position,
    before: Option<&(Position, ChessMove)>,
    solution: &[ChessMove],
) -> Vec<Turn> {
    let mut history = match before {
        Some((before, last)) => {
            let mut history = ChessHistory::new(before.board().clone());
            history.play(last.played());
            history
        }
        None => ChessHistory::new(problem.board().clone()),
    };
    let mut turns = Vec::new();
    for pair in solution.chunks(2) {
        let board = history.board().clone();
        let at = Position::of(board);
        let mates = |played: &Move| at.after(ChessMove::of(*played)).is_mate();
        let played = pair[0].played();
        let solving = match mates(&played) {
            true => history.legal_moves().into_iter().filter(mates).collect(),
            false => vec![played],
        };
        let before = history.clone();
        history.play(played);
        let answer = pair.get(1).map(|answer| (history.clone(), answer.played()));
        if let Some((_, answer)) = &answer {
            history.play(*answer);
        }
        turns.push(Turn { history: before, solution: pair[0], solving, answer });
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays every move alike.
    struct Uniform;

    impl MovePredictor for Uniform {
        fn predict_all(&self, histories: &[&ChessHistory], _: f64) -> Vec<Vec<MoveProbability>> {
            let of = |history: &&ChessHistory| {
                let moves = history.legal_moves();
                let probability = 1.0 / moves.len() as f64;
                moves.into_iter().map(|played| MoveProbability { played, probability }).collect()
            };
            histories.iter().map(of).collect()
        }
    }

    #[test]
    fn values_follow_from_the_probabilities_and_any_mate_solves_the_last_move() {
        // Either rook mates on the last rank.
        let start = Position::parse("7k/8/6K1/8/8/8/R7/3R4 w - - 0 1").unwrap();
        let line: Vec<ChessMove> =
            ["Ra8#"].iter().map(|text| start.parse_move(text).unwrap()).collect();
        let turns = turns(&start, None, &line);
        let legal = start.moves().len() as f64;
        let mates = start.moves().into_iter().filter(|played| start.after(*played).is_mate());
        let mates = mates.count() as f64;
        assert!(mates > 1.0);
        let names = people_names("");
        let values = people(&Uniform, &turns);
        assert_eq!(names.len(), values.len());
        let of = |wanted: &str| values[names.iter().position(|(name, _)| name == wanted).unwrap()];
        assert_eq!(of("AnswerBits1500(1)"), 0.0);
        for part in ["1", "mean", "max", "sum"] {
            let bits = of(&format!("Bits1500({part})"));
            assert!((bits - (legal / mates).log2()).abs() < 1e-9, "{part}: {bits}");
        }
        assert_eq!((of("Bits1500(2)"), of("Likelier1100(1)")), (0.0, 0.0));
        assert!((of("Rival1900(1)") - 1.0 / legal).abs() < 1e-12);
        assert!((of("Entropy1900(mean)") - legal.log2()).abs() < 1e-9);
        let [choice] = &people_choices(&Uniform, 1700.0, &turns)[..] else { panic!("one move") };
        assert_eq!((choice.number, choice.rating, choice.solution.as_str()), (1, 1700.0, "Ra8#"));
        assert!((choice.chance - mates / legal).abs() < 1e-9 && choice.rival.is_some());
    }

    #[test]
    fn the_answers_of_the_opponent_have_their_own_probabilities() {
        let start = Position::parse("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1").unwrap();
        let mut at = start.clone();
        let mut line = Vec::new();
        for san in ["Qg8+", "Rxg8", "Nf7#"] {
            line.push(at.parse_move(san).unwrap());
            at = at.after(*line.last().unwrap());
        }
        let names = people_names("");
        let values = people(&Uniform, &turns(&start, None, &line));
        let of = |wanted: &str| values[names.iter().position(|(name, _)| name == wanted).unwrap()];
        // The king cannot take, since the knight protects the queen: the rook's capture is forced.
        assert_eq!((of("AnswerBits1500(1)"), of("AnswerBits1500(sum)")), (0.0, 0.0));
        assert_eq!(of("AnswerLikelier1500(mean)"), 0.0);
        let quiet = Position::parse("4k3/8/8/8/8/8/8/4K2R w - - 0 1").unwrap();
        let step = |at: &Position, text: &str| at.parse_move(text).unwrap();
        let first = step(&quiet, "Rh7");
        let reply = step(&quiet.after(first), "Kd8");
        let last = step(&quiet.after(first).after(reply), "Kd2");
        let values = people(&Uniform, &turns(&quiet, None, &[first, reply, last]));
        let of = |wanted: &str| values[names.iter().position(|(name, _)| name == wanted).unwrap()];
        let legal = quiet.after(first).moves().len() as f64;
        for part in ["1", "mean", "sum"] {
            assert!((of(&format!("AnswerBits1500({part})")) - legal.log2()).abs() < 1e-9);
        }
    }
}
