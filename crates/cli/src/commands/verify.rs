//! `treegauge verify`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use treegauge_catalog::GameSpec;
use treegauge_core::{KeyCode, Notation};
use treegauge_solve::verify::{UNSEEN, verify};
use treegauge_solve::{Erased, Rules, RulesVisitor};

use crate::exit::{Exit, Failure, Outcome};
use crate::output::{counted, print, print_json};
use crate::solving::{Bar, bad_file, open_file, pool, spec_of_file, with_rules};

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

#[derive(Serialize)]
struct Report {
    game: String,
    ok: bool,
    positions: u64,
    moves: u64,
    fault_count: u64,
    faults: Vec<Row>,
    unseen: String,
}

#[derive(Serialize)]
struct Row {
    fault: String,
    position: Option<String>,
}

struct Verify<'a>(&'a Path, GameSpec);

impl RulesVisitor for Verify<'_> {
    type Output = Outcome<Report>;

    fn visit<K: KeyCode>(self, rules: Rules<Erased<K>>) -> Outcome<Report> {
        let Verify(path, spec) = self;
        let file = open_file(path, rules.clone(), &spec.canonical())?;
        let watch = Bar::new();
        let verdict = verify(&file, &watch);
        watch.finish();
        let verdict = verdict
            .map_err(|error| bad_file(path, &error))?
            .ok_or_else(|| Failure::interrupted("interrupted: the file is not checked"))?;
        Ok(Report {
            game: spec.to_string(),
            ok: verdict.is_ok(),
            positions: verdict.positions,
            moves: verdict.moves,
            fault_count: verdict.fault_count,
            faults: verdict
                .faults
                .iter()
                .map(|fault| Row {
                    fault: fault.to_string(),
                    position: fault.state().map(|state| rules.game().position_text(state)),
                })
                .collect(),
            unseen: UNSEEN.replace('\n', " "),
        })
    }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let spec = spec_of_file(&arguments.file)?;
    let visitor = Verify(&arguments.file, spec.clone());
    let report = pool(arguments.threads)?.install(|| with_rules(&spec, visitor))??;
    if arguments.json {
        print_json(&report)?;
    } else {
        print(&in_words(&report))?;
    }
    if report.ok { Ok(()) } else { Err(Failure { exit: Exit::No, error: None }) }
}

fn in_words(report: &Report) -> String {
    let mut text = String::new();
    let (positions, moves) = (report.positions, report.moves);
    if report.ok {
        let _ = writeln!(
            text,
            "{}: right. All {positions} positions agree with the rules and, by {moves} moves, with \
             each other; they are all that can be reached.",
            report.game
        );
    } else {
        let faults = counted(report.fault_count, "fault");
        let _ = writeln!(text, "{}: WRONG, {faults} in {positions} positions.", report.game);
        for row in &report.faults {
            let at = row.position.as_ref().map_or(String::new(), |at| format!("{at}: "));
            let _ = writeln!(text, "  {at}{}", row.fault);
        }
    }
    let _ = writeln!(text, "\n{UNSEEN}");
    text
}
