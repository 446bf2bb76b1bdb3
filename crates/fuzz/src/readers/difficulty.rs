//! Readers of puzzle files, tables of rated puzzles, rating models and caches of engine answers.

use std::path::Path;

use anyhow::{Result, ensure};
use treegauge_core::ReportHeader;
use treegauge_difficulty::chess::{Cache, Puzzles, facts};
use treegauge_difficulty::{RatedProblems, RatingModelReport, Tree, TreeSettings};
use treegauge_report::{Document, NoBoards};

use super::Reader;
use treegauge::{StoredRatingModel, puzzle_attribute_names, rating_model_file};

/// Readers of this module.
pub(super) fn all() -> Vec<Box<dyn Reader>> {
    vec![Box::new(PuzzleFile), Box::new(Table), Box::new(Stored), Box::new(Answers)]
}

struct PuzzleFile;

impl Reader for PuzzleFile {
    fn name(&self) -> &'static str {
        "puzzles"
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        let table = "PuzzleId,FEN,Moves,Rating,GameUrl\n\
             9eZCm,8/5p1p/6p1/4p1k1/4P3/1K3PP1/7P/8 b - - 0 44,f7f5 b3c4 f5e4 f3e4 g5g4 c4d5,2361,https://lichess.org/KPq4H66x/black#88\n";
        let epd = "# two\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id \"back rank\";\n\
             r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4 pv Qxf7#;\n";
        let lines = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1, 1. Rd7 h6 2. Rd8+\n\
             6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1|a name|Rd1-d8#!|1. e4 e5\n\
             8/P6k/8/8/8/8/8/K7 w - -; bm a8=q a7a8R; id A.02\0\n";
        let pgn = "[Event \"a \\\"name\\\"\"]\n[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\"]\n\n\
             1. Rd7 $1 {a {comment} (1. Rd8#) 1... h6 ; the rest\n2. Rd8+ Kh7 *\n";
        let samples: Vec<Vec<u8>> = [table, epd, lines, pgn].map(|text| text.into()).into();
        for sample in &samples {
            ensure!(self.read(sample, Path::new("")), "a file of puzzles is refused");
        }
        Ok(samples)
    }

    fn read(&self, bytes: &[u8], _: &Path) -> bool {
        let Ok(puzzles) = Puzzles::open(bytes) else { return false };
        let mut all_good = true;
        for row in puzzles {
            match row {
                Err(error) => {
                    assert!(error.line > 0 && !error.problem.is_empty());
                    all_good = false;
                }
                Ok(puzzle) => {
                    let facts = facts(&puzzle.position, puzzle.before.as_ref(), &puzzle.solution);
                    assert!(facts.iter().all(|fact| fact.is_finite()));
                    assert!(puzzle.position.svg().ends_with("</svg>\n"));
                }
            }
        }
        all_good
    }
}

struct Table;

impl Reader for Table {
    fn name(&self) -> &'static str {
        "puzzle table"
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        let names = puzzle_attribute_names();
        let mut text = format!(
            "id,fen,given_rating,game,solution,engine,engine_options,depth,multipv,w,m,strict_mate,nodes_max,distances,\"{}\"\n",
            names.join("\",\"")
        );
        for n in 0..100 {
            let values = names.iter().map(|_| format!(",{}", n % 7));
            text += &format!(
                "{n},8/8 w - -,{},,Qxf7#,Fake,,10,adaptive,143,36,false,60,per_move",
                1_000 + n
            );
            text.extend(values);
            text.push('\n');
        }
        let sample = text.into_bytes();
        ensure!(self.read(&sample, Path::new("")), "a table is refused");
        Ok(vec![sample])
    }

    fn read(&self, bytes: &[u8], _: &Path) -> bool {
        let Ok(read) = RatedProblems::read(bytes) else { return false };
        let width = puzzle_attribute_names().len();
        for problem in &read.problems {
            assert!(problem.rating.is_finite() && problem.attributes.len() == width);
        }
        true
    }
}

/// Reader of caches of engine answers.
struct Answers;

/// An answer as a run writes it.
const ANSWER: &str = r#"c4796630ccd79c6c 7ea9fec458a55ae466d28f9c50e8274d {"lines":[["b6b7",{"wins":1}]],"best_by_depth":["b6b7","b6b7","b6b7","b6b7"]}"#;

impl Reader for Answers {
    fn name(&self) -> &'static str {
        "engine answers"
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        let sample = format!("treegauge engine answers 2\n{ANSWER}\n").into_bytes();
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(file.path(), &sample)?;
        let is_whole = Cache::open(file.path())?.mended().is_none();
        ensure!(is_whole, "an answer is refused");
        Ok(vec![sample])
    }

    /// Opening a damaged cache mends it once: a second opening finds nothing to mend. A file that
    /// is not a cache stays as it was.
    fn read(&self, bytes: &[u8], path: &Path) -> bool {
        let Ok(cache) = Cache::open(path) else {
            assert_eq!(std::fs::read(path).expect("it is there"), bytes, "it is somebody else's");
            return false;
        };
        let is_whole = cache.mended().is_none();
        drop(cache);
        let mended = std::fs::read(path).expect("it is there");
        let again = Cache::open(path).expect("it is a cache now");
        assert_eq!(again.mended(), None);
        drop(again);
        assert_eq!(std::fs::read(path).expect("it is there"), mended);
        is_whole
    }
}

struct Stored;

/// A rating model without trees.
const MODEL: &str = r#"{"schema":1,"kind":"difficulty_model","name":"sample","version":"0.1.0","measured":{"engine":"Fake","depth":10,"multi_pv":"adaptive","settings":{"levels":5,"win":143.0,"margin":36.0,"strict_mate":false,"first_moves":8,"lost_moves_may_seem_good":false,"nodes_max":60},"distances":"per_move"},"known":[3,70000],"predictors":[{"evidence":"engine",PREDICTOR},{"evidence":"position",PREDICTOR}]}"#;
const PREDICTOR: &str = r#""attributes":["TreeSize","PossibleMoves(1)"],"model":{"linear":{"weights":[10.0,-3.0],"bias":1500.0,"link":"identity"}},"spread":{"bins":[{"middle":1400.0,"errors":[-200.0,0.0,180.0]},{"middle":1700.0,"errors":[-90.0,10.0,300.0]}]},"lenders":[[3.0,20.0],[9.0,31.0]],"scores":{"problems":100,"games":99,"mean_absolute_error":SCORE,"rank_correlation":SCORE,"r_squared":SCORE,"coverage":SCORE,"interval_width":500.0,"extremes_auc":null}"#;
const SCORE: &str = r#"{"mean":0.5,"low":0.4,"high":0.6}"#;

impl Reader for Stored {
    fn name(&self) -> &'static str {
        "difficulty model"
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        let predictor = PREDICTOR.replace("SCORE", SCORE);
        let text = MODEL.replace("PREDICTOR", &predictor);
        let stored = StoredRatingModel::parse(text.as_bytes())?;
        let samples = vec![text.into_bytes(), rating_model_file(&stored.model, true)];
        for sample in &samples {
            ensure!(self.read(sample, Path::new("")), "a model is refused");
        }
        Ok(samples)
    }

    fn read(&self, bytes: &[u8], _: &Path) -> bool {
        let Ok(stored) = StoredRatingModel::parse(bytes) else { return false };
        let report = RatingModelReport { head: ReportHeader::NEW, model: stored.card() };
        assert!(!report.doc(&NoBoards).blocks.is_empty());
        let values: Vec<Option<f64>> =
            puzzle_attribute_names().iter().map(|name| Some(name.len() as f64)).collect();
        let tree = Tree {
            settings: TreeSettings::default(),
            nodes: Vec::new(),
            first_moves: Vec::new(),
            capped: false,
            material: None,
        };
        let found = stored.model.predict(Some(&tree), &values, &[], 3);
        assert!(found.is_some_and(|(_, reasons)| reasons.len() <= 3));
        true
    }
}
