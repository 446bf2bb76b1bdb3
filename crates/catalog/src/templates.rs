//! Texts of built-in games in the language of `rules`, as templates for new games.

use thiserror::Error;

use crate::{Family, GameSpec, SpecError};

/// Built-in game and the text that describes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Template {
    /// Game, as parsed by [`GameSpec::parse`].
    pub game: &'static str,
    /// Name of the text in `testdata/rules`.
    pub text: &'static str,
    source: &'static str,
    /// Options of the text, each with the parameters of the game that must have its value.
    options: &'static [(&'static str, &'static [&'static str])],
}

macro_rules! templates {
    ($($game:literal => $text:literal $($option:literal = $parameters:expr)*;)+) => {
        /// All templates, in the order of lists for users.
        pub static TEMPLATES: &[Template] = &[$(Template {
            game: $game,
            text: $text,
            source: include_str!(concat!("../data/rules/", $text, ".rules")),
            options: &[$(($option, &$parameters)),*],
        },)+];
    };
}

templates! {
    "tic_tac_toe" => "tic_tac_toe";
    "wild_tic_tac_toe" => "wild_tic_tac_toe";
    "connect_four" => "connect_four";
    "qubic" => "qubic";
    "achi" => "achi";
    "othello" => "othello";
    "othello(adjacent=true)" => "othello_adjacent";
    "breakthrough" => "breakthrough";
    "checkers" => "checkers";
    "checkers(kings=true)" => "checkers_kings";
    "alquerque" => "alquerque";
    "dots_and_boxes" => "dots_and_boxes";
    "forms" => "forms";
    "isolation" => "isolation";
    "isolation(piece=queen)" => "isolation_queen";
    "isolation(piece=king_remove)" => "isola";
    "kalah" => "kalah";
    "nine_mens_morris" => "nine_mens_morris";
    "nine_mens_morris(flying=true)" => "nine_mens_morris_flying";
    "oware" => "oware";
    "mnk" => "mnk" "width" = ["cols"] "height" = ["rows"] "k" = ["k1", "k2"];
    "mnk(rows=3,cols=3,k=3,wrap=true)" => "mnk_wrap";
    "mnk(rows=4,cols=4,k=3,dirs1=orthogonal,first2=2,misere=true)" => "mnk_options"
        "width" = ["cols"] "height" = ["rows"] "k1" = ["k1"] "k2" = ["k2"];
}

/// Families without a template, each with the reason.
pub static FAMILIES_WITHOUT_TEMPLATE: &[(&str, &str)] = &[
    ("alak", "the ends of its row capture as stones do, which the language cannot express"),
    ("dipole", "its pieces form stacks, which the language does not have"),
    ("dots_corridor", "it is a test of searches; `dots_and_boxes` has the same rules"),
    ("finger_game", "its hands count fingers; the language has only pieces on a board"),
    ("one_to_ten", "it counts a number; the language has only pieces on a board"),
];

/// Reason that a game has no text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// The text of the game cannot be parsed.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The language cannot express games of this family.
    #[error("`{game}` has no text: {reason}")]
    NotSaid {
        /// Name of the family.
        game: String,
        /// Reason that the language cannot express it.
        reason: String,
    },
    /// The family has templates, but not for these values.
    #[error("`{game}` has no text; begin with {} and change it", list(known))]
    OtherValues {
        /// Text of the game.
        game: String,
        /// Games of the family that have a template.
        known: Vec<String>,
    },
    /// The game is already described by a text.
    #[error("`{file}` is a text already; copy the file")]
    IsText {
        /// Path of the file.
        file: String,
    },
}

fn list(known: &[String]) -> String {
    let quoted: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(" or ")
}

/// Text that describes a built-in game or one of the library, with a comment that names the game.
///
/// # Errors
///
/// When the game does not exist, or has no text.
///
/// ```
/// let text = treegauge_catalog::template("mnk(rows=6,cols=7,k=4)").unwrap();
/// assert!(text.contains("(options (width 7 1 19) (height 6 1 19) (k 4 1 19))"));
/// ```
pub fn template(game: &str) -> Result<String, TemplateError> {
    let spec = GameSpec::parse(game)?;
    let family: &Family = spec.family();
    if family.name == crate::TEXT_FAMILY.name {
        return Err(TemplateError::IsText { file: spec.to_string() });
    }
    if let Some(game) = spec.library_game() {
        let value = |option: &'static str| (option.to_owned(), spec.args().whole(option) as i32);
        let values: Vec<(String, i32)> = game.options().map(value).collect();
        return Ok(game.template(&values).expect("the text has these options"));
    }
    if let Some((_, reason)) =
        FAMILIES_WITHOUT_TEMPLATE.iter().find(|(name, _)| *name == family.name)
    {
        return Err(TemplateError::NotSaid {
            game: family.name.to_owned(),
            reason: (*reason).to_owned(),
        });
    }
    let found = TEMPLATES.iter().find_map(|template| template.of(&spec));
    found.ok_or_else(|| {
        let of_family = |template: &&Template| template.spec().family().name == family.name;
        let known = TEMPLATES.iter().filter(of_family).map(|template| template.game.to_owned());
        TemplateError::OtherValues { game: spec.to_string(), known: known.collect() }
    })
}

impl GameSpec {
    /// Title of the game for people: `Connect Four (cols=5, rows=4)`. For a game described by a text
    /// its name in the text, and for one of the library also the values of its options.
    ///
    /// ```
    /// use treegauge_catalog::GameSpec;
    ///
    /// let title = |text| GameSpec::parse(text).unwrap().title();
    /// assert_eq!(title("tic_tac_toe"), "Tic-tac-toe");
    /// assert_eq!(title("one_to_ten(target=20)"), "One to ten (target=20)");
    /// assert_eq!(title("konane(size=6)"), "Konane (size=6)");
    /// ```
    #[must_use]
    pub fn title(&self) -> String {
        let (name, canonical) = (self.family().name, self.to_string());
        if let Some(program) = self.program() {
            let values = match self.library_game() {
                Some(_) => canonical[name.len()..].replace(',', ", "),
                None => String::new(),
            };
            return format!("{} {values}", program.name()).trim_end().to_owned();
        }
        let exact = TEMPLATES.iter().find(|template| template.spec().canonical() == canonical);
        if let Some(exact) = exact {
            return exact.title();
        }
        // A text with options, or one of several of a family, has a title of its own.
        let mut own = TEMPLATES.iter().filter(|one| one.spec().family().name == name);
        let title = match (own.next(), own.next()) {
            (Some(only), None) if only.options.is_empty() => only.title(),
            _ => capitalized(name),
        };
        let values = canonical[name.len()..].replace(',', ", ");
        format!("{title} {values}").trim_end().to_owned()
    }
}

/// Name of a family as a title: `dots_corridor` is `Dots corridor`.
fn capitalized(name: &str) -> String {
    let words = name.replace('_', " ");
    let mut signs = words.chars();
    let first = signs.next().map(|sign| sign.to_ascii_uppercase());
    first.into_iter().chain(signs).collect()
}

impl Template {
    /// Title of the game in the text.
    #[must_use]
    pub fn title(&self) -> String {
        let text = treegauge_rules::Text::read(self.source).and_then(|text| text.check());
        text.map_or_else(|_| self.game.to_owned(), |program| program.name().to_owned())
    }

    fn spec(&self) -> GameSpec {
        GameSpec::parse(self.game).expect("the table has games of the catalog")
    }

    /// Text for a game; `None` unless it is this game or differs only in options of the text.
    fn of(&self, spec: &GameSpec) -> Option<String> {
        let own = self.spec();
        if own.family().name != spec.family().name {
            return None;
        }
        // The game of the text with the requested options must be the requested game.
        let shared: Vec<&str> =
            self.options.iter().flat_map(|(_, names)| *names).copied().collect();
        let arguments: Vec<String> = own
            .family()
            .all_parameters()
            .map(|parameter| {
                let from = if shared.contains(&parameter.name) { spec } else { &own };
                format!("{}={}", parameter.name, from.args().text(parameter.name))
            })
            .collect();
        let wanted = format!("{}({})", own.family().name, arguments.join(","));
        if GameSpec::parse(&wanted).ok()?.canonical() != spec.canonical() {
            return None;
        }
        let mut values = Vec::new();
        for (option, parameters) in self.options {
            let value = spec.args().text(parameters[0]);
            if parameters.iter().any(|parameter| spec.args().text(parameter) != value) {
                return None;
            }
            values.push(((*option).to_owned(), value.parse().ok()?));
        }
        let text = treegauge_rules::with_defaults(self.source, &values)?;
        // The source belongs to the text in the table, not to changed versions of it.
        let text: String =
            text.split_inclusive('\n').filter(|line| !line.starts_with("; Source:")).collect();
        Some(format!("; The rules of the built-in game {spec}.\n{text}"))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::FAMILIES;

    fn testdata() -> std::path::PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata")
    }

    #[test]
    fn the_table_has_the_texts_of_the_table_of_counts() {
        let table = std::fs::read_to_string(testdata().join("rules.tsv")).unwrap();
        let mut texts: Vec<&str> = Vec::new();
        for line in table.lines().filter(|line| !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            // The drawn board of Achi is only for the counts.
            if columns[0] == "graph" || columns[1] != "-" {
                continue;
            }
            let template = TEMPLATES.iter().find(|template| template.text == columns[0]);
            let template = template.unwrap_or_else(|| panic!("{} is missing", columns[0]));
            let counted = GameSpec::parse(columns[2]).unwrap().canonical();
            assert_eq!(template.spec().canonical(), counted);
            texts.push(columns[0]);
        }
        assert_eq!(texts.len(), TEMPLATES.len());
        for template in TEMPLATES {
            let path = testdata().join("rules").join(format!("{}.rules", template.text));
            assert_eq!(
                template.source,
                std::fs::read_to_string(path).unwrap(),
                "{}",
                template.text
            );
        }
    }

    #[test]
    fn every_family_has_a_text_or_a_reason() {
        for family in FAMILIES {
            let has = TEMPLATES.iter().any(|template| template.spec().family().name == family.name);
            let without = FAMILIES_WITHOUT_TEMPLATE.iter().any(|(name, _)| *name == family.name);
            assert!(has != without, "{}", family.name);
            assert_eq!(template(family.name).is_ok(), has, "{}", family.name);
        }
    }

    #[test]
    fn a_text_is_the_game_that_was_asked_for() {
        use crate::tests::Perft;

        let others = [
            "mnk(rows=4,cols=6,k=3)",
            "mnk(rows=5,cols=6,k1=4,k2=3,dirs1=orthogonal,first2=2,misere=true)",
        ];
        for game in TEMPLATES.iter().map(|template| template.game).chain(others) {
            let text = template(game).unwrap();
            let name = GameSpec::parse(game).unwrap().canonical();
            assert!(text.starts_with(&format!("; The rules of the built-in game {name}.\n")));
            assert!(!text.contains("Source"), "{text}");
            let spec = GameSpec::parse_with("new.rules", &mut |_| Ok(text.clone())).unwrap();
            let expected = GameSpec::parse(game).unwrap().with_game(Perft(2)).unwrap();
            assert_eq!(spec.with_game(Perft(2)).unwrap(), expected, "{game}");
        }
    }

    #[test]
    fn a_game_without_a_text_has_a_reason() {
        let said = |game: &str| template(game).unwrap_err().to_string();
        assert_eq!(
            said("alak"),
            "`alak` has no text: the ends of its row capture as stones do, which the language cannot express"
        );
        assert_eq!(
            said("checkers(kings=false,size=10)").split(';').next_back(),
            said("checkers(size=6)").split(';').next_back()
        );
        assert_eq!(
            said("kalah(houses=4)"),
            "`kalah(houses=4)` has no text; begin with `kalah` and change it"
        );
        assert_eq!(said("my.rules"), "`my.rules` is a text already; copy the file");
        assert!(said("brakthrough").contains("breakthrough"));
    }
}
