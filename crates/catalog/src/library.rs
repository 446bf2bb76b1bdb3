//! Published games whose rules are texts of the program.
//!
//! `data/library` has a text for each game. The comments before its `(game` are facts, one a line:
//! `; goal: a pawn on the far row`. A line that begins with `;` and more than one space continues
//! the fact before it.

use std::sync::{LazyLock, OnceLock};

use treegauge_grammar::{Parameter, Values};
use treegauge_rules::Text;

use crate::Family;
use crate::text_game::TEXT_FAMILY;

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
    pub source: String,
    /// Difference between the text and the published rules; `None` if there is none.
    pub differs: Option<String>,
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
    "all_queens_chess"
    "amazons"
    "anti_othello"
    "asalto"
    "atari_go"
    "ataxx"
    "awithlaknannai_mosona"
    "bagh_chal"
    "brandubh"
    "chomp"
    "clobber"
    "col"
    "connect6"
    "cram"
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
    "reversi"
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
    "tablut"
    "tac_tix"
    "tant_fant"
    "tapatan"
    "teeko"
    "three_mens_morris"
    "toads_and_frogs"
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
    library().iter().find(|game| game.name == name || game.aliases.contains(&name))
}

impl LibraryGame {
    /// Reads the facts of a text. A test checks that each text has them all.
    fn read(name: &'static str, text: &'static str) -> LibraryGame {
        let facts = facts(text);
        let all = |key: &str| facts.iter().find(|(known, _)| *known == key).map(|(_, lines)| lines);
        let line = |key: &str| all(key).and_then(|lines| lines.first().copied());
        let whole = |key: &str| all(key).map(|lines| lines.join(" "));
        let group = LibraryGroup::ALL.into_iter().find(|group| Some(group.name()) == line("group"));
        let aliases = line("aliases").into_iter().flat_map(|names| names.split(", "));
        LibraryGame {
            name,
            aliases: aliases.collect(),
            title: text.split('"').nth(1).unwrap_or(name),
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

    /// Family of the game, whose parameters are the options of the text. It lasts as long as the
    /// program.
    #[must_use]
    pub fn family(&'static self) -> &'static Family {
        self.family.get_or_init(|| {
            let facts = facts(self.text);
            let help = |option: &str| {
                let fact = facts.iter().find(|(key, _)| key.strip_prefix("option ") == Some(option));
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
                rules: about(self.text).unwrap_or_default(),
                moves: TEXT_FAMILY.moves,
                parameters: Box::leak(parameters.collect()),
                both: &[],
                presets: &[],
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
        let rules = &text[text.find("(game")?..];
        let from = match self.author {
            Some(author) => format!("{author}, {}", self.year),
            None => self.year.to_owned(),
        };
        Some(format!("; The rules of {} ({from}), from the library of treegauge.\n{rules}", self.name))
    }
}

/// Keeps a word for the rest of the program. Each option of each game is kept once.
fn kept(word: &str) -> &'static str {
    Box::leak(word.to_owned().into_boxed_str())
}

/// Facts before the `(game` of a text: keys, each with its lines.
fn facts(text: &'static str) -> Vec<(&'static str, Vec<&'static str>)> {
    let mut facts: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in text.lines().map_while(|line| line.strip_prefix(';')) {
        match (line.strip_prefix("  "), facts.last_mut()) {
            (Some(more), Some((_, lines))) => lines.push(more.trim()),
            _ => facts.extend(line.split_once(':').map(|(key, fact)| (key.trim(), vec![fact.trim()]))),
        }
    }
    facts
}

/// Words of the section `about`.
fn about(text: &'static str) -> Option<&'static str> {
    text.split_once("(about \"")?.1.split('"').next()
}
