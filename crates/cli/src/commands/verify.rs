//! `treegauge verify`.

use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::Game;
use treegauge::report::verify_text;
use treegauge::solve::report::VerifyReport;
use treegauge::solve::verify::verify;
use treegauge::solve::{Erased, Rules, RulesVisitor};
use treegauge_core::KeyCode;

use crate::exit::{Exit, Failure, Outcome};
use crate::output::{print, print_report};
use crate::solving::{Bar, bad_file, game_of_file, open_file, pool};

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The file of a solved game
    file: PathBuf,

    /// Threads (default: one a core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

struct Verify<'a>(&'a Path, &'a Game);

impl RulesVisitor for Verify<'_> {
    type Output = Outcome<VerifyReport>;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Outcome<VerifyReport> {
        let Verify(path, game) = self;
        let file = open_file(path, rules.clone(), game)?;
        let watch = Bar::new();
        let verdict = verify(file.file(), &watch);
        watch.finish();
        let verdict = verdict
            .map_err(|error| bad_file(path, &error))?
            .ok_or_else(|| Failure::interrupted("interrupted: the file is not checked"))?;
        Ok(VerifyReport::new(game.name(), rules.game(), &verdict))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let game = game_of_file(&arguments.file)?;
    let verify = Verify(&arguments.file, &game);
    let report = pool(arguments.threads)?.install(|| game.rules().visit(verify))?;
    if arguments.json {
        print_report(&report)?;
    } else {
        print(&verify_text(&report))?;
    }
    if report.ok { Ok(()) } else { Err(Failure { exit: Exit::No, error: None }) }
}
