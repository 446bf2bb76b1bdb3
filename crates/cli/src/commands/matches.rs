//! `treegauge match`.

use clap::Args;
use treegauge::MatchRun;
use treegauge::report::{Document, NoBoards};
use treegauge::study::GAMES_MAX;
use treegauge::study::MatchReport;

use super::power::{self, PowerArgs};
use crate::common::{clock, game};
use crate::exit::Outcome;
use crate::output::{print, print_report};
use crate::playing::{PlayingArgs, player, with_players};
use crate::record::RunRecord;
use crate::solving::{Bar, pool};
use crate::terminal::terminal;
use crate::web_page::{Page, PageArgs};
use treegauge::grammar::count;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it
    #[arg(required_unless_present = "power")]
    game: Option<String>,

    /// The players, in the place of --a and --b
    #[arg(value_names = ["A", "B"], num_args = 2, conflicts_with_all = ["a", "b"])]
    players: Vec<String>,

    #[arg(long, value_name = "PLAYER", required_unless_present_any = ["power", "players"], help = with_players(
        "Player A; scores and Elo are reported from A's point of view"
    ))]
    a: Option<String>,

    /// Player B
    #[arg(long, value_name = "PLAYER", required_unless_present_any = ["power", "players"])]
    b: Option<String>,

    /// Games, in pairs: both games of a pair have the same opening, and the players swap sides
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count::<u32>(1..=u64::from(GAMES_MAX)))]
    games: u32,

    /// Stop as soon as a sequential test (SPRT) decides, at the latest after --games: elo0=E,elo1=E
    /// in logistic Elo, with model=normalized in normalized Elo (nElo); alpha=A,beta=B set error
    /// rates other than 0.05
    #[arg(long, value_name = "TEST", conflicts_with = "shard")]
    sprt: Option<String>,

    #[command(flatten)]
    playing: PlayingArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    page: PageArgs,

    #[command(flatten)]
    power: PowerArgs,
}

/// Writes the page of a report, if requested, and prints JSON or text.
pub(crate) fn print_match(report: &MatchReport, json: bool, page: &Page) -> Outcome {
    let written = page.write(|| report.doc(&NoBoards).page());
    let printed = if json {
        print_report(report)
    } else if page.is_printed() {
        Ok(())
    } else {
        print(&report.doc(&NoBoards).text(terminal()))
    };
    written.and(printed)
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let playing = &arguments.playing;
    if arguments.power.power {
        return power::run(&arguments.power, playing.record.as_deref(), arguments.json);
    }
    arguments.power.fit_a_match()?;
    let named = [&arguments.a, &arguments.b].into_iter().flatten();
    let named: Vec<&String> = named.chain(&arguments.players).collect();
    let (Some(game_text), [a, b]) = (&arguments.game, &named[..]) else {
        unreachable!("clap requires a game and two players");
    };
    let game = game(game_text)?;
    let players = [player(a)?, player(b)?];
    let page = arguments.page.page(arguments.json)?;
    let options = playing.options(arguments.games);
    let run = MatchRun::new(&game, players, options, arguments.sprt.as_deref(), &clock())?;
    let (record, known) = match playing.record.as_deref() {
        None if run.is_random() => (RunRecord::none(), Vec::new()),
        path => RunRecord::open(path, &run.first_line())?,
    };
    let bar = Bar::new();
    let played =
        pool(playing.threads)?.install(|| run.run(&known, record.pieces(), &record.watch(&bar)));
    bar.finish();
    let report = match played {
        Ok(report) => report,
        Err(error) => {
            record.close()?;
            return Err(error.into());
        }
    };
    let recorded = record.end(report.summary.incomplete);
    let printed = print_match(&report, arguments.json, &page);
    recorded.and(printed)
}
