//! Matches that the program plays: what is asked for, and how it goes on.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde::Serialize;
use treegauge_catalog::{Entry, GameSpec, Visitor};
use treegauge_core::{Keyed, Notation};
use treegauge_study::compare::Sprt;
use treegauge_study::journal::Line;
use treegauge_study::{
    Clock, Competitor, GamesHeader, Match, MatchGame, MatchPlan, MatchProgress, MatchSummary, Shard,
};

use crate::common::{DEFAULT_SEED, PositionArgs};
use crate::exit::{OrExit, Outcome};
use crate::interrupt;
use crate::players::{PlayerSpec, competitor};
use crate::record::Record;
use crate::solving::pool;

/// How to play, for the commands that let players play each other.
#[derive(Debug, Args)]
pub(crate) struct PlayingArgs {
    /// Uniformly random plies at the beginning of each game; fewer where these would end it
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) opening_plies: u32,

    /// Keep each game as a line of JSON; games that are in FILE already are not played again, so
    /// a run that was killed goes on, and more --games are added to what is there
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,

    /// Play only part I of N of the pairs; `merge` puts the records of all parts together
    #[arg(long, value_name = "I/N", requires = "record", value_parser = parse_shard)]
    shard: Option<Shard>,

    #[command(flatten)]
    pub(crate) at: PositionArgs,

    /// Threads (default: one a core); the result is the same for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,

    /// Seed of all chance
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED)]
    pub(crate) seed: u64,
}

fn parse_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(part, count)| {
        let (part, count): (u32, u32) = (part.parse().ok()?, count.parse().ok()?);
        (1..=count).contains(&part).then(|| Shard { index: part - 1, count })
    });
    parts.ok_or_else(|| "part I of N is wanted as I/N, with I from 1 to N".to_owned())
}

impl PlayingArgs {
    /// A match of so many games.
    pub(crate) fn plan(&self, games: u32, seed: u64) -> MatchPlan {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        MatchPlan { games, opening_plies: self.opening_plies, seed, shard }
    }

    /// The header of the record.
    pub(crate) fn header(&self, spec: &GameSpec) -> GamesHeader {
        self.at.header(spec, self.seed, self.opening_plies)
    }
}

/// Matches to be played, and how.
pub(crate) struct Playing<'a> {
    pub(crate) spec: &'a GameSpec,
    pub(crate) arguments: &'a PlayingArgs,
    pub(crate) players: &'a [PlayerSpec],
    /// Each match with its players, by their numbers.
    pub(crate) matches: &'a [([u32; 2], MatchPlan)],
    /// The test that ends each of them.
    pub(crate) sprt: Option<Sprt>,
}

impl Playing<'_> {
    /// Whether in every match both players draw all their moves.
    fn is_all_chance(&self) -> bool {
        let is_chance = |player: &u32| self.players[*player as usize].is_chance();
        self.matches.iter().all(|(both, _)| both.iter().all(is_chance))
    }

    /// Plays what the record does not have, and sums each match up. `line` makes a line of the
    /// record of a game of a match, by its number; `game` takes it apart, unless the line is of a
    /// match that is not played.
    pub(crate) fn play<H: Serialize + Sync, L: Line + Send>(
        &self,
        header: &H,
        line: impl Fn(usize, &MatchGame) -> L + Sync,
        game: impl Fn(L) -> Option<(usize, MatchGame)> + Sync,
    ) -> Outcome<(Vec<MatchSummary>, Record<L>)> {
        let record = Mutex::new(None);
        let opened = || record.lock().unwrap_or_else(PoisonError::into_inner);
        let open = || {
            let (record, lines) = match self.arguments.record.as_deref() {
                None if self.is_all_chance() => (Record::nothing(), Vec::new()),
                path => Record::open(path, header)?,
            };
            *opened() = Some(record);
            let mut known = vec![Vec::new(); self.matches.len()];
            for (number, game) in lines.into_iter().filter_map(&game) {
                known[number].push(game);
            }
            Ok(known)
        };
        let keep = |number, game: &MatchGame| {
            let line = line(number, game);
            opened().as_mut().expect("games are played after it was opened").add(&line);
        };
        let run = Run { playing: self, open: &open, keep: &keep };
        let summaries =
            pool(self.arguments.threads)?.install(|| self.spec.with_game(run)).or_usage()??;
        let record = record.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((summaries, record.expect("it was opened before games were played")))
    }
}

/// Opens the record and tells the games of each match that it has.
type Open<'a> = &'a (dyn Fn() -> Outcome<Vec<Vec<MatchGame>>> + Sync);

/// Keeps a game of a match.
type Keep<'a> = &'a (dyn Fn(usize, &MatchGame) + Sync);

/// What is compiled for every type of game; so it knows no type of record.
struct Run<'a> {
    playing: &'a Playing<'a>,
    open: Open<'a>,
    keep: Keep<'a>,
}

impl Visitor for Run<'_> {
    type Output = Outcome<Vec<MatchSummary>>;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Self::Output {
        let Playing { spec, arguments, players, matches, sprt } = *self.playing;
        let game = &entry.game.clone();
        let start = arguments.at.played(game)?;
        if let Some(ended) = start.ended(game) {
            let message = format!("the game is over at the start, by {}", ended.by);
            return Err(message).or_data();
        }
        let canonical = spec.canonical();
        let competitors = players
            .iter()
            .map(|player| competitor(&entry, player, &canonical, start.state()))
            .collect::<Outcome<Vec<Box<dyn Competitor<G>>>>>()?;
        // Nothing is written before all is known to be right.
        let known = (self.open)()?;
        let watch = Watch::new(matches, &known, self.keep, arguments.record.is_some());
        let summaries = matches
            .par_iter()
            .zip(&known)
            .enumerate()
            .map(|(number, ((players, plan), known))| {
                let seat = &Seat { watch: &watch, number };
                let [a, b] = players.map(|player| &*competitors[player as usize]);
                let (competitors, start) = ([a, b], &start);
                Match { game, start, competitors, plan, clock: seat, progress: seat }
                    .play(known, sprt)
            })
            .collect();
        watch.bar.finish_and_clear();
        Ok(summaries)
    }
}

/// A bar on the terminal, the record of games, the clock, and Ctrl-C.
struct Watch<'a> {
    bar: ProgressBar,
    keep: Keep<'a>,
    /// Whether the user wants to have the games.
    is_recorded: bool,
    stop: &'static AtomicBool,
    begin: Instant,
}

impl<'a> Watch<'a> {
    fn new(
        matches: &[([u32; 2], MatchPlan)],
        known: &[Vec<MatchGame>],
        keep: Keep<'a>,
        is_recorded: bool,
    ) -> Watch<'a> {
        let wanted = |plan: &MatchPlan, game: u32| game < plan.games && plan.shard.has(game);
        let games = |(_, plan): &([u32; 2], MatchPlan)| {
            (0..plan.games).filter(|&game| wanted(plan, game)).count() as u64
        };
        let bar = if std::io::stderr().is_terminal() {
            ProgressBar::new(matches.iter().map(games).sum())
        } else {
            ProgressBar::hidden()
        };
        let style = ProgressStyle::with_template("{bar:30} {pos} of {len} games, {eta} left")
            .expect("the template is right");
        bar.set_style(style);
        bar.enable_steady_tick(Duration::from_millis(200));
        for ((_, plan), known) in matches.iter().zip(known) {
            bar.inc(known.iter().filter(|known| wanted(plan, known.game)).count() as u64);
        }
        bar.reset_eta();
        Watch { bar, keep, is_recorded, stop: interrupt::flag(), begin: Instant::now() }
    }
}

/// Who looks on at one of the matches.
struct Seat<'a> {
    watch: &'a Watch<'a>,
    number: usize,
}

impl MatchProgress for Seat<'_> {
    fn game_over(&self, game: &MatchGame) {
        (self.watch.keep)(self.number, game);
        self.watch.bar.inc(1);
    }

    fn sees_chance(&self) -> bool {
        self.watch.is_recorded
    }

    fn games_over(&self, games: u32) {
        self.watch.bar.inc(u64::from(games));
    }

    fn stop(&self) -> &AtomicBool {
        self.watch.stop
    }
}

impl Clock for Seat<'_> {
    fn now(&self) -> Duration {
        self.watch.begin.elapsed()
    }
}
