//! Published games whose rules are texts of the program.
//!
//! `data/library` has a text for each game. The comments before its `(game` are facts, one a line:
//! `; goal: a pawn on the far row`. A line that begins with `;` and more than one space continues
//! the fact before it.

use std::sync::{LazyLock, OnceLock};

use treegauge_grammar::{Parameter, Values};
use treegauge_rules::Text;

use crate::text_game::TEXT_FAMILY;
use crate::{Family, Origin};

/// Published game whose rules are a text of the program.
#[derive(Debug)]
pub struct LibraryGame {
    /// Name in texts.
    pub name: &'static str,
    /// Other names.
    pub aliases: Vec<&'static str>,
    /// Name for people, as the text states it.
    pub title: &'static str,
    /// Group in lists.
    pub group: LibraryGroup,
    /// Goal of the players in a few words.
    pub goal: &'static str,
    /// Year of the first publication, or the tradition that the game comes from.
    pub year: &'static str,
    /// Inventor; `None` if the game has none or the inventor is unknown.
    pub author: Option<&'static str>,
    /// Publication that states the rules.
    pub source: &'static str,
    /// Difference between the text and the published rules; `None` if there is none.
    pub differs: Option<&'static str>,
    /// Text of the rules.
    pub text: &'static str,
    family: OnceLock<Family>,
}

/// Group of games in lists for users.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum LibraryGroup {
    /// Lines and patterns.
    Lines,
    /// Chains that connect sides.
    Connection,
    /// Games that are lost by a player who cannot move.
    Blocking,
    /// Races to a goal.
    Race,
    /// Captures and majorities.
    Capture,
    /// Unequal sides: hunts and sieges.
    Hunt,
    /// Sowing.
    Sowing,
}

impl LibraryGroup {
    /// Groups in the order of lists.
    pub const ALL: [LibraryGroup; 7] = [
        LibraryGroup::Lines,
        LibraryGroup::Connection,
        LibraryGroup::Blocking,
        LibraryGroup::Race,
        LibraryGroup::Capture,
        LibraryGroup::Hunt,
        LibraryGroup::Sowing,
    ];

    /// Name of the group.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            LibraryGroup::Lines => "lines",
            LibraryGroup::Connection => "connection",
            LibraryGroup::Blocking => "blocking",
            LibraryGroup::Race => "race",
            LibraryGroup::Capture => "capture",
            LibraryGroup::Hunt => "hunt",
            LibraryGroup::Sowing => "sowing",
        }
    }
}

macro_rules! library {
    ($($name:literal)+) => {
        const TEXTS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../data/library/", $name, ".rules"))),)+];
    };
}

library! {
    "adugo"
    "ali_guli_mane"
    "all_queens_chess"
    "amazons"
    "anti_othello"
    "asalto"
    "atari_go"
    "ataxx"
    "awithlaknannai_mosona"
    "bagh_chal"
    "bohnenspiel"
    "brandubh"
    "chinese_checkers"
    "chomp"
    "clobber"
    "col"
    "congkak"
    "connect6"
    "cram"
    "cross"
    "crossway"
    "dao"
    "dara"
    "dawsons_chess"
    "dodgem"
    "domineering"
    "fanoron_telo"
    "five_field_kono"
    "flume"
    "four_field_kono"
    "fox_and_geese"
    "giveaway_checkers"
    "gomoku"
    "gopher"
    "halma"
    "hare_and_hounds"
    "hasami_shogi"
    "hex"
    "hexapawn"
    "hip"
    "hnefatafl"
    "joust"
    "kaooa"
    "kayles"
    "knightthrough"
    "konane"
    "lasker_morris"
    "lau_kata_kati"
    "lewthwaites_game"
    "mak_yek"
    "mangala"
    "marienbad"
    "ming_mang"
    "morabaraba"
    "mu_torere"
    "neutron"
    "nine_holes"
    "nogo"
    "notakto"
    "obstruction"
    "order_and_chaos"
    "oust"
    "pente"
    "picaria"
    "pong_hau_ki"
    "pretwa"
    "renju"
    "reversi_1883"
    "rex"
    "rota"
    "score_four"
    "seega"
    "shisima"
    "sim"
    "six_mens_morris"
    "sixteen_soldiers"
    "slimetrail"
    "snort"
    "sos"
    "squava"
    "surakarta"
    "tablut"
    "tac_tix"
    "tant_fant"
    "tapatan"
    "teeko"
    "three_mens_morris"
    "toads_and_frogs"
    "toguz_korgool"
    "traffic_lights"
    "treblecross"
    "tsoro_yematatu"
    "ugolki"
    "vai_lung_thlan"
    "wolf_and_sheep"
    "wythoffs_queen"
    "y"
    "yavalath"
    "yote"
}

/// All games of the library, by group and name.
///
/// ```
/// let library = treegauge_catalog::library();
/// let hexapawn = library.iter().find(|game| game.name == "hexapawn").unwrap();
/// assert_eq!(hexapawn.year, "1962");
/// ```
#[must_use]
pub fn library() -> &'static [LibraryGame] {
    static GAMES: LazyLock<Vec<LibraryGame>> = LazyLock::new(|| {
        let mut games: Vec<LibraryGame> =
            TEXTS.iter().map(|&(name, text)| LibraryGame::read(name, text)).collect();
        games.sort_by_key(|game| (game.group, game.name));
        games
    });
    &GAMES
}

/// Game of the library with a name or alias; `None` if there is none.
#[must_use]
pub fn library_game(name: &str) -> Option<&'static LibraryGame> {
    library().iter().find(|game| game.is_called(name))
}

impl LibraryGame {
    /// Reads the facts of a text. A test checks that each text has them all.
    fn read(name: &'static str, text: &'static str) -> LibraryGame {
        let facts = facts(text);
        let all = |key: &str| facts.iter().find(|(known, _)| *known == key).map(|(_, lines)| lines);
        let line = |key: &str| all(key).and_then(|lines| lines.first().copied());
        let whole = |key: &str| all(key).map(|lines| kept(&lines.join(" ")));
        let group = LibraryGroup::ALL.into_iter().find(|group| Some(group.name()) == line("group"));
        let aliases = line("aliases").into_iter().flat_map(|names| names.split(", "));
        LibraryGame {
            name,
            aliases: aliases.collect(),
            title: quoted(text, "(game \"").unwrap_or(name),
            group: group.unwrap_or(LibraryGroup::Lines),
            goal: line("goal").unwrap_or_default(),
            year: line("year").unwrap_or_default(),
            author: line("author"),
            source: whole("source").unwrap_or_default(),
            differs: whole("differs"),
            text,
            family: OnceLock::new(),
        }
    }

    /// Tests whether `name` is the name of the game or an alias.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// Origin of the game.
    #[must_use]
    pub fn origin(&self) -> Origin {
        Origin {
            title: self.title,
            group: self.group,
            year: self.year,
            author: self.author,
            source: self.source,
            differs: self.differs,
        }
    }

    /// Family of the game, whose parameters are the options of the text. It lasts as long as the
    /// program.
    #[must_use]
    pub fn family(&'static self) -> &'static Family {
        self.family.get_or_init(|| {
            let facts = facts(self.text);
            let help = |option: &str| {
                let fact =
                    facts.iter().find(|(key, _)| key.strip_prefix("option ") == Some(option));
                fact.and_then(|(_, lines)| lines.first().copied()).unwrap_or_default()
            };
            let checked = Text::read(self.text);
            let options = checked.as_ref().map_or(&[][..], Text::options);
            let whole = |value: i32| u64::try_from(value).unwrap_or(0);
            let parameters = options.iter().map(|option| Parameter {
                name: kept(&option.name),
                default: kept(&option.default.to_string()),
                values: Values::Whole(whole(option.lowest), whole(option.highest)),
                help: help(kept(&option.name)),
            });
            Family {
                name: self.name,
                aliases: &self.aliases,
                summary: self.goal,
                rules: quoted(self.text, "(about \"").unwrap_or_default(),
                moves: TEXT_FAMILY.moves,
                parameters: Box::leak(parameters.collect()),
                both: &[],
                presets: &[],
                origin: Some(self.origin()),
            }
        })
    }

    /// Names of the options of the text.
    pub(crate) fn options(&'static self) -> impl Iterator<Item = &'static str> + use<> {
        self.family().parameters.iter().map(|parameter| parameter.name)
    }

    /// Text as the beginning of a game of one's own: without the facts about the published game,
    /// and with these values as defaults of its options.
    #[must_use]
    pub(crate) fn template(&self, values: &[(String, i32)]) -> Option<String> {
        let text = treegauge_rules::with_defaults(self.text, values)?;
        let rules = &text[text.find("(game \"")?..];
        let from = match self.author {
            Some(author) => format!("{author}, {}", self.year),
            None => self.year.to_owned(),
        };
        Some(format!(
            "; The rules of {} ({from}), from the library of treegauge.\n{rules}",
            self.name
        ))
    }
}

/// Keeps words for the rest of the program. Each fact and option of each game is kept once.
fn kept(word: &str) -> &'static str {
    Box::leak(word.to_owned().into_boxed_str())
}

/// Facts before the `(game` of a text: keys, each with its lines.
fn facts(text: &'static str) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut facts: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix(';')) {
        match (line.strip_prefix("  "), facts.last_mut()) {
            (Some(more), Some((_, lines))) => lines.push(more.trim()),
            _ => facts
                .extend(line.split_once(':').map(|(key, fact)| (key.trim(), vec![fact.trim()]))),
        }
    }
    facts
}

/// Words between the first `before`, which ends in a quotation mark, and the next quotation mark.
fn quoted(text: &'static str, before: &str) -> Option<&'static str> {
    text.split_once(before)?.1.split('"').next()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use crate::tests::Perft;
    use crate::{FAMILIES, GameSpec, SpecError};

    #[test]
    fn every_text_of_the_folder_is_a_game_with_all_facts() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/library");
        let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let stems: BTreeSet<String> =
            files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
        let names: BTreeSet<String> = library().iter().map(|game| game.name.to_owned()).collect();
        assert_eq!(stems, names);
        assert!(names.len() >= 80);
        for game in library() {
            let name = game.name;
            let facts = facts(game.text);
            let fact = |key: &str| facts.iter().any(|(known, _)| *known == key);
            for key in ["group", "goal", "year", "source"] {
                assert!(fact(key), "{name} has no {key}");
            }
            for (key, _) in &facts {
                let known = ["group", "goal", "year", "author", "source", "aliases", "differs"];
                let is_option = key.strip_prefix("option ");
                assert!(known.contains(key) || is_option.is_some(), "{name} has a fact {key}");
            }
            let group = facts.iter().find(|(key, _)| *key == "group").unwrap().1[0];
            assert_eq!(group, game.group.name(), "{name}");
            assert!(game.goal.len() <= 65, "the goal of {name} is one line of a list");
            let program = Text::read(game.text).and_then(|text| text.check());
            let program = program.unwrap_or_else(|mistakes| panic!("{}", mistakes.text(name)));
            assert_eq!(program.name(), game.title);
            assert_eq!(program.about(), Some(game.family().rules), "{name}");
            assert_eq!(program.ply_cap(), None, "the cap of {name} is that of every game");
            for parameter in game.family().parameters {
                assert!(!parameter.help.is_empty(), "{} of {name}", parameter.name);
            }
        }
    }

    #[test]
    fn no_name_means_two_games() {
        let mut names = BTreeSet::new();
        let mut titles = BTreeSet::new();
        for family in FAMILIES {
            let presets = family.presets.iter().map(|preset| preset.name);
            names.extend(family.aliases.iter().copied().chain([family.name]).chain(presets));
        }
        for game in library() {
            for name in game.aliases.iter().chain([&game.name]) {
                assert!(names.insert(name), "{name} has another meaning");
                let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                assert!(name.chars().all(is_name), "{name}");
                assert_eq!(GameSpec::parse(name).unwrap().to_string(), game.name);
            }
            assert!(titles.insert(game.title), "{}", game.title);
        }
    }

    #[test]
    fn every_value_of_an_option_is_a_game_or_refused_with_a_reason() {
        for game in library() {
            for parameter in game.family().parameters {
                let Values::Whole(lowest, highest) = parameter.values else {
                    panic!("{}", game.name)
                };
                let default: u64 = parameter.default.parse().unwrap();
                assert!((lowest..=highest).contains(&default));
                for value in [lowest, default, highest] {
                    let text = format!("{}({}={value})", game.name, parameter.name);
                    match GameSpec::parse(&text) {
                        Ok(spec) => assert_eq!(spec.args().text(parameter.name), value.to_string()),
                        // A line of three on two cells.
                        Err(SpecError::Refused { game, .. }) => assert!(game.contains("notakto")),
                        Err(error) => panic!("{text}: {error}"),
                    }
                }
            }
        }
    }

    #[test]
    fn a_canonical_name_has_the_digest_of_the_text() {
        let spec = GameSpec::parse("hawaiian_checkers( size=6 )").unwrap();
        assert_eq!(spec.written(), "hawaiian_checkers(size=6)");
        assert_eq!(spec.to_string(), "konane(size=6)");
        let canonical = spec.canonical();
        let digest = spec.program().unwrap().digest();
        assert_eq!(canonical, format!("konane(size=6,digest={digest:016x})"));
        let again = GameSpec::parse(&canonical).unwrap();
        assert_eq!((again.canonical(), again.to_string()), (canonical, spec.to_string()));
        assert_eq!(GameSpec::parse("konane(size=8)").unwrap().to_string(), "konane");
        let capped = GameSpec::parse("konane(ply_cap=20)").unwrap();
        assert_eq!(capped.to_string(), "konane(ply_cap=20)");

        let said = |text: &str| GameSpec::parse(text).unwrap_err().to_string();
        assert_eq!(
            said("konane(digest=0123456789abcdef)"),
            "the text of konane has changed since it was recorded"
        );
        assert!(said("konane(digest=none)").contains("16 hexadecimal digits"));
        assert!(said("konane(siz=6)").contains("size"), "{}", said("konane(siz=6)"));
        assert!(said("konane(size=99)").contains("4 to 10"));
        assert!(said("konan").contains("did you mean `konane`"), "{}", said("konan"));
        assert_eq!(
            said("notakto(size=2,k=3)"),
            "`notakto(size=2,k=3)` is not a valid game: a line of 3 does not fit: the longest line of this \
             board has 2 sites"
        );
        assert!(said("cram(row=4)").contains("did you mean `rows`"), "{}", said("cram(row=4)"));
    }

    #[test]
    fn a_text_of_the_library_begins_a_game_of_ones_own() {
        for game in ["hexapawn(cols=4)", "konane", "sim", "brandubh"] {
            let text = crate::template(game).unwrap();
            let name = game.split('(').next().unwrap();
            assert!(text.starts_with(&format!("; The rules of {name} (")), "{text}");
            assert!(!text.contains("; source"), "{text}");
            let own = GameSpec::parse_with("own.rules", &mut |_| Ok(text.clone())).unwrap();
            let expected = GameSpec::parse(game).unwrap().with_game(Perft(2)).unwrap();
            assert_eq!(own.with_game(Perft(2)).unwrap(), expected, "{game}");
        }
    }
}
