//! What is asked of rules whose type of codes is hidden.

use std::io::Read;
use std::path::Path;

use treegauge_core::{KeyCode, Notation, Watch};

use super::typed::{Stopped, any_solved};
use super::{AnyCheckpoint, AnyCode, AnySolved, AnySolvedFile};
use crate::checkpoint::{Checkpoint, CheckpointError};
use crate::erased::{AnySolvable, Erased, SolvableVisitor};
use crate::error::SolveError;
use crate::file::rules_hash;
use crate::retrograde;
use crate::rules::{Reduction, Solvable};
use crate::solved_file::{ProbeError, SolvedFile};
use crate::solver::{Options, solve};

impl AnySolvable {
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
        self.visit(Solve { start, options, watch })
    }

    /// Whether a solve from a start takes less memory when it is reduced by symmetry: there are
    /// symmetries ([`Reduction::of`]), and what they save is more than what they cost. In a game without
    /// tiers whose moves can be taken back, moves are written down only where positions are reduced.
    #[must_use]
    pub fn symmetry_saves(self, start: &AnyCode) -> bool {
        self.visit(SymmetrySaves(start))
    }

    /// The name of the run that a checkpoint is valid for: this game, these rules, this start, this
    /// reduction.
    #[must_use]
    pub fn run_name(self, start: &AnyCode, symmetry: bool, canonical_name: &str) -> String {
        self.visit(RunName { start, symmetry, canonical_name })
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
        self.visit(ReadCheckpoint { name, bytes_max, input })
    }

    /// Opens the file of the solved game, by the game's canonical name.
    ///
    /// # Errors
    ///
    /// Those of [`SolvedFile::open`].
    pub fn open(
        self,
        path: &Path,
        canonical_name: &str,
    ) -> Result<Box<dyn AnySolvedFile>, ProbeError> {
        self.visit(Open { path, canonical_name })
    }
}

struct Solve<'a> {
    start: &'a AnyCode,
    options: Options,
    watch: &'a dyn Watch,
}

impl SolvableVisitor for Solve<'_> {
    type Output = Result<AnySolved, SolveError>;

    fn visit<K: KeyCode>(self, rules: Solvable<Erased<K>>) -> Self::Output {
        let solved = solve(&rules, &self.start.get::<K>(), self.options, self.watch)?;
        Ok(any_solved(rules, solved))
    }
}

struct SymmetrySaves<'a>(&'a AnyCode);

impl SolvableVisitor for SymmetrySaves<'_> {
    type Output = bool;

    fn visit<K: KeyCode>(self, rules: Solvable<Erased<K>>) -> bool {
        let costs = !rules.has_tiers() && retrograde::can_ask(&rules, &Reduction::none());
        !costs && Reduction::of(&rules, &self.0.get::<K>()).is_ok()
    }
}

struct RunName<'a> {
    start: &'a AnyCode,
    symmetry: bool,
    canonical_name: &'a str,
}

impl SolvableVisitor for RunName<'_> {
    type Output = String;

    fn visit<K: KeyCode>(self, rules: Solvable<Erased<K>>) -> String {
        let start: K = self.start.get();
        let reduction = Reduction::of(&rules, &start)
            .ok()
            .filter(|_| self.symmetry)
            .unwrap_or_else(Reduction::none);
        let reduced = if reduction.is_none() { "" } else { " by symmetry" };
        let hash = rules_hash(&rules, &reduction, self.canonical_name, &start);
        let position = rules.game().position_text(&start);
        format!("{} from {position}{reduced}, rules {hash:016x}", self.canonical_name)
    }
}

struct ReadCheckpoint<'a> {
    name: &'a str,
    bytes_max: Option<u64>,
    input: &'a mut dyn Read,
}

impl SolvableVisitor for ReadCheckpoint<'_> {
    type Output = Result<Box<dyn AnyCheckpoint>, CheckpointError>;

    fn visit<K: KeyCode>(self, rules: Solvable<Erased<K>>) -> Self::Output {
        let checkpoint = Checkpoint::read(self.name, self.bytes_max, self.input)?;
        Ok(Box::new(Stopped { rules, checkpoint }))
    }
}

struct Open<'a> {
    path: &'a Path,
    canonical_name: &'a str,
}

impl SolvableVisitor for Open<'_> {
    type Output = Result<Box<dyn AnySolvedFile>, ProbeError>;

    fn visit<K: KeyCode>(self, rules: Solvable<Erased<K>>) -> Self::Output {
        Ok(Box::new(SolvedFile::open(self.path, rules, self.canonical_name)?))
    }
}
