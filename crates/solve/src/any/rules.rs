//! Rules whose type of codes is hidden.

use std::any::Any;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use treegauge_core::{Capabilities, Keyed, Notation, Watch};

use super::typed::{Stopped, any_solved};
use super::{AnyCheckpoint, AnyCode, AnySolved, AnySolvedFile};
use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::error::SolveError;
use crate::file::{SolutionFile, rules_hash};
use crate::limit::PlyLimit;
use crate::probe::ProbeError;
use crate::retrograde;
use crate::rules::{Reduction, Solvable};
use crate::solver::{Options, solve};
use crate::value::Valued;

/// A game with codes of any type.
#[derive(Clone, Debug)]
pub enum AnySolvable {
    /// Keys of up to 64 bits.
    Bits64(Solvable<u64>),
    /// Keys of up to 128 bits.
    Bits128(Solvable<u128>),
    /// Keys of up to 256 bits.
    Bits256(Solvable<[u64; 4]>),
    /// Longer keys.
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
    /// A game with its capabilities, as [`Solvable::of`] takes them.
    #[must_use]
    pub fn of<G: Notation + Keyed>(game: G, capabilities: Capabilities<G>) -> AnySolvable {
        AnySolvable::found(&Solvable::of(game, capabilities))
    }

    fn found(rules: &dyn Any) -> AnySolvable {
        // Exactly one of the types is that of the codes.
        let bits64 = || rules.downcast_ref().cloned().map(AnySolvable::Bits64);
        let bits128 = || rules.downcast_ref().cloned().map(AnySolvable::Bits128);
        let bits256 = || rules.downcast_ref().cloned().map(AnySolvable::Bits256);
        let bits1024 = || rules.downcast_ref().cloned().map(AnySolvable::Bits1024);
        let found = bits64().or_else(bits128).or_else(bits256).or_else(bits1024);
        found.expect("there are four types of codes")
    }

    /// Solves the game from a position; see [`solve`].
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

    /// Whether a solve from a start takes less memory when it is reduced by symmetry: there are
    /// symmetries ([`Reduction::of`]), and what they save is more than what they cost. In a game without
    /// tiers whose moves can be taken back, moves are written down only where positions are reduced.
    #[must_use]
    pub fn symmetry_saves(&self, start: &AnyCode) -> bool {
        with_rules!(self, rules => {
            let costs = !rules.has_tiers() && retrograde::can_ask(rules, &Reduction::none());
            !costs && Reduction::of(rules, start.get()).is_ok()
        })
    }

    /// The name of the run that a checkpoint is valid for: this game, these rules, this start, this
    /// reduction.
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

    /// Reads a checkpoint of the run of a name into at most `bytes_max` bytes.
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

    /// Opens the file of the solved game, by the game's canonical name.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is damaged, or is of another game or other rules.
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

    /// The limit of plies that may stop a game from a position of this value, from which as many can be
    /// reached, before its end; see [`PlyLimit::before`].
    #[must_use]
    pub fn ply_limit(&self, valued: Valued, positions: u64) -> Option<PlyLimit> {
        with_rules!(self, rules => PlyLimit::before(rules, valued, positions))
    }
}
