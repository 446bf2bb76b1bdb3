//! `treegauge probe`.

use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::engine::Beginning;
use treegauge::report::probe_text;
use treegauge::solve::report::ProbeReport;
use treegauge::solve::{Erased, Rules, RulesVisitor};
use treegauge::{Error, Game};
use treegauge_core::{KeyCode, Notation};

use crate::common::PositionArgs;
use crate::exit::Outcome;
use crate::output::{print, print_report};
use crate::solving::{game_of_file, open_file};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file of a solved game
    file: PathBuf,

    #[command(flatten)]
    at: PositionArgs,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

struct Probe<'a>(&'a Path, &'a PositionArgs, &'a Game);

impl RulesVisitor for Probe<'_> {
    type Output = Outcome<ProbeReport>;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Outcome<ProbeReport> {
        let Probe(path, at, game) = self;
        let file = open_file(path, rules.clone(), game)?;
        // A solution knows no history, so only the last position of a line matters. It begins
        // where the file does.
        let position = Some(rules.game().position_text(&file.start()));
        let start = game.begin(&Beginning { position, moves: Vec::new() }).map_err(Error::from)?;
        let state: K = at.line_from(game, || start)?.code();
        Ok(ProbeReport::new(game.name(), &file, &state).map_err(Error::from)?)
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let game = game_of_file(&arguments.file)?;
    let report = game.rules().visit(Probe(&arguments.file, &arguments.at, &game))?;
    if arguments.json {
        return print_report(&report);
    }
    print(&probe_text(&report, &game))
}
