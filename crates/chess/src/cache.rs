//! The answers of engines, kept in a file.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use redb::{Builder, Database, ReadableDatabase, TableDefinition, TableError};
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

/// Answers by the hash of what was asked.
const ANSWERS: TableDefinition<'_, u128, &[u8]> = TableDefinition::new("engine answers 1");

/// Answers are written in groups: this many are lost at most when the program is killed.
const UNWRITTEN_MAX: usize = 128;

/// How much of the file is held in memory.
const MEMORY_BYTES: usize = 16 << 20;

/// Why a cache cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CacheError {
    /// Another program uses it.
    #[error("{} is in use by another run", .0.display())]
    InUse(PathBuf),
    /// It is not a cache, is damaged, or cannot be read or written.
    #[error("{} cannot be used as a cache: {}", .0.display(), .1)]
    Unusable(PathBuf, Box<dyn std::error::Error + Send + Sync>),
}

/// A file of the answers of engines, so that nothing is searched twice.
///
/// It is whole at every moment: a run that is killed loses the last few answers only. One run at a time
/// may use it; the engines of a run share it.
pub struct Cache {
    path: PathBuf,
    database: Database,
    unwritten: Mutex<Unwritten>,
}

#[derive(Default)]
struct Unwritten {
    answers: HashMap<u128, Vec<u8>>,
    error: Option<CacheError>,
}

impl Cache {
    /// Opens a cache, or creates it.
    ///
    /// # Errors
    ///
    /// When another run uses it, or the file is something else.
    pub fn open(path: &Path) -> Result<Cache, CacheError> {
        let database = Builder::new().set_cache_size(MEMORY_BYTES).create(path).map_err(
            |error| match error {
                redb::DatabaseError::DatabaseAlreadyOpen => CacheError::InUse(path.into()),
                other => CacheError::Unusable(path.into(), other.into()),
            },
        )?;
        Ok(Cache { path: path.into(), database, unwritten: Mutex::default() })
    }

    /// What was answered before. An answer that cannot be read counts as none.
    pub(crate) fn get<A: DeserializeOwned>(&self, question: u128) -> Option<A> {
        let unwritten = self.unwritten().answers.get(&question).cloned();
        let answer = unwritten.or_else(|| self.read(question).ok().flatten())?;
        serde_json::from_slice(&answer).ok()
    }

    pub(crate) fn put<A: Serialize>(&self, question: u128, answer: &A) {
        let answer = serde_json::to_vec(answer).expect("an answer is plain data");
        let mut unwritten = self.unwritten();
        unwritten.answers.insert(question, answer);
        if unwritten.answers.len() >= UNWRITTEN_MAX {
            self.write(&mut unwritten);
        }
    }

    /// Writes what is not written yet.
    ///
    /// # Errors
    ///
    /// When it, or anything before it, could not be written. The answers themselves were right.
    pub fn finish(&self) -> Result<(), CacheError> {
        let mut unwritten = self.unwritten();
        self.write(&mut unwritten);
        unwritten.error.take().map_or(Ok(()), Err)
    }

    fn unwritten(&self) -> MutexGuard<'_, Unwritten> {
        self.unwritten.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, question: u128) -> Result<Option<Vec<u8>>, redb::Error> {
        let table = match self.database.begin_read()?.open_table(ANSWERS) {
            Err(TableError::TableDoesNotExist(_)) => return Ok(None),
            table => table?,
        };
        Ok(table.get(question)?.map(|answer| answer.value().to_vec()))
    }

    fn write(&self, unwritten: &mut Unwritten) {
        let answers = std::mem::take(&mut unwritten.answers);
        if answers.is_empty() {
            return;
        }
        let write = || -> Result<(), redb::Error> {
            let transaction = self.database.begin_write()?;
            {
                let mut table = transaction.open_table(ANSWERS)?;
                for (question, answer) in &answers {
                    table.insert(question, answer.as_slice())?;
                }
            }
            Ok(transaction.commit()?)
        };
        if let Err(error) = write() {
            let error = CacheError::Unusable(self.path.clone(), error.into());
            unwritten.error.get_or_insert(error);
        }
    }
}

impl Drop for Cache {
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::Analysis;
    use treegauge_difficulty::Value;

    fn answer(best: &str) -> Analysis {
        Analysis {
            lines: vec![(best.to_owned(), Value::Score(0.1)), ("a2a3".to_owned(), Value::Loses(2))],
            lines_max: None,
            best_by_depth: vec![best.to_owned()],
        }
    }

    #[test]
    fn answers_are_kept_written_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers");
        let cache = Cache::open(&path).unwrap();
        for question in 0..200 {
            cache.put(question, &answer(&question.to_string()));
        }
        assert_eq!((cache.get(3), cache.get(199)), (Some(answer("3")), Some(answer("199"))));
        assert!(matches!(Cache::open(&path), Err(CacheError::InUse(_))));
        drop(cache);
        let cache = Cache::open(&path).unwrap();
        assert_eq!((cache.get(199), cache.get::<Analysis>(200)), (Some(answer("199")), None));
        cache.finish().unwrap();
    }

    #[test]
    fn another_file_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notes");
        for text in ["my notes\n".repeat(10), "my notes\n".repeat(10_000)] {
            std::fs::write(&path, &text).unwrap();
            let error = Cache::open(&path).map(|_| ()).unwrap_err();
            assert!(error.to_string().contains("cannot be used as a cache"), "{error}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
    }
}
