//! Games, searches and values that a worker keeps between requests.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};
use treegauge::engine::{SolvedGame, StartingPoint, UctPlayer};
use treegauge::report::{FromPlay, PuzzlesReport};
use treegauge::search::{Budget, Seed, Stopped, UctOptions};
use treegauge::solve::{ForcedOptions, Landscape};
use treegauge::{
    ChessEngine, Error, ErrorKind, Game, GrowingSearch, Line, PlyValues, Progress, SolutionFile,
    Watch, forced_wins, open_solution_with, solved_game_with,
};

use super::Inside;
use crate::workspace::{RUNS, SOLUTION_ENDING, Workspace};

/// The greatest number of nodes of all trees that are kept.
pub(crate) const NODES_MAX: u32 = 2_000_000;

/// Numbers of games, searches and positions with values that are kept.
const GAMES_MAX: usize = 8;
const SEARCHES_MAX: usize = 8;
const VALUES_MAX: usize = 2_000;

/// The greatest number of solution files that are looked at.
const SOLUTIONS_MAX: usize = 200;

/// Numbers of solution files and of reports of puzzles that are kept open, and the longest report.
const FILES_MAX: usize = 4;
const REPORTS_MAX: usize = 2;
const REPORT_BYTES_MAX: u64 = 1 << 28;

/// Number of proofs that are kept, and the time for one.
const PROOFS_MAX: usize = 8;
const PROOF_TIME: Duration = Duration::from_secs(8);

/// Size and time of a file, which change with its contents.
type Mark = (u64, Option<SystemTime>);

/// A position of a game: where the game begins, and the moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct At {
    pub(crate) game: String,
    /// Position as text; `None` for the start of the game.
    pub(crate) position: Option<String>,
    pub(crate) moves: Vec<String>,
}

impl At {
    /// The same game after its first `ply` moves.
    pub(crate) fn until(&self, ply: usize) -> At {
        At { moves: self.moves[..ply.min(self.moves.len())].to_vec(), ..self.clone() }
    }
}

/// A watch that stops work at a time.
pub(crate) struct Until(pub(crate) Instant);

impl Watch for Until {
    fn progress(&self, _: Progress) {}

    fn stop(&self) -> bool {
        Instant::now() >= self.0
    }
}

/// A search: the position, the seed, and the player whose search it is, without its iterations.
#[derive(Clone, Debug, PartialEq)]
struct SearchKey {
    at: At,
    seed: u64,
    uct: UctPlayer,
}

/// The position, the iterations and the seed of searched values.
type ValuesKey = (At, u32, u64);

/// A proven win: the game, the position, and the limits of the proof.
type ProofKey = (String, String, ForcedOptions);

/// A game that is open, with the texts that it was made from.
struct OpenGame {
    name: String,
    texts: Vec<(String, String)>,
    game: Game,
}

/// Everything that is kept. The oldest goes first.
#[derive(Default)]
pub(crate) struct Kept {
    games: Vec<OpenGame>,
    searches: Vec<(SearchKey, GrowingSearch)>,
    pub(super) values: HashMap<ValuesKey, PlyValues>,
    /// Names of the games of solution files, with size and time of the file.
    solutions: HashMap<String, (u64, Option<SystemTime>, Option<String>)>,
    /// The report of chess problems that was read last.
    pub(super) report: Option<super::chess::ReadReport>,
    /// The chess engine that answered last, with its path and its depth.
    pub(super) engine: Option<(String, u32, ChessEngine)>,
    files: Vec<(String, Mark, Arc<SolutionFile>)>,
    reports: Vec<(String, Mark, Arc<PuzzlesReport>)>,
    landscapes: Vec<(Arc<SolutionFile>, Landscape)>,
    proofs: Vec<(ProofKey, Arc<dyn SolvedGame>)>,
}

impl Kept {
    /// Opens a game. A text that has changed on disk is read again.
    pub(crate) fn game(&mut self, workspace: &Workspace, name: &str) -> Result<Game, Error> {
        let files = Inside(workspace);
        let read = |file: &str| treegauge::tasks::Files::rules(&files, file);
        let is_same = |open: &OpenGame| {
            let is_read = |(file, text): &(String, String)| read(file).as_ref() == Ok(text);
            open.name == name && open.texts.iter().all(is_read)
        };
        if let Some(open) = self.games.iter().find(|open| is_same(open)) {
            return Ok(open.game.clone());
        }
        let mut texts = Vec::new();
        let game = Game::parse_with(name, &mut |file| {
            let text = read(file)?;
            texts.push((file.to_owned(), text.clone()));
            Ok(text)
        })?;
        // Searches and values of an earlier text are of another game.
        self.games.retain(|open| open.name != name);
        self.searches.retain(|(key, _)| key.at.game != name);
        self.values.retain(|(at, ..), _| at.game != name);
        self.proofs.clear();
        if self.games.len() == GAMES_MAX {
            self.games.remove(0);
        }
        self.games.push(OpenGame { name: name.to_owned(), texts, game: game.clone() });
        Ok(game)
    }

    /// The game in progress at a position.
    pub(crate) fn line(&mut self, workspace: &Workspace, at: &At) -> Result<(Game, Line), Error> {
        let game = self.game(workspace, &at.game)?;
        let (position, moves) = (at.position.clone(), at.moves.clone());
        let line = game.begin(&StartingPoint { position, moves })?;
        Ok((game, line))
    }

    /// The search of a position by a player, with the player's iterations; with fewer if `watch` says
    /// stop, the tree has no room, or the result is proved.
    pub(crate) fn search(
        &mut self,
        workspace: &Workspace,
        at: &At,
        uct: UctPlayer,
        seed: u64,
        watch: &dyn Watch,
    ) -> Result<&mut GrowingSearch, Error> {
        let (game, line) = self.line(workspace, at)?;
        let UctPlayer { iterations, cp, expansion, variant } = uct;
        let key = SearchKey { at: at.clone(), seed, uct: UctPlayer { iterations: 0, ..uct } };
        let place = self.searches.iter().position(|(kept, _)| *kept == key);
        // A tree does not shrink.
        let known = place.map(|place| self.searches.remove(place).1);
        let known = known.filter(|search| search.found().iterations <= iterations);
        let mut search = known.unwrap_or_else(|| {
            let budget = Budget { nodes_max: NODES_MAX, ..Budget::iterations(0) };
            let options = UctOptions { budget, cp, expansion, variant };
            GrowingSearch::new(&**game.engine(), &line, options, Seed(seed).generator())
        });
        let found = search.found();
        let can_grow = found.proved.is_none() && found.stopped != Stopped::Nodes;
        if can_grow && found.iterations < iterations {
            search.grow(iterations - found.iterations, watch);
        }
        let nodes = |searches: &[(SearchKey, GrowingSearch)]| {
            searches.iter().map(|(_, search)| search.node_count()).sum::<u32>()
        };
        while self.searches.len() >= SEARCHES_MAX
            || (!self.searches.is_empty()
                && nodes(&self.searches).saturating_add(search.node_count()) > NODES_MAX)
        {
            self.searches.remove(0);
        }
        self.searches.push((key, search));
        let last = self.searches.len() - 1;
        Ok(&mut self.searches[last].1)
    }

    /// Remembers the values of a position.
    pub(super) fn remember(&mut self, key: ValuesKey, values: PlyValues) {
        if self.values.len() >= VALUES_MAX {
            self.values.clear();
        }
        self.values.insert(key, values);
    }

    /// Solution files of a game in the workspace, those of runs included, by name.
    pub(crate) fn solutions(&mut self, workspace: &Workspace, game: &Game) -> Vec<String> {
        let mut names = solution_files(workspace);
        names.truncate(SOLUTIONS_MAX);
        let canonical = &game.info().canonical_name;
        names.retain(|name| {
            let Some(path) = workspace.find(name) else { return false };
            self.solved_game(workspace, name, &path).as_ref() == Some(canonical)
        });
        names
    }

    /// Opens a solution file, which stays open until others are asked for or it changes.
    pub(super) fn solved_file(
        &mut self,
        workspace: &Workspace,
        name: &str,
        path: &Path,
    ) -> Result<Arc<SolutionFile>, Error> {
        let mark = mark_of(path);
        let is_it =
            |(kept, then, _): &(String, Mark, Arc<SolutionFile>)| kept == name && *then == mark;
        if let Some(n) = self.files.iter().position(is_it) {
            let known = self.files.remove(n);
            let file = Arc::clone(&known.2);
            self.files.push(known);
            return Ok(file);
        }
        let files = Inside(workspace);
        let read = |name: &str| {
            Game::parse_with(name, &mut |file| treegauge::tasks::Files::rules(&files, file))
        };
        let file = Arc::new(open_solution_with(path, &read)?);
        self.files.retain(|(kept, ..)| kept != name);
        if self.files.len() == FILES_MAX {
            self.files.remove(0);
        }
        self.files.push((name.to_owned(), mark, Arc::clone(&file)));
        Ok(file)
    }

    /// A solution file of a game: the first of `names` that is one, or else any of the workspace.
    pub(super) fn solution_of(
        &mut self,
        workspace: &Workspace,
        game: &Game,
        names: &[String],
    ) -> Result<(String, Arc<SolutionFile>), Error> {
        let canonical = &game.info().canonical_name;
        let mut names = names.to_vec();
        names.extend(self.solutions(workspace, game));
        for name in names {
            let Some(path) = workspace.find(&name) else { continue };
            if self.solved_game(workspace, &name, &path).as_ref() != Some(canonical) {
                continue;
            }
            if let Ok(file) = super::solved::open(self, workspace, &name) {
                return Ok((name, file));
            }
        }
        Err(super::solved::no_solution(&game.name()))
    }

    /// The proof of a win that was found in play, by which moves are judged.
    pub(super) fn proven(
        &mut self,
        game: &Game,
        at: &Line,
        from_play: FromPlay,
    ) -> Result<Arc<dyn SolvedGame>, Error> {
        let limits = super::solved::limits(from_play);
        let key = (game.info().canonical_name.clone(), at.position_text(), limits);
        if let Some((_, proof)) = self.proofs.iter().find(|(known, _)| *known == key) {
            return Ok(Arc::clone(proof));
        }
        let watch = Until(Instant::now() + PROOF_TIME);
        let found = forced_wins(game, std::slice::from_ref(at), limits, &watch)?;
        let proof = found.solved_game(at).ok_or_else(super::solved::not_won)?;
        if self.proofs.len() == PROOFS_MAX {
            self.proofs.remove(0);
        }
        self.proofs.push((key, Arc::clone(&proof)));
        Ok(proof)
    }

    /// The landscape of an open file, with the positions counted until now.
    pub(super) fn landscape(&mut self, file: &Arc<SolutionFile>) -> &mut Landscape {
        let is_it = |(of, _): &(Arc<SolutionFile>, Landscape)| Arc::ptr_eq(of, file);
        let found = self.landscapes.iter().position(is_it).map(|n| self.landscapes.remove(n));
        if self.landscapes.len() == FILES_MAX {
            self.landscapes.remove(0);
        }
        self.landscapes.push(found.unwrap_or_else(|| (Arc::clone(file), Landscape::default())));
        let last = self.landscapes.len() - 1;
        &mut self.landscapes[last].1
    }

    /// Report of puzzles in a file of the workspace, without its long solutions.
    pub(super) fn puzzles(
        &mut self,
        workspace: &Workspace,
        name: &str,
    ) -> Result<Arc<PuzzlesReport>, Error> {
        let wrong = |error: String| Error::new(ErrorKind::Data, error);
        let path = workspace.find(name).ok_or_else(|| wrong("there is no report".to_owned()))?;
        let mark = mark_of(&path);
        let is_it =
            |(kept, then, _): &&(String, Mark, Arc<PuzzlesReport>)| kept == name && *then == mark;
        if let Some((.., report)) = self.reports.iter().find(is_it) {
            return Ok(Arc::clone(report));
        }
        let bytes = treegauge_store::read(&path, REPORT_BYTES_MAX)
            .map_err(|error| wrong(format!("the report cannot be read: {}", error.kind())))?;
        let text =
            String::from_utf8(bytes).map_err(|_| wrong("the report is not text".to_owned()))?;
        let report = PuzzlesReport::read_written(&text)
            .map_err(|error| wrong(format!("the report of puzzles cannot be read: {error}")))?;
        let report = Arc::new(report);
        self.reports.retain(|(kept, ..)| kept != name);
        if self.reports.len() == REPORTS_MAX {
            self.reports.remove(0);
        }
        self.reports.push((name.to_owned(), mark, Arc::clone(&report)));
        Ok(report)
    }

    /// Name of the game of a solution file; `None` if it is not a whole solution.
    fn solved_game(&mut self, workspace: &Workspace, name: &str, path: &Path) -> Option<String> {
        let facts = fs::metadata(path).ok()?;
        let mark = (facts.len(), facts.modified().ok());
        if let Some((bytes, time, game)) = self.solutions.get(name)
            && (*bytes, *time) == mark
        {
            return game.clone();
        }
        let files = Inside(workspace);
        let read = |name: &str| {
            Game::parse_with(name, &mut |file| treegauge::tasks::Files::rules(&files, file))
        };
        let game = solved_game_with(path, &read).ok();
        let game = game.map(|game| game.info().canonical_name.clone());
        self.solutions.insert(name.to_owned(), (mark.0, mark.1, game.clone()));
        game
    }
}

/// Paths of the solution files of a workspace, those of runs included.
pub(super) fn solution_files(workspace: &Workspace) -> Vec<String> {
    let mut names = workspace.files_with(SOLUTION_ENDING);
    let runs = workspace.entries(RUNS).unwrap_or_default();
    for run in runs.into_iter().rev().filter(|entry| entry.is_folder) {
        for file in ["output.tgs", "solution.tgs"] {
            let path = format!("{}/{file}", run.path);
            names.extend(workspace.find(&path).map(|_| path));
        }
    }
    names
}

fn mark_of(path: &Path) -> Mark {
    let facts = fs::metadata(path);
    facts.map_or((0, None), |facts| (facts.len(), facts.modified().ok()))
}
