//! Implementations of the traits that hide the type of the codes.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use treegauge_core::{KeyCode, Watch};

use super::{
    AnyCheckpoint, AnyCode, AnyForcedWins, AnyPuzzles, AnyRated, AnySolution, AnySolved,
    AnySolvedFile, AnyValues, RatedRow, RatedRows,
};
use crate::checkpoint::Checkpoint;
use crate::digest::Digest;
use crate::error::{SolveError, WorkError};
use crate::file::{FileError, Header, Landscape, SolutionFile, Wanted, write_file};
use crate::forced::{ForcedOptions, ForcedWins};
use crate::interest::{Interest, InterestOptions, LoseChildren, interest};
use crate::memory::Memory;
use crate::move_value::MoveValue;
use crate::probe::{LookUp, ProbeError};
use crate::puzzle::{PuzzleOptions, puzzles, puzzles_of_starts};
use crate::report::{
    FoundPuzzles, FromPlay, InterestAnalysis, InterestPosition, InterestReport, InterestTerms,
    KeptInterestError, PlayedGames, ProbeReport, SolveReport, SolvedMargin, VerifyReport,
    check_kept, kept_interest, rounded,
};
use crate::rules::Solvable;
use crate::solution::Solution;
use crate::solver::{Options, Solved, resume};
use crate::value::{ExactValue, Value};
use crate::verify::verify;

pub(super) fn any_solved<K: KeyCode>(rules: Solvable<K>, solved: Solved<K>) -> AnySolved {
    match solved {
        Solved::Done(solution) => AnySolved::Done(Arc::new(*solution)),
        Solved::Stopped(checkpoint) => AnySolved::Stopped(Box::new(Stopped { rules, checkpoint })),
    }
}

pub(super) struct Stopped<K: KeyCode> {
    pub(super) rules: Solvable<K>,
    pub(super) checkpoint: Checkpoint<K>,
}

impl<K: KeyCode> AnyCheckpoint for Stopped<K> {
    fn positions(&self) -> u64 {
        self.checkpoint.len()
    }

    fn done(&self) -> u64 {
        self.checkpoint.done()
    }

    fn can_grow(&self) -> bool {
        self.checkpoint.can_grow()
    }

    fn write(&self, name: &str, out: &mut dyn Write) -> io::Result<()> {
        self.checkpoint.write(name, out)
    }

    fn resume(
        self: Box<Self>,
        options: Options,
        watch: &dyn Watch,
    ) -> Result<AnySolved, SolveError> {
        let Stopped { rules, checkpoint } = *self;
        let solved = resume(&rules, checkpoint, options, watch)?;
        Ok(any_solved(rules, solved))
    }
}

impl<S: LookUp> AnyValues for S {
    fn start_text(&self) -> String {
        self.rules().position_text(self.start())
    }

    fn undecided(&self) -> u64 {
        LookUp::undecided(self)
    }

    fn known_throughout(&self) -> Result<(), ProbeError> {
        LookUp::known_throughout(self)
    }

    fn value(&self, at: &AnyCode) -> Result<ExactValue, ProbeError> {
        LookUp::value(self, at.get())
    }

    fn moves(&self, at: &AnyCode) -> Result<Vec<MoveValue>, ProbeError> {
        LookUp::moves(self, at.get())
    }
}

impl<K: KeyCode> AnySolution for Solution<K> {
    fn len(&self) -> usize {
        self.len()
    }

    fn start_by_history(&self) -> Option<Value> {
        self.start_by_history()
    }

    fn digest(&self, memory_bytes_max: Option<u64>, watch: &dyn Watch) -> Option<Digest> {
        Solution::digest(self, memory_bytes_max, watch)
    }

    fn report(&self, game: String, digest: Digest, file_bytes: Option<u64>) -> SolveReport {
        SolveReport::new(game, self, digest, file_bytes)
    }

    fn into_checkpoint(self: Arc<Self>) -> Option<Box<dyn AnyCheckpoint>> {
        let solution = Arc::into_inner(self)?;
        let rules = solution.rules().clone();
        Some(Box::new(Stopped { rules, checkpoint: solution.into_checkpoint() }))
    }

    fn margin(&self, memory_bytes_max: Option<u64>, watch: &dyn Watch) -> Option<SolvedMargin> {
        SolvedMargin::find(self, memory_bytes_max, watch)
    }

    fn write(
        &self,
        path: &Path,
        name: &str,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Header, FileError> {
        write_file(path, self, name, memory_bytes_max, watch)
    }

    fn rate(
        self: Arc<Self>,
        options: InterestOptions,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Arc<dyn AnyRated>, WorkError> {
        let interest = interest(&self, options, memory_bytes_max, watch)?;
        Ok(Arc::new(Rated { solution: self, interest, memory_bytes_max }))
    }
}

struct Rated<K: KeyCode> {
    solution: Arc<Solution<K>>,
    interest: Interest<K>,
    memory_bytes_max: Option<u64>,
}

impl<K: KeyCode> AnyRated for Rated<K> {
    fn report(&self, game: String) -> InterestReport {
        InterestReport::new(game, &self.solution, &self.interest)
    }

    fn sorted(&self) -> Result<Box<dyn RatedRows + '_>, WorkError> {
        let memory = Memory::new(self.memory_bytes_max);
        memory.take(self.solution.bytes() + (self.solution.len() * size_of::<u64>()) as u64)?;
        let len = self.solution.reachable().total() as usize;
        memory.take((len * size_of::<(K, usize)>()) as u64)?;
        let expander = self.solution.expander();
        let mut images = Vec::new();
        let mut keys: Vec<(K, usize)> = Vec::with_capacity(len);
        for (index, key, _) in self.solution.iter() {
            expander.images_into(key, &mut images);
            keys.extend(images.iter().map(|&image| (image, index)));
        }
        rayon::slice::ParallelSliceMut::par_sort_unstable_by_key(&mut *keys, |&(key, _)| key);
        Ok(Box::new(Sorted { rated: self, keys }))
    }

    fn puzzles(
        &self,
        game: String,
        asked: PuzzleOptions,
        watch: &dyn Watch,
    ) -> Option<Box<dyn AnyPuzzles>> {
        let found = puzzles(&self.solution, |index| self.interest.of(index), asked, watch);
        if found.stopped {
            return None;
        }
        let solution = self.solution.clone();
        Some(Box::new(FoundPuzzles::new(game, solution, &self.interest, asked, found)))
    }
}

/// Forced wins whose proofs are shared.
pub(super) struct Forced<K: KeyCode> {
    options: ForcedOptions,
    won: Vec<Arc<Solution<K>>>,
    not_won: u64,
    undecided: u64,
}

impl<K: KeyCode> Forced<K> {
    pub(super) fn new(found: ForcedWins<K>) -> Self {
        let ForcedWins { options, won, not_won, undecided } = found;
        Forced { options, won: won.into_iter().map(Arc::new).collect(), not_won, undecided }
    }
}

impl<K: KeyCode> AnyForcedWins for Forced<K> {
    fn values(&self, at: &AnyCode) -> Option<Arc<dyn AnyValues>> {
        let at: K = at.get();
        let proof = self.won.iter().find(|proof| proof.start() == at)?;
        Some(proof.clone())
    }

    fn puzzles(
        &self,
        game: String,
        choices: InterestOptions,
        asked: PuzzleOptions,
        played: PlayedGames,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Box<dyn AnyPuzzles>, WorkError> {
        let options = InterestOptions { lose_children: LoseChildren::Fastest, ..choices };
        let rate = |proof: &Arc<Solution<K>>| {
            let interest = interest(proof, options, memory_bytes_max, watch)?;
            let start = proof.index_of(proof.start()).expect("a solution has its start");
            let terms = InterestTerms::of(&interest.terms(proof, start));
            Ok((interest.of(start), terms.expect("a win has moves")))
        };
        let rated = self.won.iter().map(rate).collect::<Result<Vec<_>, WorkError>>()?;
        let found = puzzles_of_starts(&self.won, |n| rated[n].0, asked, watch);
        if found.stopped {
            return Err(WorkError::Interrupted);
        }
        let from_play = FromPlay {
            played,
            plies_max: self.options.plies_max,
            nodes_max: self.options.nodes_max,
            won: self.won.len() as u64,
            not_won: self.not_won,
            undecided: self.undecided,
        };
        let proofs = self.won.iter().cloned().zip(rated.into_iter().map(|(_, terms)| terms));
        Ok(Box::new(FoundPuzzles::proven(game, options, asked, found, proofs, from_play)))
    }
}

/// Keys of all positions in ascending order, each with the number of its position in the solution.
struct Sorted<'a, K: KeyCode> {
    rated: &'a Rated<K>,
    keys: Vec<(K, usize)>,
}

impl<K: KeyCode> RatedRows for Sorted<'_, K> {
    fn len(&self) -> usize {
        self.keys.len()
    }

    fn rows(&self, range: Range<usize>) -> Vec<RatedRow> {
        let Rated { solution, interest, .. } = self.rated;
        let rules = solution.rules();
        let row = |&(key, index): &(K, usize)| RatedRow {
            position: rules.position_text(key),
            valued: solution.valued(index),
            interestingness: rounded(interest.of(index)),
            terms: InterestTerms::of(&interest.terms(solution, index)),
        };
        self.keys[range].iter().map(row).collect()
    }
}

impl<K: KeyCode> AnySolvedFile for SolutionFile<K> {
    fn path(&self) -> &Path {
        self.path()
    }

    fn header(&self) -> &Header {
        self.header()
    }

    fn count(&self, landscape: &mut Landscape, watch: &dyn Watch) -> Result<bool, FileError> {
        self.count(landscape, watch)
    }

    fn find(
        &self,
        wanted: &Wanted,
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<Option<String>, FileError> {
        let found = SolutionFile::find(self, wanted, seed, watch)?;
        Ok(found.map(|state| self.rules().position_text(state)))
    }

    fn section_names(&self) -> Vec<String> {
        self.section_names().map(str::to_owned).collect()
    }

    fn probe(&self, game: String, at: &AnyCode) -> Result<ProbeReport, ProbeError> {
        ProbeReport::new(game, self, at.get())
    }

    fn verify(
        &self,
        game: String,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<VerifyReport, FileError> {
        let verdict = verify(self, memory_bytes_max, watch)?;
        Ok(VerifyReport::new(game, self.rules(), &verdict))
    }

    fn load(
        &self,
        memory_bytes_max: Option<u64>,
        watch: &dyn Watch,
    ) -> Result<Arc<dyn AnySolution>, FileError> {
        Ok(Arc::new(self.load(memory_bytes_max, watch)?))
    }

    fn kept_interest(&self) -> Result<InterestAnalysis, KeptInterestError> {
        kept_interest(self)
    }

    fn check_kept(&self, position: &InterestPosition) -> Result<(), KeptInterestError> {
        check_kept(self, position)
    }
}
