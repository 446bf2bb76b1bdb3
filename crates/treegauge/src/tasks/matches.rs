//! Matches and tournaments between players.

use std::path::PathBuf;

use clap::Args;
use treegauge_engine::PlayerSpec;
use treegauge_grammar::count;
use treegauge_matches::{MatchReport, TournamentReport};
use treegauge_report::SavedKind;
use treegauge_stats::PowerReport;
use treegauge_store::journal::Piece;
use treegauge_store::{GAMES_MAX, Shard};

use super::blocks::GAMES_RECORD;
use super::partial::{Partials, Stopped};
use super::playing::{PlayingArgs, files_of, player, with_players};
use super::power::PowerArgs;
use super::{Context, Done, Ending, Group, Means, Report, Task, TaskRecord};
use crate::{Error, ErrorKind, Game, MatchRun, TournamentRun};

/// Play a match: which of two players is better, and by how much?
#[derive(Debug, Args)]
pub struct MatchTask {
    /// Game, as `games` lists it
    #[arg(required_unless_present = "power")]
    game: Option<String>,

    /// Players A and B; scores and Elo are reported from the point of view of A
    #[arg(value_names = ["A", "B"], num_args = 2, conflicts_with_all = ["a", "b"])]
    players: Vec<String>,

    #[arg(long, value_name = "PLAYER", required_unless_present_any = ["power", "players"], help = with_players(
        "Player A, if not given after the game"
    ))]
    a: Option<String>,

    /// Player B, if not given after the game
    #[arg(long, value_name = "PLAYER", required_unless_present_any = ["power", "players"])]
    b: Option<String>,

    /// Games to play, in pairs with the same opening and swapped sides
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count::<u32>(1..=u64::from(GAMES_MAX)))]
    games: u32,

    /// Stop as soon as a sequential test (SPRT) decides, at the latest after --games: elo0=E,elo1=E
    ///
    /// The bounds are in logistic Elo, or with model=normalized in normalized Elo (nElo). alpha=A,beta=B set error rates
    /// other than 0.05
    #[arg(long, value_name = "TEST", conflicts_with = "shard")]
    sprt: Option<String>,

    #[command(flatten)]
    playing: PlayingArgs,

    #[command(flatten)]
    power: PowerArgs,
}

impl Task for MatchTask {
    const NAME: &'static str = "match";
    const GROUP: Group = Group::Play;
    const EXAMPLES: &'static [&'static str] = &[
        "match othello 'uct(iterations=500)' 'uct(iterations=1000)' --open",
        "match isolation --a 'alphabeta(eval=mobility,nodes=300)' --b random --games 1000",
        "match kalah --a 'uct(iterations=300)' --b 'uct(iterations=200)' --games 10000 --sprt elo0=0,elo1=30",
    ];
    const COMMON: &'static [&'static str] = &["games", "sprt", "open"];
    const MEANS: Means = Means { threads: true, kept: Some(GAMES_RECORD), ..Means::NONE };
    const REPORTS: &'static [SavedKind] =
        &[SavedKind::of::<MatchReport>(), SavedKind::of::<PowerReport>()];
    const HAS_PICTURE: bool = true;

    fn reads_record(&self) -> bool {
        self.power.is_asked()
    }

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(files_of(&self.players()?))
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        if self.power.is_asked() {
            return self.power.run(context);
        }
        self.power.check_unasked()?;
        let (Some(game), Ok(players)) = (&self.game, <[_; 2]>::try_from(self.players()?)) else {
            let message = "a match has a game and two players";
            return Err(Error::new(ErrorKind::Usage, message));
        };
        let game = context.game(game)?;
        let [a, b] = players;
        let players = [context.player(&a)?, context.player(&b)?];
        let options = self.playing.options(self.games, context)?;
        let part = options.shard.part();
        let run = MatchRun::new(&game, players, options, self.sprt.as_deref(), &context.clock)?;
        let (record, known) = context.record_unless(run.is_random(), &run.first_line())?;
        let keep = Partials::new(record.pieces(), &known, context, |games| {
            let report = run.run(&games, &(), &Stopped);
            report.ok().map(|report| Box::new(report) as Box<dyn Report>)
        });
        let played = run.run(&known, &keep, &record.watch(context.watch));
        done(played, |report| report.summary.incomplete, record, part, game)
    }
}

impl MatchTask {
    fn players(&self) -> Result<Vec<PlayerSpec>, Error> {
        let named = [&self.a, &self.b].into_iter().flatten();
        named.chain(&self.players).map(|text| player(text)).collect()
    }
}

/// Ends a match or tournament, or a part of one, and its record.
fn done<R: Report + 'static, L: Piece>(
    played: Result<R, Error>,
    is_incomplete: impl Fn(&R) -> bool,
    record: TaskRecord<L>,
    part: Option<Shard>,
    game: Game,
) -> Result<Done, Error> {
    let report = match played {
        Ok(report) => report,
        Err(error) => return Err(record.end(true).unwrap_or(error)),
    };
    let incomplete = is_incomplete(&report);
    let ending = if incomplete { Ending::Incomplete(None) } else { Ending::Good };
    let next = part.filter(|_| !incomplete).map(|part| {
        format!(
            "`treegauge merge` joins this part, {part}, with the others and reports on the whole."
        )
    });
    Ok(Done { next, problem: record.end(incomplete), ..Done::of(report, game).ending(ending) })
}

/// Play a round-robin tournament: Elo ratings of all players
#[derive(Debug, Args)]
pub struct TournamentTask {
    /// Game, as `games` lists it
    game: String,

    /// Players, at least two, in the form that `match` takes
    #[arg(value_name = "PLAYER", required_unless_present = "player")]
    players: Vec<String>,

    /// Player, if not given after the game; repeat for each
    #[arg(long, value_name = "PLAYER", conflicts_with = "players")]
    player: Vec<String>,

    /// Games per pairing, in pairs with the same opening and swapped sides
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count::<u32>(1..=u64::from(GAMES_MAX)))]
    games: u32,

    #[command(flatten)]
    playing: PlayingArgs,
}

impl Task for TournamentTask {
    const NAME: &'static str = "tournament";
    const GROUP: Group = Group::Play;
    const EXAMPLES: &'static [&'static str] =
        &["tournament othello random 'uct(iterations=50)' 'uct(iterations=200)' --open"];
    const COMMON: &'static [&'static str] = &["games", "record", "open"];
    const MEANS: Means = Means { threads: true, kept: Some(GAMES_RECORD), ..Means::NONE };
    const REPORTS: &'static [SavedKind] = &[SavedKind::of::<TournamentReport>()];
    const HAS_PICTURE: bool = true;

    fn inputs(&self) -> Result<Vec<PathBuf>, Error> {
        Ok(files_of(&self.players()?))
    }

    fn run(&self, context: &Context<'_>) -> Result<Done, Error> {
        let game = context.game(&self.game)?;
        let players = self.players()?;
        let players =
            players.iter().map(|one| context.player(one)).collect::<Result<Vec<_>, _>>()?;
        let options = self.playing.options(self.games, context)?;
        let part = options.shard.part();
        let run = TournamentRun::new(&game, &players, options, &context.clock)?;
        let (record, known) = context.record_unless(run.is_random(), &run.first_line())?;
        let keep = Partials::new(record.pieces(), &known, context, |games| {
            let report = run.run(games, &(), &Stopped);
            report.ok().map(|report| Box::new(report) as Box<dyn Report>)
        });
        let played = run.run(known.clone(), &keep, &record.watch(context.watch));
        done(played, |report| report.summary.incomplete, record, part, game)
    }
}

impl TournamentTask {
    fn players(&self) -> Result<Vec<PlayerSpec>, Error> {
        self.players.iter().chain(&self.player).map(|text| player(text)).collect()
    }
}
