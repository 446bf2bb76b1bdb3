//! Options of tasks that gauge games.

use std::sync::Arc;

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use treegauge_catalog::rules::has_loop;
use treegauge_core::{counted, grouped};
use treegauge_engine::StartingPoint;
use treegauge_gauge::{
    DEFAULT_SOLVE_LIMIT, FINDINGS, FlawState, GaugeReport, JudgedFlaw, MOVES_MARGIN, Multiple,
    Plan, Thresholds, Unit, VISITS_MIN, Verdict, iterations_enough, thresholds,
};
use treegauge_grammar::count;
use treegauge_search::Seed;

use super::{CpArg, DEFAULT_SEED, ReuseArg, ShapeArgs, VariantArgs};
use crate::{Error, Game};

/// Named amounts of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Effort {
    /// 40 games at 500 iterations per move, or what takes about two minutes on two cores
    Quick,
    /// 40 games at 2,000 iterations per move, or what takes about twenty minutes
    Normal,
    /// 200 games at 10,000 iterations per move, or what takes about five hours
    Thorough,
}

/// The heading of the options about flaws.
const FLAWS: &str = "Flaws of a game";

/// [`Multiple::DEFAULT_LADDER`] as a user writes it.
const DEFAULT_LADDER: &str = "1/16,1/4,1,4";

impl Effort {
    /// Games and iterations per move.
    fn numbers(self) -> (u32, u32) {
        match self {
            Effort::Quick => (40, 500),
            Effort::Normal => (40, 2_000),
            Effort::Thorough => (200, 10_000),
        }
    }

    /// Time that the games may take, about, on [`CORES`] cores at rough costs of a ply.
    fn seconds_max(self) -> f64 {
        match self {
            Effort::Quick => 120.0,
            Effort::Normal => 1_200.0,
            Effort::Thorough => 18_000.0,
        }
    }

    /// Factor by which players may meet more moves than random games do. A quick answer takes the chance that
    /// they do not.
    fn margin(self) -> f64 {
        match self {
            Effort::Quick => 1.0,
            Effort::Normal | Effort::Thorough => MOVES_MARGIN,
        }
    }

    /// Positions of a game that is solved first, which takes a part of this time at most.
    fn solve_limit(self) -> u64 {
        match self {
            Effort::Quick => DEFAULT_SOLVE_LIMIT / 10,
            Effort::Normal | Effort::Thorough => DEFAULT_SOLVE_LIMIT,
        }
    }
}

/// The options of a plan.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// Amount of play; --games and --iterations override it. A game with many moves gets up to four
    /// times the iterations, if it needs them to be judged; a slow game is played less often
    #[arg(long, value_enum, default_value = "normal")]
    budget: Effort,

    /// Self-play games at each strength
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=1_000_000))]
    games: Option<u32>,

    /// Iterations per move of the players, which use UCT, a tree search
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=40_000_000))]
    iterations: Option<u32>,

    /// Games in which one side searches with four times the iterations [default: as --games]
    #[arg(long, value_name = "N", value_parser = count::<u32>(0..=1_000_000))]
    skill_games: Option<u32>,

    /// Strengths of the players, as parts and multiples of --iterations
    #[arg(long, value_name = "X,...", value_delimiter = ',', default_value = DEFAULT_LADDER)]
    ladder: Vec<Multiple>,

    /// Solve the game first if it has up to this many positions, and they fit into 1G and a quarter of the free memory;
    /// 0 never solves [default: 5000000, and 500000 if the budget is quick]
    #[arg(long, value_name = "POSITIONS", value_parser = count::<u64>(0..=1_000_000_000))]
    solve_limit: Option<u64>,

    /// Random plies at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = count::<u32>(0..=1_000_000))]
    opening_plies: u32,

    /// Random seed
    #[arg(long, value_name = "S", default_value_t = DEFAULT_SEED, value_parser = count::<u64>(..))]
    seed: u64,

    #[command(flatten)]
    cp: CpArg,

    #[command(flatten)]
    thresholds: ThresholdArgs,

    #[command(flatten)]
    variant: VariantArgs,

    #[command(flatten)]
    reuse: ReuseArg,

    #[command(flatten)]
    shape: ShapeArgs,
}

impl PlanArgs {
    /// The seed.
    #[must_use]
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// The plan. Its attempt to solve the game takes at most `solve_bytes_max` bytes.
    ///
    /// # Errors
    ///
    /// When options of the searches conflict.
    pub fn plan(&self, solve_bytes_max: Option<u64>) -> Result<Plan, Error> {
        let (games, iterations) = self.budget.numbers();
        let games = self.games.unwrap_or(games);
        Ok(Plan {
            games,
            iterations: self.iterations.unwrap_or(iterations),
            cp: self.cp.cp,
            expansion: self.variant.expansion(),
            variant: self.reuse.of(self.variant.variant()?),
            seed: self.seed,
            opening_plies: self.opening_plies,
            skill_games: self.skill_games.unwrap_or(games),
            ladder: self.ladder.clone(),
            solve_limit: self.solve_limit.unwrap_or(self.budget.solve_limit()),
            solve_bytes_max,
            shape: self.shape.options(),
            thresholds: self.thresholds.limits.clone(),
            ..Plan::default()
        })
    }

    /// Fits a plan of a budget to the games.
    ///
    /// Raises the iterations if they are too few to play some of the games. They stay as they are
    /// where more than [`RAISE_MAX`] times as many are needed, because the user expects an answer
    /// about as soon as the budget promises. Then lowers the number of games, and at last the
    /// iterations, if the games would take longer than the budget promises. The plan depends on the
    /// games alone, and not on the speed of the machine, so that a record can be continued anywhere.
    ///
    /// # Errors
    ///
    /// If a game cannot begin `from` there.
    pub(super) fn fit<'a>(
        &self,
        plan: &mut Plan,
        games: impl IntoIterator<Item = &'a Game>,
        from: &StartingPoint,
    ) -> Result<Fitted, Error> {
        let samples: Vec<Sample> = games
            .into_iter()
            .map(|game| Sample::of(game, from, self.seed))
            .collect::<Result<_, _>>()?;
        let mut notes = self.fit_to(self.budget, plan, &samples);
        let is_long = seconds(&samples, plan) >= SAID_SECONDS;
        // Who sets both numbers knows that few games come to no verdict, but not how long they take.
        let is_said = is_long || self.iterations.is_none() || self.games.is_none();
        notes.extend(self.shortfall(plan, &samples).filter(|_| is_said));
        Ok(Fitted { notes, samples })
    }

    /// Fits a plan to the games and the time of a budget. Returns sentences about it.
    fn fit_to(&self, budget: Effort, plan: &mut Plan, samples: &[Sample]) -> Vec<String> {
        if self.iterations.is_some() && self.games.is_some() {
            return Vec::new();
        }
        let before = plan.clone();
        let raised = self.raise(budget, plan, samples);
        // Where even the fewest games would take too long, more iterations help nobody.
        let fewest = Plan { games: GAMES_MIN, skill_games: GAMES_MIN, ..plan.clone() };
        let is_slow = seconds(samples, &fewest) > budget.seconds_max();
        let raised = raised.filter(|_| !is_slow);
        if raised.is_none() {
            *plan = before;
        }
        let bounded = self.bound(budget, plan, samples);
        raised.into_iter().chain(bounded).collect()
    }

    /// A sentence about iterations that are too few for a verdict, with the budget or the numbers that
    /// would do and the time that they take; `None` if they are enough.
    fn shortfall(&self, plan: &Plan, samples: &[Sample]) -> Option<String> {
        let most = moves_of(samples);
        let needed = iterations_needed(plan, most, 1.0)?;
        let (option, enough) = self.larger(plan, samples, needed).unwrap_or_else(|| {
            let option = format!("`--iterations {needed} --games {}`", plan.games);
            (option, Plan { iterations: needed, ..plan.clone() })
        });
        let time = time_of(samples, &enough)
            .map_or_else(String::new, |time| format!(" and takes about {time} on two cores"));
        Some(format!(
            "positions have about {most:.0} moves, too many for {} iterations per move: the verdict will probably \
             be that it cannot be told; {option} may be enough{time}",
            grouped(plan.iterations)
        ))
    }

    /// The first larger budget whose plan has the iterations that are needed, as an option, with its plan;
    /// `None` if there is none, or the user sets the iterations.
    fn larger(&self, plan: &Plan, samples: &[Sample], needed: u32) -> Option<(String, Plan)> {
        let all = Effort::value_variants().iter().copied();
        let larger =
            all.filter(|one| self.iterations.is_none() && one.numbers() > self.budget.numbers());
        larger
            .map(|budget| {
                let (games, iterations) = budget.numbers();
                let games = self.games.unwrap_or(games);
                let skill_games = self.skill_games.unwrap_or(games);
                let mut of_larger = Plan { games, iterations, skill_games, ..plan.clone() };
                self.fit_to(budget, &mut of_larger, samples);
                let name = budget.to_possible_value().expect("every budget has a name");
                (format!("`--budget {}`", name.get_name()), of_larger)
            })
            .find(|(_, of_larger)| of_larger.iterations >= needed)
    }

    /// Adds to a verdict that needs stronger players the budget that has them, or else their time.
    pub(super) fn add_time(&self, fitted: &Fitted, plan: &Plan, verdict: &mut Verdict) {
        let Some(needed) = verdict.iterations_needed else { return };
        let (what, enough) = self.larger(plan, &fitted.samples, needed).map_or_else(
            || {
                let games = counted(plan.games, "game");
                let verb = if plan.games == 1 { "takes" } else { "take" };
                let enough = Plan { iterations: needed, ..plan.clone() };
                (format!("{games} at each strength {verb}"), enough)
            },
            |(option, enough)| (format!("{option} takes"), enough),
        );
        if let Some(time) = time_of(&fitted.samples, &enough) {
            verdict.add_time(&format!("{what} about {time} on two cores"));
        }
    }

    /// Raises the iterations of a plan if the budget gives them and they are too few.
    fn raise(&self, budget: Effort, plan: &mut Plan, samples: &[Sample]) -> Option<String> {
        if self.iterations.is_some() {
            return None;
        }
        let most = moves_of(samples);
        let enough = iterations_needed(plan, most, budget.margin())?;
        if enough <= plan.iterations || enough / RAISE_MAX > plan.iterations {
            return None;
        }
        let before = std::mem::replace(&mut plan.iterations, enough);
        Some(format!(
            "positions have about {most:.0} moves, so the players use {} iterations per move instead of {}",
            grouped(enough),
            grouped(before)
        ))
    }

    /// Lowers the games of a plan, and then its iterations, if the budget gives them and they take
    /// too long.
    fn bound(&self, budget: Effort, plan: &mut Plan, samples: &[Sample]) -> Option<String> {
        let seconds = |plan: &Plan| seconds(samples, plan);
        let max = budget.seconds_max();
        let before = plan.clone();
        let planned = seconds(plan);
        if self.games.is_none() && planned > max {
            let lowered = (f64::from(plan.games) * max / planned) as u32;
            plan.games = lowered.clamp(GAMES_MIN, plan.games);
            plan.skill_games = self.skill_games.unwrap_or(plan.games);
        }
        let left = seconds(plan);
        if self.iterations.is_none() && left > max {
            let lowered = (f64::from(plan.iterations) * max / left) as u32;
            plan.iterations = lowered.clamp(ITERATIONS_MIN, plan.iterations);
        }
        let (games, iterations) = (plan.games, plan.iterations);
        let mut instead = Vec::new();
        if games < before.games {
            instead.push(format!("{games} games at each strength instead of {}", before.games));
        }
        if iterations < before.iterations {
            let before = grouped(before.iterations);
            instead
                .push(format!("{} iterations per move instead of {before}", grouped(iterations)));
        }
        if !instead.is_empty() {
            return Some(format!(
                "the game is slow, so there are {}, which take about {} on two cores; --games and --iterations set other \
                 numbers",
                instead.join(" and "),
                time_words(seconds(plan))
            ));
        }
        (planned >= SAID_SECONDS)
            .then(|| format!("the games take about {} on two cores", time_words(planned)))
    }
}

/// Sentences about a plan that was fitted to its games, and their random games.
pub(super) struct Fitted {
    /// Sentences to say before the games begin.
    pub(super) notes: Vec<String>,
    /// Random games of each game.
    samples: Vec<Sample>,
}

/// The number of moves in the game that has most.
fn moves_of(samples: &[Sample]) -> f64 {
    samples.iter().map(|sample| sample.moves).fold(0.0, f64::max)
}

/// The iterations of a plan with which the weaker of its two strongest players is strong enough for this
/// many moves of random games, times a margin; `None` if it is.
fn iterations_needed(plan: &Plan, moves: f64, margin: f64) -> Option<u32> {
    let strengths = plan.strengths();
    let &weaker = strengths.iter().nth_back(1).or(strengths.first())?;
    let times = f64::from(plan.iterations) / f64::from(weaker);
    let is_too_weak = f64::from(weaker) < margin * VISITS_MIN * moves;
    is_too_weak.then(|| iterations_enough(moves * times))
}

/// The time that a plan takes for some games, in words; `None` if it is not known.
fn time_of(samples: &[Sample], plan: &Plan) -> Option<String> {
    let is_known = samples.iter().all(|sample| sample.ply_ns.is_some());
    is_known.then(|| time_words(seconds(samples, plan)))
}

/// Greatest factor by which the iterations of a budget are raised.
const RAISE_MAX: u32 = 4;

/// Fewest games at each strength of a budget.
const GAMES_MIN: u32 = 10;

/// Fewest iterations of a budget. The verdict then says that they are too few.
const ITERATIONS_MIN: u32 = 10;

/// Cores that play in the estimates of times.
const CORES: f64 = 2.0;

/// The time of a gauge is said if it is longer than this.
const SAID_SECONDS: f64 = 20.0;

/// Seconds that a plan takes for some games, about.
fn seconds(samples: &[Sample], plan: &Plan) -> f64 {
    samples.iter().map(|sample| sample.seconds(plan)).sum()
}

/// A time in words, rounded.
fn time_words(seconds: f64) -> String {
    let rounded = |x: f64, unit: &str| {
        let x = x.round().max(1.0) as u64;
        counted(x, unit)
    };
    match seconds {
        s if s < 90.0 => rounded(s, "second"),
        s if s < 5_400.0 => rounded(s / 60.0, "minute"),
        s => rounded(s / 3_600.0, "hour"),
    }
}

/// Moves and length of random games of a game, and the costs of a ply and of a move.
struct Sample {
    /// Mean number of legal moves.
    moves: f64,
    /// Mean length of a game in plies.
    plies: f64,
    /// Nanoseconds that a ply of a random game takes, about; `None` for games of another program.
    ply_ns: Option<f64>,
    /// Nanoseconds in which a search lists a legal move, about.
    move_ns: f64,
}

/// Nanoseconds of an iteration besides its random game and the list of moves.
const ITERATION_NS: f64 = 400.0;

impl Sample {
    /// Plays up to twenty random games, or some thousand positions.
    fn of(game: &Game, from: &StartingPoint, seed: u64) -> Result<Sample, Error> {
        const GAMES: u32 = 20;
        const POSITIONS: u32 = 4_000;
        let start = game.begin(from)?;
        let mut rng = Seed(seed).generator();
        let (mut moves, mut positions, mut ended) = (0_u64, 0_u32, 0_u32);
        for _ in 0..GAMES {
            let mut line = start.clone();
            while positions < POSITIONS && line.ended().is_none() {
                moves += u64::from(line.move_count());
                positions += 1;
                let Some(m) = line.random_move(&mut rng) else { break };
                line.play(m);
            }
            ended += u32::from(line.ended().is_some());
        }
        let moves = moves as f64 / f64::from(positions.max(1));
        let spec = &game.info().spec;
        // Rough costs of a ply and of a listed move: of built-in games, of texts with a loop of their
        // own, and of others. Most of these cost a third to three times as much.
        let has_loop = spec.program().map(|program| has_loop(&Arc::new(program.clone())));
        let (ply_ns, move_ns) = match has_loop {
            _ if spec.is_external() => (None, 0.0),
            None => (Some(15.0 + 0.6 * moves), 0.0),
            Some(true) => (Some(60.0 + 1.2 * moves), 0.0),
            Some(false) => (Some(600.0 + 0.7 * moves), 30.0),
        };
        let plies = f64::from(positions) / f64::from(ended.max(1));
        Ok(Sample { moves, plies, ply_ns, move_ns })
    }

    /// Seconds that the games of a plan take, about: each iteration plays a random game from some ply
    /// of a game.
    fn seconds(&self, plan: &Plan) -> f64 {
        let Some(ply_ns) = self.ply_ns else { return 0.0 };
        let searches =
            plan.searches().map(|(games, iterations)| f64::from(games) * iterations as f64);
        let iteration_ns = ITERATION_NS + self.move_ns * self.moves + self.plies / 2.0 * ply_ns;
        searches.sum::<f64>() * self.plies * iteration_ns / 1e9 / CORES
    }
}

/// The verdicts that make the program exit with 1.
#[derive(Debug, Args)]
#[command(next_help_heading = FLAWS)]
pub struct FailOnArgs {
    /// Exit with code 1 if the game has one of these flaws; `any` stands for all, `open` for a flaw that cannot be
    /// excluded, such as one that best play contradicts
    #[arg(long, value_name = "FLAW,...", value_delimiter = ',', value_parser = fail_on_values())]
    fail_on: Vec<String>,
}

/// The values of `--fail-on` besides the names of flaws.
const ANY: &str = "any";
const OPEN: &str = "open";

fn fail_on_values() -> Vec<&'static str> {
    let flags = thresholds().flat_map(|(_, threshold)| threshold.flags);
    let findings = FINDINGS.iter().map(|finding| finding.name);
    flags.map(|flag| flag.name).chain(findings).chain([ANY, OPEN]).collect()
}

impl FailOnArgs {
    /// The flaws of a game that `--fail-on` names, in words; `None` if it has none of them.
    #[must_use]
    pub fn found(&self, report: &GaugeReport) -> Option<String> {
        let asked = |name: &str| self.fail_on.iter().any(|asked| asked == name);
        let verdict = &report.gauge.verdict;
        let words = |is_meant: &dyn Fn(&JudgedFlaw) -> bool| -> String {
            let meant = verdict.flags.iter().filter(|judged| is_meant(judged));
            meant.map(JudgedFlaw::words).collect::<Vec<_>>().join(", ")
        };
        let found =
            words(&|judged| judged.state == FlawState::Yes && (asked(ANY) || asked(&judged.flag)));
        let open = words(&|judged| {
            matches!(judged.state, FlawState::CannotTell | FlawState::DependsOnStrength)
                && asked(OPEN)
        });
        let mut said = Vec::new();
        if !found.is_empty() {
            said.push(format!("--fail-on found: {found}"));
        }
        if !open.is_empty() {
            said.push(format!("--fail-on open, because it cannot exclude: {open}"));
        }
        (!said.is_empty()).then(|| format!("{}: {}", report.game, said.join("; ")))
    }
}

/// The thresholds of the verdict: an option for each entry of the table.
#[derive(Debug)]
struct ThresholdArgs {
    limits: Thresholds,
}

impl Args for ThresholdArgs {
    fn augment_args(command: clap::Command) -> clap::Command {
        thresholds().fold(command, |command, (measure, threshold)| {
            let option = clap::Arg::new(threshold.name)
                .long(threshold.name.replace('_', "-"))
                .help(threshold.help)
                .help_heading(FLAWS)
                .default_value(threshold.default.to_string());
            command.arg(match measure.unit {
                Unit::Share => option.value_name("SHARE").value_parser(parse_share),
                Unit::Plies(_) => option.value_name("PLIES").value_parser(parse_length),
                Unit::Number(_) | Unit::Elo => {
                    option.value_name("X").value_parser(clap::value_parser!(f64))
                }
            })
        })
    }

    fn augment_args_for_update(command: clap::Command) -> clap::Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ThresholdArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut arguments = ThresholdArgs { limits: Thresholds::default() };
        arguments.update_from_arg_matches(matches)?;
        Ok(arguments)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.limits = thresholds().fold(Thresholds::default(), |limits, (_, threshold)| {
            match matches.get_one(threshold.name) {
                Some(&limit) => limits.with(threshold.name, limit),
                None => limits,
            }
        });
        Ok(())
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share: Option<f64> = text.parse().ok();
    share
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "expected a share from 0 to 1".to_owned())
}

fn parse_length(text: &str) -> Result<f64, String> {
    let length: Option<f64> = text.parse().ok();
    length
        .filter(|length| (0.0..=1e6).contains(length))
        .ok_or_else(|| "expected a number of plies from 0 to 1000000".to_owned())
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        plan: PlanArgs,
    }

    fn args(options: &[&str]) -> PlanArgs {
        Command::parse_from(std::iter::once("gauge").chain(options.iter().copied())).plan
    }

    fn sample(moves: f64, plies: f64, ply_ns: f64) -> Sample {
        Sample { moves, plies, ply_ns: Some(ply_ns), move_ns: 0.0 }
    }

    fn bounded(options: &[&str], sample: Sample) -> (Plan, Option<String>) {
        let args = args(options);
        let mut plan = args.plan(None).unwrap();
        let words = args.bound(args.budget, &mut plan, &[sample]);
        (plan, words)
    }

    #[test]
    fn a_slow_game_of_a_quick_budget_takes_two_minutes_at_most() {
        let quick = &["--budget", "quick"];
        let (fast, words) = bounded(quick, sample(7.0, 22.0, 20.0));
        assert_eq!((fast.games, fast.iterations, words), (40, 500, None));
        for slow in
            [sample(500.0, 70.0, 700.0), sample(40.0, 300.0, 900.0), sample(9.0, 1e3, 300.0)]
        {
            let moves = slow.moves;
            let seconds =
                |plan: &Plan| sample(slow.moves, slow.plies, slow.ply_ns.unwrap()).seconds(plan);
            let (plan, words) =
                bounded(quick, sample(slow.moves, slow.plies, slow.ply_ns.unwrap()));
            assert!(plan.games >= GAMES_MIN && plan.games < 40, "{moves}: {}", plan.games);
            assert_eq!(plan.skill_games, plan.games);
            let is_least = plan.games == GAMES_MIN && plan.iterations == ITERATIONS_MIN;
            assert!(seconds(&plan) <= 121.0 || is_least, "{moves}: {} s", seconds(&plan));
            assert!(words.unwrap().starts_with("the game is slow, so there are "));
        }
    }

    #[test]
    fn numbers_that_the_user_gives_are_kept() {
        let slow = || sample(40.0, 300.0, 900.0);
        let (plan, _) = bounded(&["--budget", "quick", "--games", "40"], slow());
        assert_eq!(plan.games, 40);
        assert!(plan.iterations < 500);
        let (plan, _) = bounded(&["--budget", "quick", "--iterations", "500"], slow());
        assert_eq!((plan.iterations, plan.games), (500, GAMES_MIN));
    }

    fn shortfall(options: &[&str], sample: Sample) -> Option<String> {
        let args = args(options);
        let mut plan = args.plan(None).unwrap();
        let samples = [sample];
        args.fit_to(args.budget, &mut plan, &samples);
        args.shortfall(&plan, &samples)
    }

    #[test]
    fn a_budget_that_is_too_small_names_a_larger_one() {
        let quick = &["--budget", "quick"];
        // 7 moves need nothing, and the iterations for 30 moves take less than the time of the budget.
        assert_eq!(shortfall(quick, sample(7.0, 22.0, 20.0)), None);
        assert_eq!(shortfall(quick, sample(30.0, 20.0, 20.0)), None);
        let words = shortfall(quick, sample(60.0, 150.0, 100.0)).unwrap();
        let expected = "positions have about 60 moves, too many for 500 iterations per move: the verdict will probably \
                        be that it cannot be told; `--budget normal` may be enough and takes about 15 minutes on two cores";
        assert_eq!(words, expected);
        // No budget is large enough.
        let words = shortfall(&["--budget", "thorough"], sample(2_000.0, 80.0, 2_000.0)).unwrap();
        let expected = "; `--iterations 100000 --games 71` may be enough and takes about 50 hours on two cores";
        assert!(words.ends_with(expected), "{words}");
        // Who sets the iterations is told of others.
        let words = shortfall(&["--iterations", "500"], sample(60.0, 150.0, 100.0)).unwrap();
        let expected = "; `--iterations 5000 --games 40` may be enough and takes about ";
        assert!(words.contains(expected), "{words}");
    }

    #[test]
    fn players_meet_more_moves_than_random_games() {
        // As in Atari Go: 58 moves in random games, and 69 in games of players.
        let few = || sample(58.0, 60.0, 100.0);
        let said = shortfall(&["--budget", "quick"], few()).unwrap();
        assert!(said.contains("; `--budget normal` may be enough and takes about "), "{said}");
        // The larger budget has the iterations that the verdict asks for.
        let normal = args(&["--budget", "normal"]);
        let mut plan = normal.plan(None).unwrap();
        normal.fit_to(normal.budget, &mut plan, &[few()]);
        assert_eq!(plan.iterations, iterations_enough(69.0));
        assert_eq!(iterations_needed(&plan, 69.0, MOVES_MARGIN), None);
        assert_eq!(normal.shortfall(&plan, &[few()]), None);
        // A quick budget takes the chance that they do not.
        let quick = args(&["--budget", "quick"]);
        let mut plan = quick.plan(None).unwrap();
        quick.fit_to(quick.budget, &mut plan, &[sample(15.0, 30.0, 20.0)]);
        assert_eq!(plan.iterations, 500);
    }

    #[test]
    fn a_verdict_that_needs_stronger_players_says_their_time() {
        let of = |options: &[&str], iterations_needed| {
            let fitted = Fitted { notes: Vec::new(), samples: vec![sample(60.0, 150.0, 100.0)] };
            let args = args(options);
            let lead = "Cannot tell.".to_owned();
            let sentences = vec![lead.clone()];
            let mut verdict =
                Verdict { sentence: lead, sentences, iterations_needed, ..Verdict::default() };
            args.add_time(&fitted, &args.plan(None).unwrap(), &mut verdict);
            assert_eq!(verdict.sentences.len(), 1);
            verdict.sentence
        };
        let quick = &["--budget", "quick"];
        assert_eq!(of(quick, None), "Cannot tell.");
        let words = "Cannot tell. About 5,000 iterations per move may be enough: `--budget normal` takes about 15 minutes on \
                     two cores.";
        assert_eq!(of(quick, Some(5_000)), words);
        let words = "Cannot tell. About 2,000 iterations per move may be enough: 1 game at each strength takes about 9 \
                     seconds on two cores.";
        assert_eq!(of(&["--iterations", "500", "--games", "1"], Some(2_000)), words);
    }

    #[test]
    fn times_are_said_in_round_words() {
        let words: Vec<String> = [0.2, 45.0, 119.0, 7_300.0].map(time_words).into();
        assert_eq!(words, ["1 second", "45 seconds", "2 minutes", "2 hours"]);
    }
}
