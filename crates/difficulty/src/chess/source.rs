//! Engine as a source of move values.

use crate::{ListedMoves, MoveSource, Step, Value};
use treegauge_core::Watch;

use crate::chess::analyser::{Analyser, Inquiry};
use crate::chess::position::{ChessMove, Position};
use crate::chess::uci::{Analysis, UciError};

/// Number of moves that an engine lists per position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MultiPv {
    /// First 4 (2 if no more are needed), then 16, 64 and all, until the last one is not
    /// meaningful.
    Adaptive,
    /// Always this number, such as the 8 of Stoiljkovikj 2015. An engine may list fewer moves than
    /// requested; the others count as worse.
    Fixed(u32),
}

/// Bound on the legal moves of any position.
const ALL_MOVES: u32 = 256;

/// Source of move values that asks an engine.
///
/// An answer depends only on the position and on the number of moves listed: the engine forgets
/// everything else before a new position.
pub struct EngineSource<'a> {
    analyser: &'a mut Analyser,
    multi_pv: MultiPv,
    watch: &'a dyn Watch,
    problem_best_by_depth: Vec<ChessMove>,
}

impl<'a> EngineSource<'a> {
    /// Wraps an engine as a source.
    pub fn new(analyser: &'a mut Analyser, multi_pv: MultiPv, watch: &'a dyn Watch) -> Self {
        EngineSource { analyser, multi_pv, watch, problem_best_by_depth: Vec::new() }
    }

    /// Best move after each depth from 1 on, for the first position that was listed.
    #[must_use]
    pub fn problem_best_by_depth(&self) -> &[ChessMove] {
        &self.problem_best_by_depth
    }

    /// Numbers of moves to request, one search after the other.
    fn stages(&self, least: u32) -> impl Iterator<Item = u32> + use<> {
        let first = match self.multi_pv {
            MultiPv::Fixed(lines) => return vec![lines.max(least)].into_iter(),
            MultiPv::Adaptive if least == 2 => 2,
            MultiPv::Adaptive => least.max(4),
        };
        let mut stages = vec![first];
        stages.extend([16, 64, ALL_MOVES].into_iter().filter(|&lines| lines > first));
        stages.into_iter()
    }
}

impl MoveSource for EngineSource<'_> {
    type Position = Position;
    type Move = ChessMove;
    type Error = UciError;

    fn list(
        &mut self,
        position: &Position,
        least: u32,
        enough: &dyn Fn(&[Value]) -> bool,
    ) -> Result<ListedMoves<ChessMove>, UciError> {
        let legal = position.moves();
        let count = legal.len() as u32;
        if legal.is_empty() {
            return Ok(ListedMoves { legal: 0, moves: Vec::new() });
        }
        let mut inquiry = Inquiry::new(position.clone());
        let mut moves = Vec::new();
        for lines in self.stages(least) {
            let wanted = lines.min(count);
            let check = |analysis: &Analysis| {
                let moves = checked(position, analysis, wanted)?;
                Ok((moves, analysis.best_by_depth.clone(), analysis.lines_max))
            };
            let (listed, best, most) =
                self.analyser.analyse(&mut inquiry, wanted, check, self.watch)?;
            moves = listed;
            if self.problem_best_by_depth.is_empty() {
                self.problem_best_by_depth = best;
            }
            let values: Vec<Value> = moves.iter().map(|(_, value)| *value).collect();
            if lines >= count || most.is_some() || enough(&values) {
                break;
            }
        }
        Ok(ListedMoves { legal: count, moves })
    }

    fn after(&self, position: &Position, played: ChessMove) -> Position {
        position.after(played)
    }

    fn side(&self, position: &Position) -> u8 {
        u8::from(!position.white_to_move())
    }

    fn text(&self, position: &Position, played: ChessMove) -> String {
        position.san(played)
    }

    fn step(&self, position: &Position, played: ChessMove) -> Option<Step> {
        Some(position.step(played))
    }

    fn material(&self, position: &Position) -> Option<[f64; 2]> {
        Some(position.material().map(f64::from))
    }
}

/// Moves of an answer, best first. An error if they are fewer than requested, not legal, repeated
/// or out of order.
fn checked(
    position: &Position,
    analysis: &Analysis,
    lines: u32,
) -> Result<Vec<(ChessMove, Value)>, UciError> {
    let mut moves: Vec<(ChessMove, Value)> = Vec::with_capacity(analysis.lines.len());
    for &(played, value) in &analysis.lines {
        // An answer from the cache may belong to another position.
        if !position.is_legal(played) {
            return Err(UciError::Wrong(format!("{played} is not a legal move")));
        }
        if moves.iter().any(|(other, _)| *other == played) {
            return Err(UciError::Wrong(format!("{} is listed twice", position.uci(played))));
        }
        moves.push((played, value));
    }
    let lines = analysis.lines_max.map_or(lines, |most| most.min(lines));
    if moves.len() < lines as usize {
        let problem = format!("{} moves instead of {lines}", moves.len());
        return Err(UciError::Wrong(problem));
    }
    if !moves.is_sorted_by(|a, b| a.1.compared_to(b.1).is_ge()) {
        return Err(UciError::Wrong("a worse move is listed before a better one".to_owned()));
    }
    Ok(moves)
}
