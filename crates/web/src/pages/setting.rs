//! Address of a game in progress: the fields of its query.

use serde_json::{Map, Value, json};
use treegauge::PlayerSpec;
use treegauge::board::Side;

use super::query;
use crate::answer::Refusal;
use crate::route::{PlayView, Route};
use crate::task_form::sentence;
use crate::worker::At;

/// Word for a person who chooses the moves.
pub(crate) const HUMAN: &str = "human";

/// Players of a new game.
const SEATS: [&str; 2] = [HUMAN, "uct(iterations=2000)"];

/// The greatest number of moves and characters of an address.
const LINE_MAX: usize = 4_000;

/// Whether a page shows something that takes a while to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aid {
    /// It does not.
    Off,
    /// Scripts fetch it after the page.
    On,
    /// It is part of the page.
    Now,
}

impl Aid {
    fn of(text: Option<&str>, default: Aid) -> Aid {
        match text {
            Some("on") => Aid::On,
            Some("now") => Aid::Now,
            Some("off") => Aid::Off,
            _ => default,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Aid::Off => "off",
            Aid::On => "on",
            Aid::Now => "now",
        }
    }
}

/// The address of a game in progress.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Setting {
    pub(crate) game: String,
    pub(crate) position: Option<String>,
    pub(crate) moves: Vec<String>,
    /// Number of moves before the position that is shown; `None` for all.
    pub(crate) ply: Option<usize>,
    pub(crate) seed: u64,
    pub(crate) seats: [String; 2],
    pub(crate) is_flipped: bool,
    pub(crate) hints: Aid,
    pub(crate) history: Aid,
}

impl Setting {
    /// Reads a query. Fields of the form of players and of typed moves are read elsewhere.
    pub(crate) fn of(game: &str, fields: &[(String, String)]) -> Result<Setting, Refusal> {
        let value = |name: &str| {
            let given =
                |(field, value): &&(String, String)| field == name && !value.trim().is_empty();
            fields.iter().rev().find(given).map(|(_, value)| value.trim())
        };
        let number = |name: &'static str| match value(name).map(str::parse::<u64>) {
            None => Ok(None),
            Some(Ok(number)) => Ok(Some(number)),
            Some(Err(_)) => {
                let error = format!("`{name}` must be a whole number.");
                Err(Refusal { field: Some(name.to_owned()), ..Refusal::new(400, error) })
            }
        };
        let seat = |name: &str, default: &str| {
            let other = value(&format!("{name}_other"));
            other.or(value(name)).unwrap_or(default).to_owned()
        };
        let moves = value("moves").unwrap_or_default();
        let moves = moves.split_whitespace().map(|text| text.trim_end_matches(','));
        let moves: Vec<String> = moves.filter(|text| !text.is_empty()).map(str::to_owned).collect();
        if moves.len() > LINE_MAX {
            return Err(Refusal::new(400, "An address has up to 4,000 moves."));
        }
        let setting = Setting {
            game: game.to_owned(),
            position: value("position").map(str::to_owned),
            moves,
            ply: number("ply")?.map(|ply| ply as usize),
            seed: number("seed")?.unwrap_or(1),
            seats: [seat("first", SEATS[0]), seat("second", SEATS[1])],
            is_flipped: value("flip") == Some("true"),
            hints: Aid::of(value("hints"), Aid::Off),
            history: Aid::of(value("history"), Aid::On),
        };
        for (seat, name) in setting.seats.iter().zip(["first", "second"]) {
            if seat != HUMAN
                && let Err(error) = PlayerSpec::parse(seat)
            {
                let error = sentence(&error.to_string());
                return Err(Refusal { field: Some(name.to_owned()), ..Refusal::new(400, error) });
            }
        }
        Ok(setting)
    }

    /// The position that the address is about.
    pub(crate) fn at(&self) -> At {
        let (game, position) = (self.game.clone(), self.position.clone());
        At { game, position, moves: self.moves.clone() }
    }

    /// The moves up to the position that is shown, and the position.
    pub(crate) fn here(&self) -> At {
        self.at().until(self.ply.unwrap_or(usize::MAX))
    }

    /// The same game with other moves, shown at their end.
    pub(crate) fn with_moves(&self, moves: Vec<String>) -> Setting {
        Setting { moves, ply: None, ..self.clone() }
    }

    /// The same game after one more move from the position that is shown.
    pub(crate) fn after(&self, m: &str) -> Setting {
        let mut moves = self.here().moves;
        moves.push(m.to_owned());
        self.with_moves(moves)
    }

    /// The same game, shown after some moves.
    pub(super) fn at_ply(&self, ply: usize) -> Setting {
        Setting { ply: (ply < self.moves.len()).then_some(ply), ..self.clone() }
    }

    /// Fields that differ from those of a new game.
    pub(super) fn fields(&self) -> Vec<(&'static str, String)> {
        let mut fields = Vec::new();
        fields.extend(self.position.clone().map(|position| ("position", position)));
        if !self.moves.is_empty() {
            fields.push(("moves", self.moves.join(" ")));
        }
        fields.extend(self.ply.map(|ply| ("ply", ply.to_string())));
        if self.seed != 1 {
            fields.push(("seed", self.seed.to_string()));
        }
        for (n, name) in ["first", "second"].into_iter().enumerate() {
            if self.seats[n] != SEATS[n] {
                fields.push((name, self.seats[n].clone()));
            }
        }
        if self.is_flipped {
            fields.push(("flip", "true".to_owned()));
        }
        if self.hints != Aid::Off {
            fields.push(("hints", self.hints.name().to_owned()));
        }
        if self.history != Aid::On {
            fields.push(("history", self.history.name().to_owned()));
        }
        fields
    }

    /// Address of a view.
    pub(crate) fn link_of(&self, view: PlayView) -> String {
        let path = Route::Play(self.game.clone(), view).link();
        let fields = self.fields();
        let fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        if fields.is_empty() { path } else { format!("{path}?{}", query(&fields)) }
    }

    /// Address of the page.
    pub(crate) fn link(&self) -> String {
        self.link_of(PlayView::Page)
    }

    /// Address that also has a player answer, without scripts.
    pub(crate) fn answered_link(&self) -> String {
        let link = self.link();
        let joint = if link.contains('?') { '&' } else { '?' };
        format!("{link}{joint}answer=yes")
    }

    /// The player of a side; `None` if it is a person.
    pub(crate) fn player(&self, side: Side) -> Option<&str> {
        Some(self.seats[side.index()].as_str()).filter(|seat| *seat != HUMAN)
    }

    /// A task about the position.
    pub(crate) fn task(&self, command: &str, more: &[(&str, Value)]) -> Map<String, Value> {
        let mut task = Map::new();
        task.insert("command".to_owned(), command.into());
        let At { position, moves, .. } = self.here();
        task.extend(position.map(|position| ("position".to_owned(), position.into())));
        if !moves.is_empty() {
            task.insert("moves".to_owned(), moves.join(" ").into());
        }
        task.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        task
    }

    /// The task whose report is the data of the page.
    pub(crate) fn shown_task(&self) -> Map<String, Value> {
        self.task("show", &[("game", json!(self.game)), ("cells", json!(true))])
    }
}
