//! Generating games and judging them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use treegauge_catalog::GameSpec;
use treegauge_catalog::rules::{Genome, OptionValue, TEXT_BYTES_MAX, Text, explain};
use treegauge_core::{Interim, Progress, Watch};
use treegauge_generate::{
    CandidateLine, GenerateError, GenerateHeader, GeneratePlan, GenerateReport, GenerateStudy,
    Origin, again, merged,
};
use treegauge_report::{Boards, Svg, missing_parts_words};
use treegauge_store::journal::{Journal, Piece};
use treegauge_store::{MissingParts, PieceSink, Record};

use crate::game::rules_text;
use crate::records::{bad, kind_of_record};
use crate::{Error, ErrorKind, Game, StoredModel, template};

/// Names of the files in the folder of a run.
pub mod generated_files {
    /// Journal of the candidates. A later run resumes from it.
    pub const JOURNAL: &str = "candidates.jsonl";
    /// Report as JSON.
    pub const REPORT: &str = "report.json";
    /// Folder of the texts of the best games.
    pub const BEST: &str = "best";
    /// Folder of the texts of the parents of the best games.
    pub const PARENTS: &str = "parents";
}

/// Built-in games to begin with if the user names none: a race, lines, captures, flips, a shrinking
/// board.
pub const DEFAULT_STARTS: [&str; 6] =
    ["breakthrough", "connect_four", "alquerque", "othello", "isolation", "tic_tac_toe"];

/// Greatest number of texts that a run begins with.
const STARTS_MAX: usize = 100;

/// A run that generates games and judges them, in an existing folder.
#[derive(Debug)]
pub struct GenerateRun {
    plan: GeneratePlan,
    starts: Vec<Genome>,
    folder: PathBuf,
}

impl GenerateRun {
    /// Prepares a run from starting texts: `a.rules`, `a.rules(option=value)`, or a built-in game
    /// that has a text. If the folder holds candidates of the same run, only the missing ones are
    /// made.
    ///
    /// # Errors
    ///
    /// If a text cannot be read or has mistakes, a built-in game has no text, or two are the same
    /// game.
    pub fn new(from: &[String], plan: GeneratePlan, folder: &Path) -> Result<GenerateRun, Error> {
        let open = &mut |file: &str| rules_text(Path::new(file));
        GenerateRun::new_with(from, plan, folder, open)
    }

    /// Prepares a run as [`GenerateRun::new`] does, with the content of files from `open`.
    ///
    /// # Errors
    ///
    /// As [`GenerateRun::new`].
    pub fn new_with(
        from: &[String],
        plan: GeneratePlan,
        folder: &Path,
        open: &mut dyn FnMut(&str) -> Result<String, String>,
    ) -> Result<GenerateRun, Error> {
        let usage = |message: String| Error::new(ErrorKind::Usage, message);
        if from.is_empty() || from.len() > STARTS_MAX {
            let n = from.len();
            let message = format!("a run begins with 1 to {STARTS_MAX} texts, and there are {n}");
            return Err(usage(message));
        }
        let mut seen: BTreeMap<u128, &String> = BTreeMap::new();
        let mut starts = Vec::new();
        for text in from {
            let genome = genome_of(text, open)?;
            if let Some(other) = seen.insert(genome.identity(), text) {
                return Err(usage(if other == text {
                    format!("the text {text} is given twice")
                } else {
                    format!("{other} and {text} are the same game")
                }));
            }
            starts.push(genome);
        }
        Ok(GenerateRun { plan, starts, folder: folder.to_owned() })
    }

    /// Makes and judges the candidates that the folder lacks, on rayon's current thread pool. The
    /// journal and the report depend neither on the number of threads nor on interruptions.
    /// `interim` gets the candidates judged so far.
    ///
    /// # Errors
    ///
    /// If another run uses the folder, it holds candidates of another run, the journal is damaged
    /// or cannot be written, a starting text cannot be played, or `watch` says stop.
    pub fn run(
        &self,
        model: Option<&StoredModel>,
        watch: &dyn Watch,
        interim: &dyn Interim<GenerateReport>,
    ) -> Result<GenerateReport, Error> {
        let asked = model.map(|stored| (&stored.model, &stored.digest[..]));
        let study = GenerateStudy::new(self.plan.clone(), self.starts.clone(), asked)
            .map_err(|error| Error::new(ErrorKind::Data, error))?;
        let path = self.folder.join(generated_files::JOURNAL);
        let (record, known) = Record::open(&path, &study.header())?;
        let watching = WhileKept { record: &record, watch };
        match study.run(known, &record, &watching, interim) {
            Ok(report) => {
                record.finish()?;
                Ok(report)
            }
            Err(GenerateError::Interrupted) => {
                record.close()?;
                Err(Error::interrupted("not all candidates are judged; those that are were kept"))
            }
            Err(error) => {
                record.close()?;
                Err(bad(format!("{}: {error}", path.display())))
            }
        }
    }
}

/// Genome of a text that a user named.
fn genome_of(
    text: &str,
    open: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Genome, Error> {
    let mut source = None;
    let spec = GameSpec::parse_with(text, &mut |file| {
        let read = open(file)?;
        source = Some(read.clone());
        Ok(read)
    })?;
    let (source, options) = match (source, spec.program()) {
        (Some(source), Some(program)) => {
            let value = |option: &OptionValue| (option.name.clone(), option.value);
            (source, program.options().iter().map(value).collect())
        }
        // A built-in game: the options of its text have the game's parameters as defaults.
        _ => (template(text)?, Vec::new()),
    };
    let genome = Text::read(&source).and_then(|text| Genome::of(&text, &options));
    genome.map_err(|mistakes| bad(format!("{text}: {mistakes}")))
}

/// Watch that also stops the run if the record can no longer be written.
struct WhileKept<'a> {
    record: &'a Record<CandidateLine>,
    watch: &'a dyn Watch,
}

impl Watch for WhileKept<'_> {
    fn progress(&self, progress: Progress) {
        self.watch.progress(progress);
    }

    fn stop(&self) -> bool {
        self.record.has_failed() || self.watch.stop()
    }
}

/// Tests whether a folder holds candidates.
#[must_use]
pub fn is_generated(folder: &Path) -> bool {
    let path = folder.join(generated_files::JOURNAL);
    path.is_file() && kind_of_record(&path).is_ok_and(|kind| kind == GenerateHeader::HOLDS)
}

/// Header and lines of a run.
fn run_of(folder: &Path) -> Result<(GenerateHeader, Vec<CandidateLine>), Error> {
    let path = folder.join(generated_files::JOURNAL);
    if !is_generated(folder) {
        let folder = folder.display();
        return Err(bad(format!(
            "{folder} is not the folder of a run that makes games, which `generate` writes"
        )));
    }
    let contents = Journal::<CandidateLine>::read(&path)?;
    let header = serde_json::from_value(contents.header.into());
    let header =
        header.map_err(|error| bad(format!("bad header in {}: {error}", path.display())))?;
    Ok((header, contents.lines))
}

/// Paths of texts in the folders of a run that differ from those that the program wrote, or that it
/// did not write; sorted.
///
/// # Errors
///
/// If the journal of the folder cannot be read.
pub fn edited_texts(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found: Vec<(Origin, PathBuf)> = Vec::new();
    for inner in [generated_files::BEST, generated_files::PARENTS] {
        let Ok(entries) = std::fs::read_dir(folder.join(inner)) else { continue };
        let texts = entries.filter_map(|entry| text_of_run(entry.ok()?.path()));
        found.extend(texts);
    }
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let lines = if is_generated(folder) { run_of(folder)?.1 } else { Vec::new() };
    let written: BTreeMap<Origin, &str> = lines
        .iter()
        .filter_map(|line| Some((line.game, &line.made.as_ref()?.source[..])))
        .collect();
    let is_edited = |(game, path): &(Origin, PathBuf)| {
        let there = treegauge_store::read(path, TEXT_BYTES_MAX as u64).ok();
        let written = written.get(game).map(|source| source.as_bytes());
        written.is_none() || there.as_deref() != written
    };
    let mut edited: Vec<PathBuf> =
        found.into_iter().filter(is_edited).map(|(_, path)| path).collect();
    edited.sort();
    Ok(edited)
}

/// Game that a file in a run's folder is named after, with the path; `None` if the file has another
/// name.
fn text_of_run(path: PathBuf) -> Option<(Origin, PathBuf)> {
    let name = path.file_name()?.to_str()?.strip_suffix(".rules")?.parse().ok()?;
    Some((name, path))
}

/// Makes one candidate of a run again, from its seed and the folder's records of earlier
/// generations, and returns its text.
///
/// # Errors
///
/// If the run does not have this candidate, the folder lacks an earlier one, or the text differs
/// from that in the folder.
pub fn remake_candidate(folder: &Path, number: u32) -> Result<String, Error> {
    let (header, lines) = run_of(folder)?;
    if number >= header.candidates {
        let message = format!(
            "no candidate {number}: the run has candidates 0 to {}",
            header.candidates.max(1) - 1
        );
        return Err(Error::new(ErrorKind::Usage, message));
    }
    again(&header, &lines, number).map_err(|error| bad(format!("{}: {error}", folder.display())))
}

/// Joins the separately made parts of a run in one folder. Returns the report of the whole run.
///
/// # Errors
///
/// If a folder is not a part of the run, a part is missing or incomplete, two parts disagree, or
/// the journal of the whole cannot be written.
pub fn merge_generated(
    folders: &[PathBuf],
    output: &Path,
    model: Option<&StoredModel>,
) -> Result<GenerateReport, Error> {
    let mut whole: Option<(&PathBuf, GenerateHeader)> = None;
    let mut lines: BTreeMap<_, (&PathBuf, CandidateLine)> = BTreeMap::new();
    // Numbers of parts. A run that was not split is part 0 of 1.
    let mut given = BTreeSet::new();
    for folder in folders {
        let (header, more) = run_of(folder)?;
        given.insert(header.part.map_or(0, |[part, _]| part));
        let header = GenerateHeader { part: None, ..header };
        let (first, common) = whole.get_or_insert_with(|| (folder, header.clone()));
        if *common != header {
            let (folder, first) = (folder.display(), first.display());
            return Err(bad(format!("{folder} is a part of another run than {first}")));
        }
        for line in more {
            let (place, known) = lines.entry(line.key()).or_insert_with(|| (folder, line.clone()));
            if *known != line {
                let (game, one, other) = (line.game, place.display(), folder.display());
                return Err(bad(format!("the game {game} in {other} is not that in {one}")));
            }
        }
    }
    let Some((_, header)) = whole else {
        return Err(Error::new(ErrorKind::Usage, "no parts to merge"));
    };
    let lines: Vec<CandidateLine> = lines.into_values().map(|(_, line)| line).collect();
    let asked = model.filter(|stored| header.model.as_ref() == Some(&stored.digest));
    let asked = asked.map(|stored| (&stored.model, &stored.digest[..]));
    let absent: Vec<u32> =
        (0..header.parts).filter(|part| !given.contains(part)).map(|part| part + 1).collect();
    if !absent.is_empty() {
        let missing = MissingParts { of: header.parts, absent, unfinished: Vec::new() };
        let words = missing_parts_words(&missing);
        return Err(bad(format!("the parts are not a whole run: {words}")));
    }
    let report = merged(&header, &lines, asked).map_err(|error| bad(error.to_string()))?;
    let path = output.join(generated_files::JOURNAL);
    let (record, known): (Record<CandidateLine>, Vec<CandidateLine>) =
        Record::open(&path, &header)?;
    let is_new = |line: &&CandidateLine| !known.iter().any(|one| one.key() == line.key());
    lines.iter().filter(is_new).for_each(|line| record.keep(line));
    record.finish()?;
    Ok(report)
}

/// Pictures of games defined by rules texts.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextBoards;

impl Boards for TextBoards {
    fn text(&self, _: &str) -> String {
        String::new()
    }

    fn svg(&self, _: &str) -> Svg {
        Svg::default()
    }

    fn start_svg(&self, source: &str) -> Svg {
        let spec = GameSpec::parse_with("shown.rules", &mut |_| Ok(source.to_owned()));
        let game = spec.map_err(Error::from).and_then(|spec| Game::of(&spec));
        game.map_or_else(|_| Svg::default(), |game| Svg::new(game.start().board_svg()))
    }

    fn rules_of_text(&self, source: &str) -> String {
        let program = Text::read(source).and_then(|text| text.check());
        program.map_or_else(|_| String::new(), |program| explain(&program).to_string())
    }
}
