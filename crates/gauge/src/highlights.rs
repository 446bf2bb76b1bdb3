//! Games that show how a game goes: a typical one, the most dramatic and the most one-sided.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use treegauge_core::Outcome;
use treegauge_engine::Line;

use super::curve::Curve;
use super::record::RecordedGame;

/// Why a game is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HighlightKind {
    /// Of the games with the most common result, the one nearest to the median length.
    Typical,
    /// The one with the greatest drama.
    MostDramatic,
    /// The one whose winner was ahead most, on average.
    MostOneSided,
}

/// A game of self-play with the positions at its turning points.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Highlight {
    /// Why it is shown.
    pub shown: HighlightKind,
    /// Its number in the record.
    pub game: u32,
    /// Its result.
    pub outcome: Outcome,
    /// All moves.
    pub moves: Vec<String>,
    /// The positions after which its value was most different, in the order of the game; the last
    /// position comes last.
    pub turns: Vec<HighlightPly>,
}

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HighlightPly {
    /// The plies before it.
    pub ply: u32,
    /// The move that led to it.
    #[serde(rename = "move")]
    pub m: String,
    /// The position as text.
    pub position: String,
    /// The value **for the first player** before the move and after it, -1 to 1; none after the end.
    pub values: Option<[f64; 2]>,
}

/// Positions before the last that a highlight has.
const TURNS_MAX: usize = 2;

/// Plies between two turning points, at least.
const APART: u32 = 2;

/// The games to show, each for one reason.
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
    // Of equally common results the first.
    let most = outcomes
        .into_iter()
        .max_by_key(|&outcome| (with(outcome).count(), Reverse(outcome.value())))?;
    let mut lengths: Vec<usize> = games.iter().map(|(game, _)| game.record.len()).collect();
    lengths.sort_unstable();
    let median = *lengths.get(lengths.len() / 2)?;
    with(most).min_by_key(|(game, _)| (game.record.len().abs_diff(median), game.number)).copied()
}

/// The first of the games with the greatest value above 0.
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
        // A record that does not replay is not shown further.
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
                // The value after this number of plies.
                let n = turn.ply.saturating_sub(curve(highlight).first_ply) as usize;
                let after = turn.values.map(|[_, after]| after);
                assert!(after.is_none_or(|after| after == curve(highlight).values[n].mean));
            }
        }
    }
}
