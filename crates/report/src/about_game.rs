//! Name and rules of a game, as pages show them.

use maud::{Markup, html as markup};
use treegauge_doc::{Block, ParagraphStyle};

use crate::boards::Boards;
use crate::show::{RulesParagraph, RulesSection};

/// Title of a game for people. `name` replaces it where the boards know none.
#[must_use]
pub fn title_of(name: &str, boards: &dyn Boards) -> String {
    Some(boards.title()).filter(|title| !title.is_empty()).unwrap_or_else(|| name.to_owned())
}

/// Heading of a page: the title of the game, then its name in commands if that differs.
pub(crate) fn heading(title: &str, name: &str) -> Block {
    let note = (title != name).then(|| Block::note(name));
    Block::PagesOnly([Block::heading(1, title)].into_iter().chain(note).collect())
}

/// Rules in words, and the origin of a published game. They are unfolded, because a reader may know
/// them from nowhere else. `None` if the boards know no rules.
pub(crate) fn rules(boards: &dyn Boards) -> Option<Block> {
    sections_of(rules_sections(boards))
}

/// Sections of rules under one heading; `None` without any.
pub(crate) fn sections_of(sections: Vec<RulesSection>) -> Option<Block> {
    let mut blocks = vec![Block::heading(2, "The rules")];
    for RulesSection { heading, paragraphs } in sections {
        blocks.extend((!heading.is_empty()).then(|| Block::heading(3, heading)));
        blocks.extend(paragraphs.into_iter().map(|paragraph| match paragraph.level {
            0 => Block::text(paragraph.text),
            _ => Block::List(ParagraphStyle::Plain, vec![paragraph.text.into()]),
        }));
    }
    (blocks.len() > 1).then_some(Block::PagesOnly(blocks))
}

/// Rules as paragraphs, each section with its heading before the first.
pub(crate) fn paragraphs_of(sections: &[RulesSection]) -> Markup {
    markup! {
        @for section in sections {
            @for (n, paragraph) in section.paragraphs.iter().enumerate() {
                p.rules.item[paragraph.level > 0] {
                    @if n == 0 && !section.heading.is_empty() { b { (section.heading) } ". " }
                    (paragraph.text)
                }
            }
        }
    }
}

/// Greatest length of rules that a sheet has whole, in bytes.
const SHEET_RULES_MAX: usize = 600;

/// Rules for a sheet of puzzles: all sections on play if they are short, else the summary of the
/// game and its end, which tells how one wins.
#[must_use]
pub fn sheet_rules(boards: &dyn Boards) -> Vec<RulesSection> {
    let without = |headings: &[&str], mut sections: Vec<RulesSection>| {
        sections.retain(|section| !headings.contains(&section.heading.as_str()));
        sections
    };
    let sections = without(&["Limits", "Options", "Origin"], rules_sections(boards));
    let paragraphs = sections.iter().flat_map(|section| &section.paragraphs);
    match paragraphs.map(|paragraph| paragraph.text.len()).sum::<usize>() {
        0..=SHEET_RULES_MAX => sections,
        _ => without(&["Board", "Pieces", "Turns", "Moves"], sections),
    }
}

/// Sections of the rules. Those of a game without a text have no heading, and its origin follows.
fn rules_sections(boards: &dyn Boards) -> Vec<RulesSection> {
    let (mut sections, short) = (boards.rules_in_words(), boards.rules());
    let has_rules = sections.iter().any(|section| section.heading != "Origin");
    if !has_rules && !short.is_empty() {
        let paragraphs = vec![RulesParagraph { level: 0, text: short }];
        sections.insert(0, RulesSection { heading: String::new(), paragraphs });
    }
    sections
}

#[cfg(test)]
pub(crate) mod tests {
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};
    use treegauge_doc::Svg;

    use super::*;
    use crate::boards::Document;
    use crate::{AlphaBetaSearchReport, ReplayReport, ReplayedGameReport, ShowReport};

    /// Boards of a game of a text, with a long section on its moves.
    pub(crate) struct OwnGame;

    impl Boards for OwnGame {
        fn title(&self) -> String {
            "Own Three".to_owned()
        }

        fn rules(&self) -> String {
            "The rules are in the file.".to_owned()
        }

        fn rules_in_words(&self) -> Vec<RulesSection> {
            let section = |heading: &str, text: String| RulesSection {
                heading: heading.to_owned(),
                paragraphs: vec![RulesParagraph { level: 0, text }],
            };
            vec![
                section("Moves", "A stone goes to an empty cell. ".repeat(30)),
                section("End", "A player wins when it makes a line.".to_owned()),
                section("Origin", "Published game: Own Three (1999).".to_owned()),
            ]
        }

        fn text(&self, _: &str) -> String {
            String::new()
        }

        fn svg(&self, _: &str) -> Svg {
            Svg::default()
        }
    }

    /// Demands that the page of a report has the title, the name, the rules and the origin of the
    /// game once each.
    #[track_caller]
    pub(crate) fn assert_named(report: &dyn Document) {
        let page = report.page(&OwnGame).replace("<wbr>", "");
        let name = format!("<h1>Own Three</h1><p class=\"note\">{}</p>", report.game().unwrap());
        for part in [
            name.as_str(),
            "<h2>The rules</h2>",
            "<h3>Moves</h3>",
            "<h3>End</h3><p>A player wins when it makes a line.</p>",
            "<h3>Origin</h3>",
        ] {
            assert_eq!(page.matches(part).count(), 1, "{part} in {page}");
        }
    }

    fn read<R: DeserializeOwned>(kind: &str, fields: Value) -> R {
        let mut report = json!({"schema": 1, "kind": kind, "game": "own.rules"});
        report.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        serde_json::from_value(report).unwrap()
    }

    #[test]
    fn pages_of_positions_and_of_records_name_the_game() {
        let shown: ShowReport = read(
            "show",
            json!({"position": ".. x", "turn": "first", "outcome": null, "ended_by": null, "margin": null, "moves": ["a1"],
                   "rules": [{"heading": "End", "paragraphs": [{"level": 0, "text": "A player wins when it makes a line."}]}]}),
        );
        assert_named(&shown);
        // A text that cannot be read any more leaves the rules of the report.
        assert!(shown.page(&crate::NoBoards).contains("<h1>own.rules</h1>"));
        assert!(shown.page(&crate::NoBoards).contains("<h3>End</h3>"));
        let searched: AlphaBetaSearchReport = read(
            "alphabeta_search",
            json!({"position": ".. x", "player": "alphabeta(depth=1)", "turn": "first", "best_move": "a1", "value": 1.0,
                   "decided": null, "plies_to_end": null, "depth": 1, "nodes": 2, "stopped": "depth",
                   "principal_variation": ["a1"]}),
        );
        assert_named(&searched);
        let record: ReplayReport = read(
            "replay",
            json!({"holds": "games of a match", "seed": 1, "position": null, "moves": [], "players": [], "games": []}),
        );
        assert_named(&record);
        let game: ReplayedGameReport = read(
            "replayed_game",
            json!({"name": "1", "first": "a", "second": "b", "outcome": "first", "plies": 1, "ended_by": "the rules",
                   "fault": null, "opening_plies": 0, "players": [],
                   "positions": [{"move": null, "position": "x. x", "turn": "first"},
                                 {"move": "n-w", "position": ".x o", "turn": "second"}]}),
        );
        assert_named(&game);
        assert!(game.page(&OwnGame).contains("plays <code>n-w</code>"));
        let text = game.doc(&OwnGame).text(treegauge_doc::TextStyle::default());
        assert!(text.contains("ply 1: the first player, a, plays n-w\n"), "{text}");
    }

    #[test]
    fn a_sheet_has_short_rules_whole_and_otherwise_the_end() {
        let headings = |boards: &dyn Boards| {
            let headings = sheet_rules(boards).into_iter().map(|section| section.heading);
            headings.collect::<Vec<_>>()
        };
        assert_eq!(headings(&OwnGame), ["End"]);
        assert!(headings(&crate::NoBoards).is_empty());

        struct Short;
        impl Boards for Short {
            fn rules(&self) -> String {
                "Three in a line win.".to_owned()
            }

            fn text(&self, _: &str) -> String {
                String::new()
            }

            fn svg(&self, _: &str) -> Svg {
                Svg::default()
            }
        }
        assert_eq!(headings(&Short), [""]);
        assert_eq!(sheet_rules(&Short)[0].paragraphs[0].text, "Three in a line win.");
        assert_eq!(title_of("three", &Short), "three");
    }
}
