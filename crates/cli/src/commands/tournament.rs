//! `treegauge tournament`.

use clap::Args;
use treegauge::TournamentRun;
use treegauge::report::{Document, NoBoards};
use treegauge::study::GAMES_MAX;
use treegauge::study::TournamentReport;

use crate::common::{clock, game};
use crate::exit::Outcome;
use crate::output::{print, print_report};
use crate::playing::{PlayingArgs, player};
use crate::record::RunRecord;
use crate::solving::{Bar, pool};
use crate::terminal::terminal;
use crate::web_page::{Page, PageArgs};
use treegauge::grammar::count;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, as `games` lists it
    game: String,

    /// The players, at least two, in the form that `match` takes
    #[arg(value_name = "PLAYER", required_unless_present = "player")]
    players: Vec<String>,

    /// One of the players; repeat for each, in the place of the list
    #[arg(long, value_name = "PLAYER", conflicts_with = "players")]
    player: Vec<String>,

    /// Games per pairing, in pairs: both games of a pair have the same opening, and the players
    /// swap sides
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count::<u32>(1..=u64::from(GAMES_MAX)))]
    games: u32,

    #[command(flatten)]
    playing: PlayingArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    page: PageArgs,
}

/// Writes the page of a report, if requested, and prints JSON or text.
pub(crate) fn print_tournament(report: &TournamentReport, json: bool, page: &Page) -> Outcome {
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
    let game = game(&arguments.game)?;
    let players = arguments.players.iter().chain(&arguments.player);
    let players = players.map(|text| player(text)).collect::<Outcome<Vec<_>>>()?;
    let page = arguments.page.page(arguments.json)?;
    let options = playing.options(arguments.games);
    let run = TournamentRun::new(&game, &players, options, &clock())?;
    let (record, known) = match playing.record.as_deref() {
        None if run.is_random() => (RunRecord::none(), Vec::new()),
        path => RunRecord::open(path, &run.first_line())?,
    };
    let bar = Bar::new();
    let played =
        pool(playing.threads)?.install(|| run.run(known, record.pieces(), &record.watch(&bar)));
    bar.finish();
    let report = match played {
        Ok(report) => report,
        Err(error) => {
            record.close()?;
            return Err(error.into());
        }
    };
    let recorded = record.end(report.summary.incomplete);
    let printed = print_tournament(&report, arguments.json, &page);
    recorded.and(printed)
}
