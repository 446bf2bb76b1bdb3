//! Phrases for parts of the board.

use super::Speaker;
use super::nouns::{number, possessive};
use crate::board::{Region, Site};

/// Part of the board: an adjective of its sites, or a noun that they are part of. Both are empty
/// for the whole board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) adjective: String,
    pub(super) of: String,
    /// Names of single sites, listed as they are.
    pub(super) names: Vec<String>,
}

impl Part {
    fn adjective(adjective: &str) -> Part {
        Part { adjective: adjective.to_owned(), ..Part::default() }
    }

    fn of(of: impl Into<String>) -> Part {
        Part { of: of.into(), ..Part::default() }
    }
}

impl Speaker<'_> {
    /// Part of the board that a constant set covers.
    pub(super) fn part(&self, sites: &[Vec<Site>; 2]) -> Part {
        let Some(region) = self.program.said.region(sites) else {
            let name = |&site: &Site| self.program.board.names[site as usize].clone();
            return Part { names: sites[0].iter().map(name).collect(), ..Part::default() };
        };
        let (mover, object) = (&self.voice.mover, &self.voice.object);
        let pits = self.program.board.is_pits();
        match region {
            Region::Everywhere => Part::default(),
            Region::Sites(names) => Part { names: names.clone(), ..Part::default() },
            Region::Rows(low, high) => Part::of(span("row", *low, *high)),
            Region::Columns(low, high) => Part::of(span("column", *low, *high)),
            Region::Home(_) if pits => Part::of(format!("{} row", possessive(mover))),
            Region::Far(_) if pits => Part::of(format!("{} row", possessive(&self.voice.other))),
            Region::Home(n) => Part::of(format!("{} nearest to {object}", rows(*n))),
            Region::Far(n) => Part::of(format!("{} farthest from {object}", rows(*n))),
            Region::Side(side) => Part::of(format!("the {} side", compass(side))),
            Region::Edges => Part::adjective("edge"),
            Region::Corners => Part::adjective("corner"),
            Region::Center => Part::of("the middle of the board"),
            Region::Dark => Part::adjective("dark"),
            Region::Light => Part::adjective("light"),
        }
    }
}

fn rows(n: i32) -> String {
    if n == 1 { "the row".to_owned() } else { format!("the {} rows", number(i64::from(n))) }
}

fn span(what: &str, low: i32, high: i32) -> String {
    match high - low {
        0 => format!("{what} {low}"),
        1 => format!("{what}s {low} and {high}"),
        _ => format!("{what}s {low} to {high}"),
    }
}

/// Full name of a side or direction.
pub(super) fn compass(word: &str) -> &str {
    match word {
        "n" => "north",
        "ne" => "north-east",
        "e" => "east",
        "se" => "south-east",
        "s" => "south",
        "sw" => "south-west",
        "w" => "west",
        "nw" => "north-west",
        other => other,
    }
}
