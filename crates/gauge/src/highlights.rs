//! Example games of a gauge: a typical one, the most dramatic and the most one-sided.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use treegauge_core::Outcome;
use treegauge_engine::Line;

use super::curve::Curve;
use super::record::RecordedGame;

/// Reason for showing a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HighlightKind {
    /// Among the games with the most common result, the one closest to the median length.
    Typical,
    /// Game with the greatest drama.
    MostDramatic,
    /// Game whose winner was ahead most, by the mean value.
    MostOneSided,
}

/// Game of self-play with the positions at its turning points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Highlight {
    /// Reason for showing it.
    pub shown: HighlightKind,
    /// Number of the game in the record.
    pub game: u32,
    /// Result of the game.
    pub outcome: Outcome,
    /// All moves, the random opening included.
    pub moves: Vec<String>,
    /// Positions after the greatest changes of the value, in the order of the game, followed by the
    /// last position.
    pub turns: Vec<HighlightPly>,
}

/// Position of a game at a turning point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HighlightPly {
    /// Number of plies played before the position.
    pub ply: u32,
    /// Move that led to the position.
    #[serde(rename = "move")]
    pub m: String,
    /// Position as text.
    pub position: String,
    /// Values **for the first player** before and after the move, -1 to 1; `None` for the last
    /// position.
    pub values: Option<[f64; 2]>,
}

/// Turning points of a highlight at most, the last position not counted.
const TURNS_MAX: usize = 2;

/// Turning points are more than this number of plies apart.
const APART: u32 = 2;

/// Chooses the games to show. A game chosen for two reasons is shown once, for the first of them.
pub(super) fn highlights(start: &Line, games: &[RecordedGame], curves: &[Curve]) -> Vec<Highlight> {
    let pairs: Vec<(&RecordedGame, &Curve)> = games.iter().zip(curves).collect();
    let mut found: Vec<Highlight> = Vec::new();
    for (shown, picked) in [
        (HighlightKind::Typical, typical(&pairs)),
        (HighlightKind::MostDramatic, greatest(&pairs, Curve::drama)),
        (HighlightKind::MostOneSided, greatest(&pairs, Curve::lead_of_winner)),
    ] {
        let Some((game, curve)) = picked else { continue };
        if found.iter().all(|known| known.game != game.number.game) {
            found.push(highlight(shown, start, game, curve));
        }
    }
    found
}

fn typical<'a>(games: &[(&'a RecordedGame, &'a Curve)]) -> Option<(&'a RecordedGame, &'a Curve)> {
    let with = |outcome| games.iter().filter(move |(_, curve)| curve.outcome == outcome);
    let outcomes = [Outcome::FirstWins, Outcome::SecondWins, Outcome::Draw];
    // Equally common results: the worst one for the first player.
    let most = outcomes
        .into_iter()
        .max_by_key(|&outcome| (with(outcome).count(), Reverse(outcome.value())))?;
    let mut lengths: Vec<usize> = games.iter().map(|(game, _)| game.record.len()).collect();
    lengths.sort_unstable();
    let median = *lengths.get(lengths.len() / 2)?;
    with(most).min_by_key(|(game, _)| (game.record.len().abs_diff(median), game.number)).copied()
}

/// Returns the first of the games with the greatest value, if that is above 0.
fn greatest<'a>(
    games: &[(&'a RecordedGame, &'a Curve)],
    of: fn(&Curve) -> Option<f64>,
) -> Option<(&'a RecordedGame, &'a Curve)> {
    let valued = games.iter().filter_map(|&pair| Some((of(pair.1)?, pair)));
    let valued = valued.filter(|(value, _)| *value > 0.0);
    let greatest = valued.reduce(|best, next| if next.0 > best.0 { next } else { best });
    greatest.map(|(_, pair)| pair)
}

fn highlight(shown: HighlightKind, start: &Line, game: &RecordedGame, curve: &Curve) -> Highlight {
    let moves: Vec<String> = game.record.moves().cloned().collect();
    let mut positions = vec![start.position_text()];
    let mut line = start.clone();
    for m in &moves {
        // If a record does not replay, the highlight ends there.
        if line.play_text(m).is_err() {
            break;
        }
        positions.push(line.position_text());
    }
    let last = positions.len() - 1;
    let mut swings: Vec<(f64, u32, [f64; 2])> = curve
        .values
        .windows(2)
        .zip(curve.first_ply + 1..)
        .map(|(pair, ply)| {
            let values = [pair[0].mean, pair[1].mean];
            ((values[1] - values[0]).abs(), ply, values)
        })
        .filter(|&(_, ply, _)| (ply as usize) < last)
        .collect();
    swings.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let mut plies: Vec<(u32, Option<[f64; 2]>)> = Vec::new();
    for (swing, ply, values) in swings {
        let apart = plies.iter().all(|(known, _)| known.abs_diff(ply) > APART);
        if swing > 0.0 && apart && plies.len() < TURNS_MAX {
            plies.push((ply, Some(values)));
        }
    }
    plies.sort_by_key(|(ply, _)| *ply);
    if last > 0 {
        plies.push((last as u32, None));
    }
    let turn = |(ply, values): (u32, Option<[f64; 2]>)| HighlightPly {
        ply,
        m: moves[ply as usize - 1].clone(),
        position: positions[ply as usize].clone(),
        values,
    };
    Highlight {
        shown,
        game: game.number.game,
        outcome: curve.outcome,
        turns: plies.into_iter().map(turn).collect(),
        moves,
    }
}

#[cfg(test)]
mod tests {
    use treegauge_catalog::GameSpec;

    use super::*;
    use crate::{Plan, gauge};

    #[test]
    fn highlights_are_games_of_the_record_with_their_positions() {
        let engine =
            treegauge_engine::open(&GameSpec::parse("connect_four(cols=5,rows=4)").unwrap());
        let engine = engine.unwrap();
        let plan = Plan {
            games: 20,
            iterations: 100,
            skill_games: 0,
            ladder: vec![],
            solve_limit: 0,
            ..Plan::default()
        };
        let gauge = gauge(engine.as_ref(), &engine.start(), &plan, vec![], &(), &());
        let [typical, dramatic, one_sided] = &gauge.highlights[..] else {
            panic!("{:?}", gauge.highlights)
        };
        assert_eq!(typical.shown, HighlightKind::Typical);
        assert_eq!(dramatic.shown, HighlightKind::MostDramatic);
        let curve = |highlight: &Highlight| &gauge.curves[highlight.game as usize];
        for other in &gauge.curves {
            assert!(other.drama().unwrap_or(0.0) <= curve(dramatic).drama().unwrap());
            let lead = curve(one_sided).lead_of_winner().unwrap();
            assert!(other.lead_of_winner().unwrap_or(-1.0) <= lead);
        }
        for highlight in &gauge.highlights {
            assert_eq!(highlight.outcome, curve(highlight).outcome);
            assert_eq!(highlight.moves.len(), gauge.lengths[highlight.game as usize] as usize);
            let last = highlight.turns.last().unwrap();
            assert_eq!((last.ply as usize, last.values), (highlight.moves.len(), None));
            assert!(highlight.turns.is_sorted_by_key(|turn| turn.ply));
            for turn in &highlight.turns {
                let mut line = engine.start();
                for m in &highlight.moves[..turn.ply as usize] {
                    line.play_text(m).unwrap();
                }
                assert_eq!(line.position_text(), turn.position);
                assert_eq!(highlight.moves[turn.ply as usize - 1], turn.m);
                // Value after this number of plies.
                let n = turn.ply.saturating_sub(curve(highlight).first_ply) as usize;
                let after = turn.values.map(|[_, after]| after);
                assert!(after.is_none_or(|after| after == curve(highlight).values[n].mean));
            }
        }
    }
}
