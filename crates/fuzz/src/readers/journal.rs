//! Readers of journals: records of gauges, matches, tournaments and corridors, and datasets.

use std::marker::PhantomData;
use std::path::Path;

use anyhow::{Result, ensure};
use serde_json::{Value, json};
use treegauge_core::{Ended, Ending, Outcome, Player};
use treegauge_dataset::collect::{CollectPlan, DatasetHeader, Instance};
use treegauge_gauge::RecordedGame;
use treegauge_gauge::corridor::{CorridorHeader, CorridorPlan, CorridorSearch};
use treegauge_matches::{MatchGame, MatchHeader, TournamentGame, TournamentHeader};
use treegauge_store::GamesHeader;
use treegauge_store::journal::{Contents, Journal, Piece, read_header, write};

use super::Reader;

pub(super) fn all() -> Vec<Box<dyn Reader>> {
    vec![
        Box::new(Record::<RecordedGame>::new("gauge_record", gauge_lines)),
        Box::new(Record::<MatchGame>::new("match_record", match_lines)),
        Box::new(Record::<TournamentGame>::new("tournament_record", tournament_lines)),
        Box::new(Record::<Instance>::new("dataset", instance_lines)),
        Box::new(Record::<CorridorSearch>::new("corridor_record", corridor_lines)),
    ]
}

struct Record<L> {
    name: &'static str,
    /// Makes the header and the lines of the games.
    lines: fn() -> (Value, Vec<Value>),
    games: PhantomData<L>,
}

impl<L> Record<L> {
    fn new(name: &'static str, lines: fn() -> (Value, Vec<Value>)) -> Self {
        Record { name, lines, games: PhantomData }
    }
}

fn header(holds: &str, more: &Value) -> Value {
    let mut header = json!({
        "schema": 1, "holds": holds, "version": "0.1.0", "game": "tic_tac_toe(k=2)",
        "position": null, "moves": ["b2"], "seed": 1, "opening_plies": 0,
    });
    let fields = header.as_object_mut().expect("it is an object");
    fields.extend(more.as_object().expect("it is an object").clone());
    header
}

fn gauge_lines() -> (Value, Vec<Value>) {
    let fold = json!(treegauge_gauge::ShapeFold::default());
    let game = |part: &str, game: u32, more: &Value| {
        let mut line = json!({
            "part": part, "game": game, "opening": ["a1"],
            "plies": [{
                "move": "b2", "turn": Player::Second, "legal_moves": 8, "value_for_first": -0.25,
                "visits": 10,
            }],
            "ended": Ended { by: Ending::Outcome, outcome: Outcome::win_of(Player::Second) },
        });
        let fields = line.as_object_mut().expect("it is an object");
        fields.extend(more.as_object().expect("it is an object").clone());
        line
    };
    let options = json!({
        "iterations": 10, "cp": 0.5, "skill_factor": 10,
        "shape_options": treegauge_search::ShapeOptions::default(),
    });
    let games = vec![
        game("self_play", 0, &json!({ "shapes": [fold, fold] })),
        game("skill", 3, &json!({ "stronger": Player::Second })),
    ];
    (header("games of a gauge", &options), games)
}

fn one_game(game: u32, more: &Value) -> Value {
    let effort = json!({ "moves": 2, "nodes": 40, "searches": 1, "depth_sum": 3 });
    let mut line = json!({
        "game": game, "first": "a", "opening": ["a1"], "moves": ["b2", "c3"],
        "outcome": Outcome::win_of(Player::First),
        "by": Ending::Outcome, "effort": [effort, effort],
    });
    let fields = line.as_object_mut().expect("it is an object");
    fields.extend(more.as_object().expect("it is an object").clone());
    line
}

fn match_lines() -> (Value, Vec<Value>) {
    let fault = json!({ "side": "b", "kind": "no_move", "detail": "" });
    let games = vec![one_game(0, &json!({})), one_game(1, &json!({ "by": null, "fault": fault }))];
    (header(MatchHeader::HOLDS, &json!({ "a": "random", "b": "uct(iterations=5)" })), games)
}

fn tournament_lines() -> (Value, Vec<Value>) {
    let games = vec![
        one_game(0, &json!({ "players": [0, 1] })),
        one_game(0, &json!({ "players": [0, 2] })),
    ];
    (header(TournamentHeader::HOLDS, &json!({ "players": ["random", "uct", "random"] })), games)
}

fn instance_lines() -> (Value, Vec<Value>) {
    let header = DatasetHeader::of(&CollectPlan::default());
    let instance = |instance: u32| {
        json!({
            "game": "tic_tac_toe", "instance": instance, "seed": u64::MAX, "opening": [],
            "plies": [{
                "move": "b2", "turn": Player::First, "legal_moves": 9, "value_for_first": 0.5,
                "visits": 10,
            }],
            "ended": Ended { by: Ending::Capped, outcome: Outcome::Draw },
            "trees": [vec![0.25; header.features.len()]],
        })
    };
    (json!(header), vec![instance(0), instance(7)])
}

fn corridor_lines() -> (Value, Vec<Value>) {
    let search = |length: u32, merge: &str| {
        json!({
            "merge": merge, "solver": true, "iterations": 100, "length": length, "search": 7,
            "correct": true,
        })
    };
    let header = CorridorHeader::of(&CorridorPlan::default());
    (json!(header), vec![search(1, "none"), search(24, "equal")])
}

impl<L: Piece> Reader for Record<L> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn samples(&self) -> Result<Vec<Vec<u8>>> {
        let (header, lines) = (self.lines)();
        let games: Vec<L> =
            lines.into_iter().map(serde_json::from_value).collect::<Result<_, _>>()?;
        let mut whole = Vec::new();
        write(&mut whole, &header, &games)?;
        let file = tempfile::NamedTempFile::new()?;
        std::fs::write(&file, &whole)?;
        ensure!(self.read(&whole, file.path()), "the {} is refused", self.name);
        let mut empty = Vec::new();
        write::<_, L>(&mut empty, &header, &[])?;
        Ok(vec![whole, empty])
    }

    fn reseal(&self, bytes: &mut Vec<u8>) {
        const SEAL: &[u8] = b",\"crc32\":\"";
        let mut whole = Vec::with_capacity(bytes.len());
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let object = line.windows(SEAL.len()).rposition(|window| window == SEAL);
            let Some(end) = object else {
                whole.extend(line);
                continue;
            };
            whole.extend(&line[..end]);
            whole.extend(SEAL);
            let sum = crc32fast::hash(&line[..end]);
            whole.extend(format!("{sum:08x}\"}}\n").bytes());
        }
        *bytes = whole;
    }

    fn read(&self, bytes: &[u8], path: &Path) -> bool {
        let header = read_header(path).ok();
        if let Some(header) = &header {
            let value = Value::Object(header.clone());
            let _ = serde_json::from_value::<GamesHeader>(value.clone());
            let _ = serde_json::from_value::<MatchHeader>(value.clone());
            let _ = serde_json::from_value::<TournamentHeader>(value.clone());
            let _ = serde_json::from_value::<DatasetHeader>(value);
        }
        let read = Journal::<L>::read(path);
        let Some(header) = header else {
            assert!(read.is_err(), "a journal without a header has games");
            return false;
        };
        // A run with the same header can continue exactly the records that can be read. Sorting a
        // record keeps the same games.
        let opened = Journal::<L>::open(path, &header);
        assert_eq!(read.is_ok(), opened.is_ok());
        let (Ok(Contents { lines: games, .. }), Ok((journal, found))) = (read, opened) else {
            return false;
        };
        let text = |lines: &[L]| serde_json::to_string(lines).expect("games are JSON");
        assert_eq!(text(&games), text(&found));
        // Sorting waits for the disk, so only some inputs are sorted.
        if bytes.len().is_multiple_of(64) {
            journal.finish().expect("what was read can be put in order");
            let sorted = Journal::<L>::read(path).expect("what was written can be read").lines;
            assert_eq!(sorted.len(), games.len());
        }
        true
    }
}
