//! Solved games for the commands that work on them: read from a file, or solved on the spot.

use std::fmt::{Display, Write};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use treegauge_catalog::{Entry, GameSpec, Visitor};
use treegauge_core::{Game, KeyCode, Keyed, Notation, Player};
use treegauge_solve::file::{FileError, Header, SolutionFile};
use treegauge_solve::{
    AnyRules, Erased, ErasedMove, Options, Phase, Progress, Reached, Reduction, Rules,
    RulesVisitor, Solution, SolveError, Solved, Value, Valued, Watch, Whole, solve,
};

use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::interrupt;
use crate::memory::free_bytes;
use crate::output::{complain, counted, plies};

/// How to solve, for the commands that may have to.
#[derive(Debug, Args)]
#[command(next_help_heading = "How to solve")]
pub(crate) struct SolveArgs {
    /// Of positions that are mirror images of each other, store one only
    #[arg(long)]
    pub(crate) symmetry: bool,

    /// The most memory that positions may take, in bytes or as 500M or 6G (1G is 1024M; default:
    /// three quarters of what is free)
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub(crate) memory_max: Option<u64>,

    /// Threads (default: one a core); the result is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

impl SolveArgs {
    pub(crate) fn options(&self) -> Options {
        let memory_bytes_max = self.memory_max.or_else(default_memory_max);
        Options { symmetry: self.symmetry, memory_bytes_max }
    }

    /// Refuses what a file of a solved game leaves nothing to do for.
    pub(crate) fn fit(&self, source: &Source) -> Outcome {
        let useless = [(self.symmetry, "--symmetry"), (self.memory_max.is_some(), "--memory-max")];
        match (source.file(), useless.into_iter().find(|(given, _)| *given)) {
            (Some(path), Some((_, option))) => {
                let path = path.display();
                let message = format!(
                    "the argument '{option}' cannot be used with a FILE: the game in {path} is solved already"
                );
                Err(Failure::new(Exit::Usage, message))
            }
            _ => Ok(()),
        }
    }

    /// Whether symmetry was not asked for, and would spare memory.
    pub(crate) fn could_reduce<G: Keyed>(&self, rules: &Rules<G>, start: &G::State) -> bool {
        !self.symmetry && Reduction::of(rules, start).is_ok()
    }

    /// The threads on which to work: `pool.install(|| ...)`.
    pub(crate) fn pool(&self) -> Outcome<rayon::ThreadPool> {
        pool(self.threads)
    }
}

/// The memory that a solve may take when nobody says: a game that is too large should be refused,
/// not take the machine with it.
pub(crate) fn default_memory_max() -> Option<u64> {
    free_bytes().map(|bytes| bytes / 4 * 3)
}

/// So many threads, or one a core.
pub(crate) fn pool(threads: Option<u16>) -> Outcome<rayon::ThreadPool> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads.map_or(0, usize::from))
        .build()
        .map_err(|error| Failure::new(Exit::Internal, error))
}

/// Reads a size in bytes: a whole number, then perhaps K, M, G or T, each 1,024 of the former.
pub(crate) fn parse_size(text: &str) -> Result<u64, String> {
    let wanted = || "a size such as 2000000, 500M or 6G is wanted".to_owned();
    let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
    let power = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 1,
        "M" | "MB" | "MIB" => 2,
        "G" | "GB" | "GIB" => 3,
        "T" | "TB" | "TIB" => 4,
        _ => return Err(wanted()),
    };
    let number: u64 = digits.parse().map_err(|_| wanted())?;
    number.checked_mul(1024u64.pow(power)).ok_or_else(|| "that is too large".to_owned())
}

/// A game to be solved, or the file of one that was.
#[derive(Debug)]
pub(crate) struct Source {
    spec: GameSpec,
    file: Option<PathBuf>,
    text: String,
}

impl Source {
    /// Reads the argument `GAME|FILE`. What can be read as a game is one; a file of such a name
    /// is written `./name`.
    pub(crate) fn parse(text: &str) -> Outcome<Source> {
        let error = match GameSpec::parse(text) {
            Ok(spec) => return Ok(Source { spec, file: None, text: text.to_owned() }),
            Err(error) => error,
        };
        let path = Path::new(text);
        if !path.exists() && !text.contains(['/', '\\', '.']) {
            return Err(Failure::new(Exit::Usage, format!("{error}; nor is there such a file")));
        }
        let spec = spec_of_file(path)?;
        Ok(Source { spec, file: Some(path.to_owned()), text: text.to_owned() })
    }

    /// The game.
    pub(crate) fn spec(&self) -> &GameSpec {
        &self.spec
    }

    /// The file, unless the game itself was named.
    pub(crate) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// The argument, as a POSIX shell takes it.
    pub(crate) fn quoted(&self) -> String {
        crate::resume::quoted(self.text.as_ref())
    }

    /// The solution: loaded, or else made on the current rayon pool, with a bar on the terminal.
    /// Ctrl-C meanwhile is the end of the command.
    pub(crate) fn solution<K: KeyCode>(
        &self,
        rules: &Rules<Erased<K>>,
        arguments: &SolveArgs,
    ) -> Outcome<Solution<Erased<K>>> {
        if let Some(path) = &self.file {
            return load_file(path, rules.clone(), &self.spec.canonical());
        }
        let watch = Bar::new();
        let start = rules.game().start();
        let solved = solve(rules, &start, arguments.options(), &watch);
        watch.finish();
        match solved.map_err(|error| refused(&error, arguments.could_reduce(rules, &start)))? {
            Solved::Done(solution) => Ok(*solution),
            Solved::Stopped(_) => Err(Failure::interrupted(format!(
                "interrupted, and nothing is kept; `treegauge solve {} -o FILE` keeps what is done",
                self.quoted(),
            ))),
        }
    }
}

/// A game with what a solver can use of it.
pub(crate) fn rules_of<G: Notation + Keyed>(entry: Entry<G>) -> Rules<G> {
    let (tier, index_len) = (entry.tier(), entry.index_len());
    let (parents, symmetries) = (entry.parents(), entry.symmetries());
    let rules = Rules::new(entry.game).with_tier(tier).with_index_len(index_len);
    rules.with_parents(parents).with_symmetries(symmetries)
}

/// Calls a visitor with a game and what a solver can use of it.
///
/// The type of the game is hidden, or each command on solved games would be compiled for each of
/// them.
pub(crate) fn with_rules<V: RulesVisitor>(spec: &GameSpec, visitor: V) -> Outcome<V::Output> {
    struct Erase;
    impl Visitor for Erase {
        type Output = AnyRules;

        fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> AnyRules {
            AnyRules::new(rules_of(entry))
        }
    }
    Ok(spec.with_game(Erase).or_usage()?.visit(visitor))
}

/// A solve that was refused: the game or the options are not fit for it. `could_reduce` tells
/// whether `--symmetry` would spare memory.
pub(crate) fn refused(error: &SolveError, could_reduce: bool) -> Failure {
    let mut text = format!("cannot solve this: {error}");
    if let SolveError::Memory { reached, .. } = error {
        text.push_str(&reached_words(reached));
        text.push_str(if could_reduce {
            "; --memory-max allows more, --symmetry needs less, and so does a smaller size of the \
             game"
        } else {
            "; --memory-max allows more, and a smaller size of the game needs less"
        });
    }
    Failure::new(Exit::Usage, text)
}

/// How far a solve was when memory did not suffice, and what that tells of the whole.
fn reached_words(reached: &Reached) -> String {
    let found = counted(reached.positions, "position");
    match reached.whole {
        Whole::Exactly { .. } => format!("; the game has {found}, which were all found"),
        whole => {
            let levels = match reached.levels {
                0 => String::new(),
                levels => format!(" in {}", counted(levels, "level")),
            };
            let rest = match whole {
                Whole::About { positions, bytes } => format!(
                    "if their number goes on as it did the game has some {} and takes some {} \
                     bytes: an estimate that may be wrong by a factor of three",
                    rough(positions as f64),
                    rough(bytes as f64)
                ),
                _ => "how many more there are cannot be told yet".to_owned(),
            };
            if reached.positions == 0 {
                return String::new();
            }
            format!("; so many were wanted for {found}{levels}, and {rest}")
        }
    }
}

/// The game of a file.
pub(crate) fn spec_of_file(path: &Path) -> Outcome<GameSpec> {
    let header = Header::of_file(path).map_err(|error| bad_file(path, &error))?;
    GameSpec::parse(&header.spec).map_err(|error| format!("{}: {error}", path.display())).or_data()
}

/// The solution in a file.
fn load_file<K: KeyCode>(
    path: &Path,
    rules: Rules<Erased<K>>,
    spec: &str,
) -> Outcome<Solution<Erased<K>>> {
    open_file(path, rules, spec)?.load().map_err(|error| bad_file(path, &error))
}

/// Opens a solution file of a game, by the game's one text.
pub(crate) fn open_file<K: KeyCode>(
    path: &Path,
    rules: Rules<Erased<K>>,
    spec: &str,
) -> Outcome<SolutionFile<Erased<K>>> {
    SolutionFile::open(path, rules, spec).map_err(|error| bad_file(path, &error))
}

/// A solution file that cannot be used.
pub(crate) fn bad_file(path: &Path, error: &FileError) -> Failure {
    Failure::new(Exit::Data, format!("cannot read {}: {error}", path.display()))
}

/// What a position is worth to the player who is to move, or a move to the one who makes it, in
/// words: `wins in 5`.
pub(crate) fn worth_words(value: Value, plies: impl Display) -> String {
    match value {
        Value::Win => format!("wins in {plies}"),
        Value::Lose => format!("loses in {plies}"),
        Value::Tie => format!("ties in {plies}"),
        Value::Draw => "endless".to_owned(),
    }
}

/// What comes of an unfinished position with best play of both, in a sentence.
pub(crate) fn worth_sentence(turn: Player, valued: Valued) -> String {
    if valued.value == Value::Draw {
        return format!("With best play of both the game never ends; the {turn} player moves.");
    }
    let words = worth_words(valued.value, plies(valued.remoteness));
    format!("With best play of both the {turn} player, who moves, {words}.")
}

/// A move with what it is worth to the player who makes it: its remoteness counts the move.
pub(crate) struct WorthMove<M> {
    pub(crate) m: M,
    pub(crate) worth: Valued,
}

impl<M> WorthMove<M> {
    /// The worth in words.
    pub(crate) fn words(&self) -> String {
        worth_words(self.worth.value, self.worth.remoteness)
    }
}

/// The moves of a position, best first, moves of equal worth in the order of the game. `get` tells
/// what positions are worth.
pub(crate) fn worth_moves<G: Game>(
    game: &G,
    state: &G::State,
    get: impl Fn(&G::State) -> Outcome<Valued>,
) -> Outcome<Vec<WorthMove<G::Move>>> {
    let mut moves = Vec::new();
    if game.outcome(state).is_none() {
        game.moves_into(state, &mut moves);
    }
    let mut rows = Vec::with_capacity(moves.len());
    for m in moves {
        let mut child = state.clone();
        game.play(&mut child, m);
        let seen = get(&child)?.seen(game.turn(&child) == game.turn(state));
        let plies = if seen.value == Value::Draw { 0 } else { seen.remoteness.saturating_add(1) };
        rows.push(WorthMove { m, worth: Valued { remoteness: plies, ..seen } });
    }
    rows.sort_by_key(|row| std::cmp::Reverse(row.worth.preference()));
    Ok(rows)
}

/// The file of a solved game, to be asked about positions.
pub(crate) struct Asked<K: KeyCode> {
    path: PathBuf,
    file: SolutionFile<Erased<K>>,
}

impl<K: KeyCode> Asked<K> {
    /// Opens the file, by the game's one text.
    pub(crate) fn open(path: &Path, rules: Rules<Erased<K>>, spec: &str) -> Outcome<Asked<K>> {
        Ok(Asked { path: path.to_owned(), file: open_file(path, rules, spec)? })
    }

    /// The position that the file begins with.
    pub(crate) fn start(&self) -> K {
        *self.file.start()
    }

    /// What a position is worth to the player who is to move.
    pub(crate) fn worth(&self, state: &K) -> Outcome<Valued> {
        self.get(state)?.ok_or_else(|| {
            let position = self.file.rules().game().position_text(state);
            let (path, start) = (self.path.display(), &self.file.header().start);
            let message =
                format!("`{position}` is not in {path}: no line from `{start}` leads there");
            Failure::new(Exit::Data, message)
        })
    }

    /// The moves of a position with what they are worth, best first.
    pub(crate) fn moves(&self, state: &K) -> Outcome<Vec<WorthMove<ErasedMove<K>>>> {
        self.worth(state)?;
        worth_moves(self.file.rules().game(), state, |child| {
            self.get(child)?.ok_or_else(|| {
                let path = self.path.display();
                Failure::new(Exit::Data, format!("{path} lacks a position: `verify` tells more"))
            })
        })
    }

    fn get(&self, state: &K) -> Outcome<Option<Valued>> {
        self.file.get(state).map_err(|error| bad_file(&self.path, &error))
    }
}

/// Nothing but Ctrl-C.
pub(crate) struct StopOnly(&'static AtomicBool);

impl StopOnly {
    pub(crate) fn new() -> StopOnly {
        StopOnly(interrupt::flag())
    }
}

impl Watch for StopOnly {
    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A bar on the terminal, and Ctrl-C.
pub(crate) struct Bar {
    bar: ProgressBar,
    /// When the first progress of the phase came, and what it was.
    begun: Mutex<Option<(Instant, Progress)>>,
    stop: &'static AtomicBool,
}

impl Bar {
    pub(crate) fn new() -> Bar {
        let bar = if std::io::stderr().is_terminal() {
            ProgressBar::new_spinner()
        } else {
            ProgressBar::hidden()
        };
        bar.enable_steady_tick(Duration::from_millis(200));
        Bar { bar, begun: Mutex::new(None), stop: interrupt::flag() }
    }

    /// Prints a line to standard error, above the bar.
    pub(crate) fn say(&self, line: &str) {
        self.bar.suspend(|| complain(line));
    }

    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Bar {
    fn progress(&self, progress: Progress) {
        if self.bar.is_hidden() {
            return;
        }
        let mut begun = self.begun.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, first) = match *begun {
            Some(begun) if begun.1.phase == progress.phase => begun,
            _ => {
                let (template, what) = match progress.phase {
                    // While positions are found nobody knows how many there will be.
                    Phase::Discover => ("{spinner} {wide_msg}", ""),
                    Phase::Link => (OF_ALL, "recording moves"),
                    Phase::Value => (OF_ALL, "finding values"),
                    Phase::Check => (OF_ALL, "checking positions"),
                    _ => (OF_ALL, "working"),
                };
                // The new phase must not be seen with the numbers of the last one.
                self.bar.set_length(progress.known);
                self.bar.set_position(progress.done);
                self.bar.set_style(ProgressStyle::with_template(template).expect("it is right"));
                self.bar.set_message(what);
                self.bar.reset_eta();
                *begun.insert((Instant::now(), progress))
            }
        };
        if progress.phase == Phase::Discover {
            self.bar.set_message(found_words(&first, &progress, since.elapsed()));
        }
        self.bar.set_length(progress.known);
        self.bar.set_position(progress.done);
    }

    fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A phase of which the end is known.
const OF_ALL: &str = "{bar:30} {msg}: {percent} % of {human_len}, {eta} left";

/// How far the search for positions is, `since` its first progress. What matters most comes first:
/// narrow terminals cut off the end.
fn found_words(first: &Progress, now: &Progress, since: Duration) -> String {
    let seconds = since.as_secs_f64();
    let rate = |from: u64, to: u64| to.saturating_sub(from) as f64 / seconds;
    let (found, taken) = (rate(first.known, now.known), rate(first.memory_bytes, now.memory_bytes));
    // The first moments tell nothing of the rest.
    let has_rate = seconds >= 1.0 && found > 0.0;
    let left = |number: u64, rate: f64| {
        let left = Duration::try_from_secs_f64(number as f64 / rate);
        format!("{:#}", HumanDuration(left.unwrap_or(Duration::MAX)))
    };
    let mut text = format!("found {}", HumanCount(now.known));
    match now.expected {
        None => {
            text.push_str(" positions");
            if let Some(max) = now.memory_bytes_max.filter(|_| has_rate && taken > 0.0) {
                let left = left(max.saturating_sub(now.memory_bytes), taken);
                let _ = write!(text, ", memory for {left} more");
            }
        }
        Some(expected) => {
            let _ = write!(text, " of about {} positions", rough(expected as f64));
            let bytes = now.memory_bytes as f64 * expected as f64 / now.known.max(1) as f64;
            if now.memory_bytes_max.is_some_and(|max| bytes > max as f64) {
                text.push_str(", more than the memory may hold");
            } else if has_rate {
                let left = left(expected.saturating_sub(now.known), found);
                let _ = write!(text, ", {left} left to find them");
            }
        }
    }
    let mut facts = Vec::new();
    if has_rate {
        facts.push(format!("{} a second", rough(found)));
    }
    if let Some(max) = now.memory_bytes_max {
        let part = 100.0 * now.memory_bytes as f64 / max.max(1) as f64;
        facts.push(format!("{part:.0} % of the memory allowed"));
    }
    if !facts.is_empty() {
        let _ = write!(text, " ({})", facts.join(", "));
    }
    text
}

/// A number with the two digits that an estimate is worth.
fn rough(number: f64) -> String {
    let (number, unit) = match number {
        n if n >= 1e9 => (n / 1e9, " billion"),
        n if n >= 1e6 => (n / 1e6, " million"),
        n if n >= 1e3 => (n / 1e3, " thousand"),
        n => (n, ""),
    };
    if number < 9.95 && !unit.is_empty() {
        format!("{number:.1}{unit}")
    } else {
        format!("{number:.0}{unit}")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use treegauge_solve::{Phase, Progress, Reached, Whole};

    use super::{found_words, parse_size, reached_words, rough};

    #[test]
    fn how_far_a_refused_solve_was_is_told_in_words() {
        let mut reached = Reached { positions: 1, levels: 0, whole: Whole::Unknown };
        let rest = "how many more there are cannot be told yet";
        assert_eq!(
            reached_words(&reached),
            format!("; so many were wanted for 1 position, and {rest}")
        );
        (reached.positions, reached.levels) = (56_789, 9);
        let known = "; so many were wanted for 56789 positions in 9 levels, and ";
        assert_eq!(reached_words(&reached), known.to_owned() + rest);
        reached.whole = Whole::About { positions: 4_100_000, bytes: 61_000_000 };
        let about = "if their number goes on as it did the game has some 4.1 million and takes some \
                     61 million bytes: an estimate that may be wrong by a factor of three";
        assert_eq!(reached_words(&reached), known.to_owned() + about);
        reached.whole = Whole::Exactly { bytes: 738_257 };
        let all = "; the game has 56789 positions, which were all found";
        assert_eq!(reached_words(&reached), all);
    }

    #[test]
    fn the_search_for_positions_is_told_in_words() {
        let first = Progress::new(Phase::Discover, 0, 0);
        let mut now = Progress::new(Phase::Discover, 1_000_000, 1_234_567);
        let words =
            |now: &Progress, seconds| found_words(&first, now, Duration::from_secs_f64(seconds));
        assert_eq!(words(&now, 0.1), "found 1,234,567 positions");
        assert_eq!(words(&now, 2.0), "found 1,234,567 positions (617 thousand a second)");
        now.memory_bytes = 19_000_000;
        now.memory_bytes_max = Some(50_000_000);
        let facts = "617 thousand a second, 38 % of the memory allowed";
        let known = format!("found 1,234,567 positions, memory for 3s more ({facts})");
        assert_eq!(words(&now, 2.0), known);
        now.expected = Some(3_100_000);
        let known = format!(
            "found 1,234,567 of about 3.1 million positions, 3s left to find them ({facts})"
        );
        assert_eq!(words(&now, 2.0), known);
        now.expected = Some(31_000_000);
        let known = "found 1,234,567 of about 31 million positions, more than the memory may hold";
        assert_eq!(words(&now, 2.0), format!("{known} ({facts})"));
    }

    #[test]
    fn rough_numbers_have_two_digits_or_three() {
        let cases = [
            (7.4, "7"),
            (999.0, "999"),
            (1_234.0, "1.2 thousand"),
            (56_789.0, "57 thousand"),
            (2_060_000.0, "2.1 million"),
            (123_456_789.0, "123 million"),
            (4.53e12, "4530 billion"),
        ];
        for (number, words) in cases {
            assert_eq!(rough(number), words);
        }
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(parse_size("0"), Ok(0));
        assert_eq!(parse_size("2000"), Ok(2_000));
        assert_eq!(parse_size("3k"), Ok(3 << 10));
        assert_eq!(parse_size("500MB"), Ok(500 << 20));
        assert_eq!(parse_size("6G"), Ok(6 << 30));
        for bad in ["", "G", "6X", "-1", "1.5G", "99999999999999999999", "99999999T", "6 G"] {
            assert!(parse_size(bad).is_err(), "{bad}");
        }
    }
}
