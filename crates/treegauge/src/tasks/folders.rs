//! Folders that hold the work of a run: a dataset, or the candidates of `generate`.

use std::fs;
use std::path::{Path, PathBuf};

use treegauge_generate::{GenerateReport, Origin};

use super::Context;
use crate::places::holds_other;
use crate::{
    Error, FileKind, OutputFile, Places, dataset_files, edited_texts, generated_files, make_folder,
    not_ours,
};

/// Makes the folder of a dataset. Only files of a dataset may be replaced there.
pub(super) fn make_dataset(folder: &Path, places: &Places) -> Result<(), Error> {
    if folder.join(generated_files::JOURNAL).exists() {
        return Err(holds_other(folder, "a run of `generate`"));
    }
    make_folder(folder)?;
    places.to_extend(&folder.join(dataset_files::JOURNAL))?;
    let kinds = [
        FileKind::TreeTable,
        FileKind::Parquet,
        FileKind::InstanceTable,
        FileKind::Parquet,
        FileKind::PlayerGameTable,
        FileKind::Parquet,
        FileKind::Schema,
    ];
    for (name, kind) in dataset_files::TABLES.into_iter().zip(kinds) {
        places.to_write(&folder.join(name), kind)?;
    }
    Ok(())
}

/// The reason for not replacing a text in the folder of a run.
const NOT_WRITTEN: &str =
    "the text there is not the one that this program writes; move it elsewhere to keep it";

/// The folder of a run of `generate`.
#[derive(Debug)]
pub(super) struct GeneratedFolder<'a> {
    folder: &'a Path,
    places: &'a Places,
    report: OutputFile,
}

impl<'a> GeneratedFolder<'a> {
    /// Makes the folder. Only files of a run may be replaced there, and no text that was edited.
    pub(super) fn make(folder: &'a Path, places: &'a Places) -> Result<Self, Error> {
        if folder.join(dataset_files::JOURNAL).exists() {
            return Err(holds_other(folder, "a dataset"));
        }
        make_folder(folder)?;
        places.to_extend(&folder.join(generated_files::JOURNAL))?;
        if let (false, Some(edited)) = (places.is_replacing(), edited_texts(folder)?.first()) {
            return Err(not_ours(edited, NOT_WRITTEN));
        }
        let report =
            places.to_write(&folder.join(generated_files::REPORT), FileKind::Generation)?;
        Ok(GeneratedFolder { folder, places, report })
    }

    /// Writes the report, the best games and their parents.
    pub(super) fn write(
        &self,
        report: &GenerateReport,
        context: &Context<'_>,
    ) -> Result<(), Error> {
        self.report.write(&format!("{}\n", context.echoed(report)?))?;
        if report.best.is_empty() {
            return Ok(());
        }
        make_folder(&self.best_games())?;
        for game in &report.best {
            self.write_text(&self.best(game.game), &game.source)?;
        }
        make_folder(&self.folder.join(generated_files::PARENTS))?;
        let mut done: Vec<Origin> = Vec::new();
        for game in &report.best {
            let is_parent = |origin: &Origin| game.parents.contains(origin);
            for one in game.lineage.iter().filter(|one| is_parent(&one.game)) {
                if !done.contains(&one.game) {
                    self.write_text(&self.parent(one.game), &one.source)?;
                    done.push(one.game);
                }
            }
        }
        Ok(())
    }

    /// The folder of the best games.
    pub(super) fn best_games(&self) -> PathBuf {
        self.folder.join(generated_files::BEST)
    }

    /// The file of one of the best games.
    pub(super) fn best(&self, game: Origin) -> PathBuf {
        self.best_games().join(format!("{game}.rules"))
    }

    /// The file of a parent of one of them.
    pub(super) fn parent(&self, game: Origin) -> PathBuf {
        self.folder.join(generated_files::PARENTS).join(format!("{game}.rules"))
    }

    /// Writes a text, unless the file has it already.
    fn write_text(&self, path: &Path, source: &str) -> Result<(), Error> {
        let output = self.places.to_write(path, FileKind::Rules)?;
        let len = fs::metadata(path).map_or(0, |there| there.len());
        if len > 0 {
            if fs::read(path).is_ok_and(|there| there == source.as_bytes()) {
                return Ok(());
            }
            if !self.places.is_replacing() {
                return Err(not_ours(path, NOT_WRITTEN));
            }
        }
        output.write(source)
    }
}
