//! `treegauge merge`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::study::journal::{self, Header};
use treegauge::{MergeOptions, MergedReport, merge};

use super::{matches, tournament};
use crate::exit::Outcome;
use crate::files::{Kind, is_forced, not_ours, to_read, to_write};
use crate::numbers::count;
use crate::output::{complain, counted};
use crate::record::say_cut;
use crate::web_page::PageArgs;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The records of the parts, written by `match --record` or `tournament --record`
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Write the record of the whole, as a single run would have written it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Planned number of games (per pairing in a tournament); missing games are reported [default:
    /// highest game number found]
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=100_000_000))]
    games: Option<u32>,

    /// Apply an SPRT to the merged pairs in order and ignore pairs after its decision:
    /// elo0=E,elo1=E, with alpha=A,beta=B for error rates other than 0.05
    #[arg(long, value_name = "TEST")]
    sprt: Option<String>,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    page: PageArgs,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    arguments.files.iter().try_for_each(|path| to_read(path))?;
    let output =
        arguments.output.as_deref().map(|path| to_write(path, Kind::Record)).transpose()?;
    let page = arguments.page.page(arguments.json)?;
    let options = MergeOptions { games: arguments.games, sprt: arguments.sprt.clone() };
    let merged = merge(&arguments.files, &options)?;
    for path in twice(&arguments.files) {
        complain(&format!("{} is given twice and counts once", path.display()));
    }
    arguments.files.iter().for_each(|path| say_cut(path));
    if let Some(found) = merged.assumed_games {
        let found = counted(found, "game");
        let pairing = match merged.report {
            MergedReport::Match(_) => "",
            MergedReport::Tournament(_) => " per pairing",
        };
        complain(&format!(
            "assuming {found}{pairing}, by the highest number of a game; --games N gives the \
             planned number"
        ));
    }
    output.as_ref().map_or(Ok(()), |output| check_place(output.path(), merged.header()))?;
    let written = output.map_or(Ok(()), |output| output.write_with(|out| merged.write_record(out)));
    let printed = match &merged.report {
        MergedReport::Match(report) => matches::print_match(report, arguments.json, &page),
        MergedReport::Tournament(report) => {
            tournament::print_tournament(report, arguments.json, &page)
        }
    };
    written.and(printed)
}

/// The files that are among those before them.
fn twice(files: &[PathBuf]) -> impl Iterator<Item = &PathBuf> {
    let place = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut seen = HashSet::new();
    files.iter().filter(move |path| !seen.insert(place(path)))
}

/// Refuses to replace anything but a record of the same run.
fn check_place(path: &Path, header: &Header) -> Outcome {
    let is_file = path.metadata().is_ok_and(|there| there.is_file() && there.len() > 0);
    let same = |there: &Header| journal::difference(there, header).is_none();
    if is_file && !is_forced() && !journal::read_header(path).is_ok_and(|there| same(&there)) {
        return Err(not_ours(path, "a file is there that is not a record of these games"));
    }
    Ok(())
}
