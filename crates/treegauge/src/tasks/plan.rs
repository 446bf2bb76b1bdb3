//! Options of tasks that gauge games.

use clap::{ArgMatches, Args, FromArgMatches, ValueEnum};
use treegauge_core::grouped;
use treegauge_engine::StartingPoint;
use treegauge_gauge::{
    DEFAULT_SOLVE_LIMIT, FINDINGS, FlawState, GaugeReport, JudgedFlaw, Multiple, Plan, Thresholds,
    Unit, VISITS_MIN, iterations_enough, thresholds,
};
use treegauge_grammar::count;
use treegauge_search::Seed;

use super::{CpArg, DEFAULT_SEED, ReuseArg, ShapeArgs, VariantArgs};
use crate::{Error, Game};

/// Named amounts of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Effort {
    /// 40 games at 500 iterations per move
    Quick,
    /// 40 games at 2,000 iterations per move
    Normal,
    /// 200 games at 10,000 iterations per move
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
}

/// The options of a plan.
#[derive(Debug, Args)]
pub struct PlanArgs {
    /// Amount of play; --games and --iterations override it. A game with many moves gets up to four
    /// times the iterations, if it needs them to be judged
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
    /// 0 never solves
    #[arg(long, value_name = "POSITIONS", default_value_t = DEFAULT_SOLVE_LIMIT, value_parser = count::<u64>(0..=1_000_000_000))]
    solve_limit: u64,

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
            solve_limit: self.solve_limit,
            solve_bytes_max,
            shape: self.shape.options(),
            thresholds: self.thresholds.limits.clone(),
            ..Plan::default()
        })
    }

    /// Raises the iterations of a plan if the budget gives them and they are too few to play some
    /// of the games, and returns a sentence about it. They stay as they are where more than
    /// [`RAISE_MAX`] times as many are needed, because the user expects an answer about as soon as
    /// the budget promises.
    ///
    /// # Errors
    ///
    /// If a game cannot begin `from` there.
    pub(super) fn raise<'a>(
        &self,
        plan: &mut Plan,
        games: impl IntoIterator<Item = &'a Game>,
        from: &StartingPoint,
    ) -> Result<Option<String>, Error> {
        if self.iterations.is_some() {
            return Ok(None);
        }
        // The weaker of the two strongest players must be strong enough.
        let mut strengths: Vec<u32> =
            plan.ladder.iter().map(|multiple| multiple.of(plan.iterations)).collect();
        strengths.sort_unstable_by(|a, b| b.cmp(a));
        let Some(&weaker) = strengths.get(1).or(strengths.first()) else { return Ok(None) };
        let mut most: f64 = 0.0;
        for game in games {
            most = most.max(branching(game, from, self.seed)?);
        }
        let times = f64::from(plan.iterations) / f64::from(weaker);
        let enough = iterations_enough(most * times);
        let is_weak = f64::from(weaker) < VISITS_MIN * most;
        if !is_weak || enough <= plan.iterations || enough / RAISE_MAX > plan.iterations {
            return Ok(None);
        }
        let before = std::mem::replace(&mut plan.iterations, enough);
        Ok(Some(format!(
            "positions have about {most:.0} moves, so the players use {} iterations per move instead of {}",
            grouped(enough),
            grouped(before)
        )))
    }
}

/// Greatest factor by which the iterations of a budget are raised.
const RAISE_MAX: u32 = 4;

/// Mean number of legal moves in random games, over about a thousand positions.
fn branching(game: &Game, from: &StartingPoint, seed: u64) -> Result<f64, Error> {
    let start = game.begin(from)?;
    let mut rng = Seed(seed).generator();
    let (mut moves, mut positions) = (0_u64, 0_u32);
    for _ in 0..20 {
        let mut line = start.clone();
        while positions < 1_000 && line.ended().is_none() {
            moves += u64::from(line.move_count());
            positions += 1;
            let Some(m) = line.random_move(&mut rng) else { break };
            line.play(m);
        }
    }
    Ok(moves as f64 / f64::from(positions.max(1)))
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
