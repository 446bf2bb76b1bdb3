//! Solvable games that hide the type of the codes.

use std::any::Any;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use treegauge_core::{Capabilities, Keyed, Notation, Watch};

use super::typed::{Forced, Stopped, any_solved};
use super::{AnyCheckpoint, AnyCode, AnyForcedWins, AnySolved, AnySolvedFile};
use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::error::{SolveError, WorkError};
use crate::file::{SolutionFile, rules_hash};
use crate::forced::{ForcedOptions, forced_wins};
use crate::limit::PlyLimit;
use crate::probe::ProbeError;
use crate::retrograde;
use crate::rules::{Reduction, Solvable};
use crate::solver::{Options, solve};
use crate::value::ExactValue;

/// Solvable game with codes of any of the four types.
#[derive(Clone, Debug)]
pub enum AnySolvable {
    /// Keys of up to 64 bits.
    Bits64(Solvable<u64>),
    /// Keys of up to 128 bits.
    Bits128(Solvable<u128>),
    /// Keys of up to 256 bits.
    Bits256(Solvable<[u64; 4]>),
    /// Keys of up to 1024 bits.
    Bits1024(Solvable<[u64; 16]>),
}

/// Evaluates an expression with the [`Solvable`] of an [`AnySolvable`], compiled once for each type of
/// codes.
///
/// ```
/// use treegauge_core::{Capabilities, Plies};
/// use treegauge_games::one_to_ten::OneToTen;
/// use treegauge_solve::{AnySolvable, with_rules};
///
/// let rules = AnySolvable::of(OneToTen::new(10, 2, false, Plies(100)), Capabilities::none());
/// assert_eq!(with_rules!(rules, rules => rules.move_count(rules.start())), 2);
/// ```
#[macro_export]
macro_rules! with_rules {
    ($any:expr, $rules:ident => $work:expr) => {
        match $any {
            $crate::AnySolvable::Bits64($rules) => $work,
            $crate::AnySolvable::Bits128($rules) => $work,
            $crate::AnySolvable::Bits256($rules) => $work,
            $crate::AnySolvable::Bits1024($rules) => $work,
        }
    };
}

impl AnySolvable {
    /// Wraps a game with its capabilities; see [`Solvable::of`].
    #[must_use]
    pub fn of<G: Notation + Keyed>(game: G, capabilities: Capabilities<G>) -> AnySolvable {
        AnySolvable::found(&Solvable::of(game, capabilities))
    }

    fn found(rules: &dyn Any) -> AnySolvable {
        // Exactly one of the four types matches.
        let bits64 = || rules.downcast_ref().cloned().map(AnySolvable::Bits64);
        let bits128 = || rules.downcast_ref().cloned().map(AnySolvable::Bits128);
        let bits256 = || rules.downcast_ref().cloned().map(AnySolvable::Bits256);
        let bits1024 = || rules.downcast_ref().cloned().map(AnySolvable::Bits1024);
        let found = bits64().or_else(bits128).or_else(bits256).or_else(bits1024);
        found.expect("there are four types of codes")
    }

    /// Solves the game from a start; see [`solve`].
    ///
    /// # Errors
    ///
    /// Those of [`solve`].
    pub fn solve(
        self,
        start: &AnyCode,
        options: Options,
        watch: &dyn Watch,
    ) -> Result<AnySolved, SolveError> {
        with_rules!(self, rules => {
            let solved = solve(&rules, start.get(), options, watch)?;
            Ok(any_solved(rules, solved))
        })
    }

    /// Finds the forced wins among some positions; see [`forced_wins`].
    ///
    /// # Errors
    ///
    /// Those of [`forced_wins`].
    ///
    /// # Panics
    ///
    /// When the limit of plies is greater than [`ForcedOptions::PLIES_MAX`].
    pub fn forced_wins(
        &self,
        positions: &[AnyCode],
        options: ForcedOptions,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Box<dyn AnyForcedWins>, WorkError> {
        with_rules!(self, rules => {
            let positions: Vec<_> = positions.iter().map(AnyCode::get).collect();
            let found = forced_wins(rules, &positions, options, memory_bytes_max, watch)?;
            Ok(Box::new(Forced::new(found)))
        })
    }

    /// Returns whether reduction by symmetry saves memory in a solve from this start. It needs
    /// symmetries that keep the start ([`Reduction::of`]), and they must save more than they cost:
    /// in a game without tiers whose moves can be taken back, only a reduced solve has to store the
    /// moves.
    #[must_use]
    pub fn symmetry_saves(&self, start: &AnyCode) -> bool {
        with_rules!(self, rules => {
            let costs = !rules.has_tiers() && retrograde::can_ask(rules, &Reduction::none());
            !costs && Reduction::of(rules, start.get()).is_ok()
        })
    }

    /// Name of the run that a checkpoint belongs to. It identifies the game, its rules, the start
    /// and the reduction.
    #[must_use]
    pub fn run_name(&self, start: &AnyCode, symmetry: bool, canonical_name: &str) -> String {
        with_rules!(self, rules => {
            let start = start.get();
            let reduction = Reduction::of(rules, start).ok().filter(|_| symmetry);
            let reduction = reduction.unwrap_or_else(Reduction::none);
            let reduced = if reduction.is_none() { "" } else { " by symmetry" };
            let hash = rules_hash(rules, &reduction, canonical_name, start);
            let position = rules.position_text(start);
            format!("{canonical_name} from {position}{reduced}, rules {hash:016x}")
        })
    }

    /// Reads a checkpoint of the run `name` into at most `bytes_max` bytes.
    ///
    /// # Errors
    ///
    /// Those of [`Checkpoint::read`].
    pub fn read_checkpoint(
        self,
        name: &str,
        bytes_max: Option<u64>,
        input: &mut dyn Read,
    ) -> Result<Box<dyn AnyCheckpoint>, CheckpointError> {
        with_rules!(self, rules => {
            let checkpoint = Checkpoint::read(name, bytes_max, input)?;
            Ok(Box::new(Stopped { rules, checkpoint }))
        })
    }

    /// Opens the file of the solved game; `canonical_name` must be that of the file.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is damaged, or belongs to another game or other rules.
    pub fn open(
        self,
        path: &Path,
        canonical_name: &str,
    ) -> Result<Arc<dyn AnySolvedFile>, ProbeError> {
        let wrong = |source| ProbeError::File { path: path.to_owned(), source };
        with_rules!(self, rules => {
            Ok(Arc::new(SolutionFile::open(path, rules, canonical_name).map_err(wrong)?))
        })
    }

    /// Ply limit that may stop a game before the end of best play from a position with this value.
    /// `positions` is the number of positions that can be reached. See [`PlyLimit::before`].
    #[must_use]
    pub fn ply_limit(&self, valued: ExactValue, positions: u64) -> Option<PlyLimit> {
        with_rules!(self, rules => PlyLimit::before(rules, valued, positions))
    }
}
