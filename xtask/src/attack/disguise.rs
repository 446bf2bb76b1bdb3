//! Content in the forms that other programs write. The program must read it as usual, or refuse it
//! with a sentence.

use std::fs;

use anyhow::{Result, ensure};
use serde_json::Value;

use crate::attack::arena::Arena;
use crate::attack::job::Job;
use crate::attack::random::Random;
use crate::attack::samples::REPORTS;

/// A rules text.
const RULES: &str = "; The rules.\n(game \"Three\"\n  (board (grid 3 3))\n  (play (place))\n  \
                     (end (if (makes (line 3)) (win mover)) (stuck draw)))\n";

/// A list of games.
const LIST: &str = "# games\n\nforms(rows=2,cols=2)\ntic_tac_toe\n";

/// A table of games.
const GAMES: [&[&str]; 3] = [
    &["game", "fun_mean", "category"],
    &["forms(rows=2,cols=2)", "3.5", "one"],
    &["mnk(rows=3,cols=3,k=3)", "41.25", "two"],
];

/// A table of attributes.
const ATTRIBUTES: [&[&str]; 3] = [
    &["game", "iterations", "instances", "trees", "depth.mean", "spread.max"],
    &["achi", "10", "1", "60", "3.5", "1"],
    &["forms", "10", "2", "41", "2.25", "0.125"],
];

/// Content that a command reads under the name `given`.
enum Content {
    Text(String),
    Table(&'static [&'static [&'static str]]),
    Json(Value),
}

/// Runs a command with one content, plain and in disguise.
pub(super) fn attempt(arena: &Arena<'_>, random: &mut Random) -> Result<()> {
    let collect = "collect --iterations 5 --instances 1 -o data --games given";
    let (command, content) = match random.below(5) {
        0 => ("check given.rules", Content::Text(RULES.to_owned())),
        1 => (collect, Content::Text(LIST.to_owned())),
        2 => (collect, Content::Table(&GAMES)),
        3 => ("aggregate given --split none", Content::Table(&ATTRIBUTES)),
        _ => {
            let sample = random.pick(&REPORTS).0;
            let report = serde_json::from_slice(&arena.samples.read(sample)?)?;
            ("report given", Content::Json(report))
        }
    };
    let name = if command.contains("given.rules") { "given.rules" } else { "given" };
    let job = || Job::new(command.split(' '));
    fs::write(arena.path(name), content.plain())?;
    let plain = arena.run(&job())?;
    ensure!(plain.wrong_end(&[0, 65]).is_none(), "the plain form fails: {}", plain.end());
    let _ = fs::remove_dir_all(arena.path("data"));
    let (disguise, bytes) = content.disguised(random);
    fs::write(arena.path(name), bytes)?;
    let ran = arena.run(&job())?;
    let what = format!("{} of {disguise}", command.split(' ').next().unwrap_or_default());
    if let Some(wrong) = ran.wrong_end(&[0, 65]) {
        arena.fault(format!("{what}: {wrong}"), &ran);
    } else if ran.wrong_end(&[0]).is_none() && ran.stdout != plain.stdout {
        arena.fault(format!("{what}: not what the plain form gives"), &ran);
    } else if ran.wrong_end(&[0]).is_some()
        && command.starts_with("check")
        && !disguise.contains("UTF-16")
    {
        arena.fault(format!("{what}: refused"), &ran);
    }
    Ok(())
}

impl Content {
    fn plain(&self) -> String {
        match self {
            Content::Text(text) => text.clone(),
            Content::Table(rows) => written(rows, ',', str::to_owned),
            Content::Json(value) => value.to_string(),
        }
    }

    /// Content as another program writes it, with the name of that form.
    fn disguised(&self, random: &mut Random) -> (String, Vec<u8>) {
        let (mut name, mut text) = match self {
            Content::Text(text) => ("a text".to_owned(), text.clone()),
            Content::Table(rows) => table(rows, random),
            Content::Json(value) => {
                let text = serde_json::to_string_pretty(value).expect("values are JSON");
                ("laid out JSON".to_owned(), text)
            }
        };
        let ends = *random.pick(&["\n", "\r\n", "\r"]);
        text = text.replace('\n', ends);
        name.push_str(&format!(" with the line ends {ends:?}"));
        let bytes = match random.below(4) {
            0 => format!("\u{feff}{text}").into_bytes(),
            1 => {
                name.push_str(" in UTF-16");
                let marked = format!("\u{feff}{text}");
                marked.encode_utf16().flat_map(u16::to_le_bytes).collect()
            }
            2 => {
                name.push_str(" in UTF-16");
                text.encode_utf16().flat_map(u16::to_be_bytes).collect()
            }
            _ => text.into_bytes(),
        };
        (name, bytes)
    }
}

/// A table in a form of spreadsheets or data frames, with the name of that form.
fn table(rows: &[&[&str]], random: &mut Random) -> (String, String) {
    let is_number = |cell: &str| cell.parse::<f64>().is_ok();
    let comma = |cell: &str| if is_number(cell) { cell.replace('.', ",") } else { cell.to_owned() };
    match random.below(7) {
        0 => ("a table with semicolons".to_owned(), written(rows, ';', comma)),
        1 => ("a table with tabs".to_owned(), written(rows, '\t', str::to_owned)),
        2 => ("a table with `sep=`".to_owned(), format!("sep=;\n{}", written(rows, ';', comma))),
        3 => {
            let text = written(rows, ',', str::to_owned);
            let number = |(n, line): (usize, &str)| match n {
                0 => format!(",{line}\n"),
                n => format!("{},{line}\n", n - 1),
            };
            ("a table with row numbers".to_owned(), text.lines().enumerate().map(number).collect())
        }
        4 => {
            let whole = |cell: &str| match cell.parse::<u32>() {
                Ok(number) => format!("{number}.0"),
                Err(_) => cell.to_owned(),
            };
            ("a table with whole numbers as real ones".to_owned(), written(rows, ',', whole))
        }
        5 => {
            // The columns before the attributes may have any order. The order of the attributes
            // stays, because they are printed in it.
            let mut order: Vec<usize> = (0..rows[0].len()).collect();
            let known = rows[0].iter().filter(|title| !title.contains('.')).count();
            random.shuffle(&mut order[..known]);
            let rows: Vec<Vec<&str>> =
                rows.iter().map(|row| order.iter().map(|&n| row[n]).collect()).collect();
            let rows: Vec<&[&str]> = rows.iter().map(Vec::as_slice).collect();
            ("a table in another order".to_owned(), written(&rows, ',', str::to_owned))
        }
        _ => {
            let text = written(rows, ',', str::to_owned);
            ("a table after empty lines".to_owned(), format!("\n  \n{text}"))
        }
    }
}

/// Rows of a table with a separator; `form` rewrites each cell.
fn written(rows: &[&[&str]], separator: char, form: impl Fn(&str) -> String) -> String {
    let cell = |cell: &&str| {
        let cell = form(cell);
        if cell.contains([separator, '"']) { format!("\"{cell}\"") } else { cell }
    };
    let row = |row: &&[&str]| {
        let cells: Vec<String> = row.iter().map(cell).collect();
        cells.join(&separator.to_string()) + "\n"
    };
    rows.iter().map(row).collect()
}
