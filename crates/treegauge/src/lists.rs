//! Lists of games and players, and people's ratings of listed games.

use std::collections::HashMap;
use std::path::Path;

use treegauge_catalog::GameSpec;
use treegauge_catalog::rules::is_game;
use treegauge_dataset::{Corpus, HumanRatings, LabelledGame, RatedGame, WILLIAMS_2010};
use treegauge_engine::PlayerSpec;
use treegauge_gauge::vetted::{LabelSource, Question};
use treegauge_store::{Sheet, SheetRow, has_no_value, read_text};

use crate::error::NoColumnError;
use crate::game::ReadGame;
use crate::variants::expanded;
use crate::{Error, ErrorKind, Game};

/// Games of a list. `all` is the 28 games of Williams 2010. The path of a file stands for its
/// games: one per line, in a column `game` of a table, described by its columns `rows`, `cols` and
/// `rule`, or those of a corpus if the name ends with `.toml`. Any other text lists games separated
/// by commas; in it `param=A..B` stands for all whole numbers from A to B.
///
/// # Errors
///
/// If a file cannot be read or lists no game, an entry is not a game, or the ranges of a game stand
/// for more than 10,000 games.
pub fn listed_games(list: &str) -> Result<Vec<Game>, Error> {
    listed_games_with(list, &Game::parse)
}

/// Games of a list as in [`listed_games`], opened by `read`.
pub(crate) fn listed_games_with(list: &str, read: ReadGame<'_>) -> Result<Vec<Game>, Error> {
    if list == "all" {
        let games = WILLIAMS_2010.games.iter();
        return games.map(|game| Game::parse(&game.game)).collect();
    }
    let path = Path::new(list);
    if path.is_file() && path.extension().is_some_and(|extension| extension == "toml") {
        let labelled = labelled_games(path, read)?.games;
        return labelled.iter().map(|game| read(&game.game)).collect();
    }
    if path.is_file() && !list.ends_with(".rules") {
        let text = text_at(path)?;
        if is_game(&text) {
            // The content decides, whatever the name ends with.
            return Ok(vec![read(&format!("rules(file={list})"))?]);
        }
        return games_of_with(&text, list, read);
    }
    // The name of a game without parameters has none of these characters.
    if !list.contains(['(', ',']) && list.contains(['.', '/', '\\']) && !list.ends_with(".rules") {
        return Err(Error::new(ErrorKind::Data, format!("cannot read {list}: no such file")));
    }
    not_typeset(list)?;
    let mut games = Vec::new();
    for text in separated(list) {
        for name in expanded(text, EXPANDED_MAX)? {
            games.push(read(&name)?);
        }
    }
    Ok(games)
}

/// Greatest number of games that the ranges of one text may stand for.
const EXPANDED_MAX: usize = 10_000;

/// Greatest number of games of a command. Their rules are all in memory: about 200 MB.
const GAMES_MAX: usize = 100_000;

/// Appends games to a list.
///
/// # Errors
///
/// If there are more than [`GAMES_MAX`].
pub(crate) fn add_games(games: &mut Vec<Game>, more: Vec<Game>) -> Result<(), Error> {
    if games.len() + more.len() > GAMES_MAX {
        let message = format!("a list has at most {GAMES_MAX} games");
        return Err(Error::new(ErrorKind::Usage, message));
    }
    games.extend(more);
    Ok(())
}

/// Reads players separated by commas.
///
/// # Errors
///
/// If one is not a player.
pub fn listed_players(list: &str) -> Result<Vec<PlayerSpec>, Error> {
    separated(list).map(|text| PlayerSpec::parse(text).map_err(Error::from)).collect()
}

/// Parts of a list between the commas, semicolons or tabs outside parentheses.
fn separated(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    list.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => (),
        }
        matches!(c, ',' | ';' | '\t') && depth == 0
    })
    .map(str::trim)
}

/// Refuses a text with the typographic quotation marks of word processors in place of those of a
/// shell.
fn not_typeset(text: &str) -> Result<(), Error> {
    let marks = ['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}', '\u{bb}'];
    match text.chars().find(|c| marks.contains(c)) {
        None => Ok(()),
        Some(mark) => {
            let message = format!(
                "{mark} is a quotation mark of a word processor; a shell takes ' or \", and names of games have none"
            );
            Err(Error::new(ErrorKind::Usage, message))
        }
    }
}

/// A list of games: each with its line number and, if the list is a table, its cells.
struct GameList<'t, T> {
    sheet: Option<Sheet<&'t [u8]>>,
    games: Vec<(u64, T, csv::StringRecord)>,
}

/// Identity of a labelled or rated game.
struct Named {
    canonical: String,
    family: &'static str,
}

impl Named {
    /// Identity of the game of a text. A canonical name of a game that a rules text describes is
    /// itself the identity; any other game is opened by `read`.
    fn of(text: &str, read: ReadGame<'_>) -> Result<Named, Error> {
        let named =
            |spec: &GameSpec| Named { canonical: spec.canonical(), family: spec.family().name };
        match GameSpec::parse(text) {
            Ok(spec) if spec.lacks_path() => Ok(named(&spec)),
            _ => Ok(named(&read(text)?.info().spec)),
        }
    }
}

/// Games of a text, in the forms of a file in [`listed_games`]. `name` names the text in errors.
///
/// # Errors
///
/// If it lists no game, or an entry is not a game.
pub fn games_of(text: &str, name: &str) -> Result<Vec<Game>, Error> {
    games_of_with(text, name, &Game::parse)
}

/// Games of a text as in [`games_of`], opened by `read`.
pub(crate) fn games_of_with(
    text: &str,
    name: &str,
    read: ReadGame<'_>,
) -> Result<Vec<Game>, Error> {
    let games = game_list(text, name, read)?.games;
    if games.is_empty() {
        return Err(Error::new(ErrorKind::Data, format!("{name} lists no games")));
    }
    Ok(games.into_iter().map(|(_, game, _)| game).collect())
}

/// Columns of tables of games.
const COLUMNS: [&str; 15] = [
    "game",
    "rows",
    "cols",
    "rule",
    "fun_mean",
    "payoff_mean",
    "category",
    "canonical",
    "fun",
    "payoff",
    "playable",
    "rating",
    "group",
    "by",
    "reason",
];

/// A list of games as `read` opens or names them.
fn game_list<'t, T>(
    text: &'t str,
    name: &str,
    read: &dyn Fn(&str) -> Result<T, Error>,
) -> Result<GameList<'t, T>, Error> {
    let in_file = |line: u64, error: &dyn std::fmt::Display| {
        Error::new(ErrorKind::Data, format!("{name}, line {line}: {error}"))
    };
    if text.trim_start().starts_with('[') {
        let names: Vec<String> = serde_json::from_str(text).map_err(|error| {
            let message = format!("a list in JSON has the texts of games: {error}");
            in_file(error.line() as u64, &message)
        })?;
        let games = (1..).zip(&names).map(|(n, text)| {
            let game = read(text);
            let in_list = |error| Error::new(ErrorKind::Data, format!("{name}, game {n}: {error}"));
            Ok((n, game.map_err(in_list)?, csv::StringRecord::new()))
        });
        return Ok(GameList { sheet: None, games: games.collect::<Result<_, Error>>()? });
    }
    let mut sheet =
        Sheet::open_commented(text.as_bytes(), &COLUMNS).map_err(|error| in_file(1, &error))?;
    let described = [sheet.column("rows"), sheet.column("cols"), sheet.column("rule")];
    let game = sheet.column("game").or_else(|| sheet.column("canonical"));
    if game.is_none() && described.iter().any(Option::is_none) {
        let lines = text.lines().map(str::trim).zip(1_u64..);
        let is_listed = |line: &str| !line.trim().is_empty() && !line.trim().starts_with('#');
        let lines = lines.filter(|(line, _)| is_listed(line));
        let is_first =
            |n: u64| text.lines().position(is_listed).is_some_and(|at| at as u64 + 1 == n);
        let mut games = Vec::new();
        for (line, n) in lines {
            not_typeset(line).map_err(|error| in_file(n, &error))?;
            let parsed = separated(line).map(read).collect::<Result<Vec<_>, _>>();
            let parsed = parsed.map_err(|error| match separated(line).nth(1) {
                // The line is the titles of a table.
                Some(_) if is_first(n) && read(separated(line).next().unwrap_or("")).is_err() => {
                    let needs = "a column `game`, or the columns `rows`, `cols` and `rule`";
                    let titles = sheet.titles().map(|(_, title)| title);
                    NoColumnError::of(
                        name,
                        needs,
                        &["game"],
                        titles.collect::<Vec<_>>().into_iter(),
                    )
                }
                _ => in_file(n, &error),
            })?;
            games.extend(parsed.into_iter().map(|game| (n, game, csv::StringRecord::new())));
        }
        return Ok(GameList { sheet: None, games });
    }
    let mut games = Vec::new();
    while let Some(row) = sheet.next() {
        let SheetRow { line, cells } = row.map_err(|error| in_file(0, &error))?;
        let field = |n: Option<usize>| n.and_then(|n| cells.get(n)).unwrap_or("");
        // Data frames write whole numbers as decimals if a cell of the column is empty.
        let whole = |n: Option<usize>| {
            let cell = field(n);
            sheet.whole(cell).map_or_else(|| cell.to_owned(), |whole| whole.to_string())
        };
        let parsed = match (game, described) {
            (Some(_), _) => read(field(game)),
            (None, [rows, cols, rule]) => {
                treegauge_catalog::described_game(&whole(rows), &whole(cols), field(rule))
                    .map_err(Error::from)
                    .and_then(|spec| read(&spec.canonical()))
            }
        };
        games.push((line, parsed.map_err(|error| in_file(line, &error))?, cells));
    }
    Ok(GameList { sheet: Some(sheet), games })
}

/// Reads people's ratings of games: a CSV file with a column `game`, or `rows`, `cols` and `rule`;
/// and `fun_mean` (0 to 100), `payoff_mean` (-1 to 1) or both, with empty cells allowed. The table of
/// [`Table::of_ratings`](crate::Table::of_ratings) is read, too. A column
/// `category` groups games; without it each game is its own category.
///
/// # Errors
///
/// If the file cannot be read, has no such column, a cell is not a number in its range, or two
/// lines name the same game.
pub fn ratings(path: &Path) -> Result<HumanRatings, Error> {
    ratings_with(path, &Game::parse)
}

/// Ratings of games as in [`ratings`], opened by `read`.
pub(crate) fn ratings_with(path: &Path, read: ReadGame<'_>) -> Result<HumanRatings, Error> {
    let bad = |message: String| Error::new(ErrorKind::Data, format!("{}{message}", path.display()));
    let text = text_at(path)?;
    let name = path.display().to_string();
    let GameList { sheet, games } = game_list(&text, &name, &|text| Named::of(text, read))?;
    let no_column = |titles: &[&str]| {
        let (needs, names) = ("a column `fun_mean` or `payoff_mean`", ["fun_mean", "payoff_mean"]);
        NoColumnError::of(&name, needs, &names, titles.iter().copied())
    };
    let sheet = sheet.ok_or_else(|| no_column(&[]))?;
    let answers = Question::BOTH.map(|question| {
        let titles = [format!("{}_mean", question.name()), question.name().to_owned()];
        titles.into_iter().find_map(|title| Some((sheet.column(&title)?, title)))
    });
    if answers.iter().all(Option::is_none) {
        let titles: Vec<&str> = sheet.titles().map(|(_, title)| title).collect();
        return Err(no_column(&titles));
    }
    let category = sheet.column("category");
    let mut lines: HashMap<String, u64> = HashMap::new();
    let mut ratings = HumanRatings::default();
    for (line, game, record) in games {
        let field = |n: usize| record.get(n).unwrap_or("");
        let answer = |question: Question, column: &Option<(usize, String)>| {
            let Some((at, title)) = column else { return Ok(None) };
            let text = field(*at);
            let (least, greatest) = question.range();
            if has_no_value(text) {
                return Ok(None);
            }
            match sheet.number(text) {
                Some(number) if (least..=greatest).contains(&number) => Ok(Some(number)),
                _ => Err(bad(format!(
                    ", line {line}: {title} is {text:?}, and a number from {least} to {greatest} is expected"
                ))),
            }
        };
        let [fun, payoff] = &answers;
        let fun = answer(Question::Fun, fun)?;
        let payoff = answer(Question::Payoff, payoff)?;
        let name = game.canonical;
        if let Some(other) = lines.insert(name.clone(), line) {
            return Err(bad(format!(", lines {other} and {line} are about the same game")));
        }
        let category = category.map_or_else(|| name.clone(), |at| field(at).to_owned());
        ratings.games.push(RatedGame { game: name, category, fun, payoff });
    }
    Ok(ratings)
}

/// Reads labelled games from TOML, or from a table with the columns `game` and `playable` (`true` or
/// `false`). A table may also have `group`, which is the family of the game unless given, `rating`
/// (1 to 5), `by` and `reason`, as TOML has them.
///
/// # Errors
///
/// If the file cannot be read, is not such a list, or has an entry that is not a game.
pub fn corpus(path: &Path) -> Result<Corpus, Error> {
    corpus_with(path, &Game::parse)
}

/// Labelled games as in [`corpus`]; those of a table are opened by `read`.
pub(crate) fn corpus_with(path: &Path, read: ReadGame<'_>) -> Result<Corpus, Error> {
    let data = |error: &dyn std::fmt::Display| in_file(path, error);
    let mut corpus = labelled_games(path, read)?;
    // A game of a rules text is called as datasets call it.
    for game in &mut corpus.games {
        if GameSpec::parse(&game.game).is_ok_and(|spec| spec.text_path().is_some()) {
            game.game = Named::of(&game.game, read).map_err(|error| data(&error))?.canonical;
        }
    }
    corpus.check_games().map_err(|error| data(&error))?;
    Ok(corpus)
}

/// Labelled games of a file. Those of TOML are called as the file calls them.
fn labelled_games(path: &Path, read: ReadGame<'_>) -> Result<Corpus, Error> {
    let text = text_at(path)?;
    let games = match is_labelled_table(&text) {
        true => Corpus::of(labelled_rows(&text, &path.display().to_string(), read)?),
        false => Corpus::parse(&text),
    };
    games.map_err(|error| in_file(path, &error))
}

/// Error in the contents of a file.
fn in_file(path: &Path, error: &dyn std::fmt::Display) -> Error {
    Error::new(ErrorKind::Data, format!("{}: {error}", path.display()))
}

/// Tests whether a file has labelled games: it is TOML by its name, or a table with the column `playable`.
///
/// # Errors
///
/// If the file cannot be read.
pub(crate) fn has_labels(path: &Path) -> Result<bool, Error> {
    let is_toml = path.extension().is_some_and(|extension| extension == "toml");
    Ok(is_toml || is_labelled_table(&text_at(path)?))
}

fn is_labelled_table(text: &str) -> bool {
    let sheet = Sheet::open_commented(text.as_bytes(), &COLUMNS);
    sheet.is_ok_and(|sheet| sheet.column("playable").is_some())
}

/// Labelled games of a table.
fn labelled_rows(text: &str, name: &str, read: ReadGame<'_>) -> Result<Vec<LabelledGame>, Error> {
    let GameList { sheet, games } = game_list(text, name, &|text| Named::of(text, read))?;
    let no_game = || NoColumnError::of(name, "a column `game`", &[], std::iter::empty());
    let sheet = sheet.ok_or_else(no_game)?;
    let columns = ["playable", "rating", "group", "by", "reason"].map(|title| sheet.column(title));
    let row = |(line, game, record): (u64, Named, csv::StringRecord)| {
        let bad = |title: &str, text: &str, expected: &str| {
            let message =
                format!("{name}, line {line}: {title} is {text:?}, and {expected} is expected");
            Error::new(ErrorKind::Data, message)
        };
        let cell = |at: Option<usize>| {
            at.and_then(|at| record.get(at)).filter(|cell| !has_no_value(cell)).map(str::trim)
        };
        let [playable, rating, group, by, reason] = columns.map(cell);
        let playable = match playable.unwrap_or_default().to_lowercase().as_str() {
            "true" | "1" | "1.0" => true,
            "false" | "0" | "0.0" => false,
            other => return Err(bad("playable", other, "true or false")),
        };
        let rating = rating
            .map(|text| {
                sheet.number(text).ok_or_else(|| bad("rating", text, "a number from 1 to 5"))
            })
            .transpose()?;
        let by = match by {
            None => LabelSource::default(),
            Some(by) => serde_json::from_value(by.into())
                .map_err(|_| bad("by", by, "the source of a label, as TOML names it,"))?,
        };
        Ok(LabelledGame {
            // With its digest, as datasets name it.
            game: game.canonical,
            name: None,
            playable,
            rating,
            group: group.unwrap_or(game.family).to_owned(),
            by,
            says: None,
            here: None,
            reason: reason.map(str::to_owned),
            solved: None,
        })
    };
    games.into_iter().map(row).collect()
}

/// Text of a file.
fn text_at(path: &Path) -> Result<String, Error> {
    read_text(path, TEXT_BYTES_MAX).map_err(|error| {
        Error::new(ErrorKind::Data, format!("cannot read {}: {error}", path.display()))
    })
}

/// Greatest length of a list from a user, in bytes.
pub(crate) const TEXT_BYTES_MAX: u64 = 1 << 28;

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn labelled_games_are_read_from_toml_and_from_tables() {
        let folder = tempfile::tempdir().unwrap();
        let read = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            (has_labels(&path).unwrap(), corpus(&path).map_err(|error| error.to_string()))
        };
        let toml = "[[game]]\ngame = \"achi\"\nplayable = true\ngroup = \"achi\"\nrating = 2.5\n\n\
                    [[game]]\ngame = \"kalah\"\nplayable = false\ngroup = \"heaps\"\nreason = \"short\"\n";
        let (is_labelled, expected) = read("a.toml", toml);
        assert!(is_labelled && expected.is_ok());
        for table in [
            "game,playable,group,rating,reason\nachi,true,,2.5,\nkalah,False,heaps,,short\n",
            "reason;rating;canonical;group;playable\n;2,5;achi;;1\nshort;;kalah;heaps;0\n",
        ] {
            assert_eq!(read("a.csv", table), (true, expected.clone()), "{table}");
        }
        for (table, part) in [
            ("game,playable\nachi,maybe\n", "line 2: playable is \"maybe\""),
            ("game,playable,rating\nachi,1,good\n", "line 2: rating is \"good\""),
            ("game,playable,by\nachi,1,me\n", "line 2: by is \"me\""),
            ("game,playable\nachi,1\nachi,0\n", "twice"),
            ("name,playable\nachi,1\n", "column `game`"),
            ("gme,playable\nachi,1\n", "is `gme` meant for `game`?"),
        ] {
            let error = read("a.csv", table).1.unwrap_err();
            assert!(error.contains(part), "{table}: {error}");
        }
        assert!(!read("r.csv", "game,fun_mean\nachi,50\n").0, "ratings are not labels");
    }

    #[test]
    fn a_game_of_a_text_is_labelled_by_its_canonical_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("labels.csv");
        let name = "rules(title=three,digest=7567146aa51c1e2b,k=4)";
        fs::write(&path, format!("game,playable,fun_mean\n\"{name}\",1,50\n")).unwrap();
        let read = |text: &str| panic!("{text} is not opened");
        let [labelled] = &corpus_with(&path, &read).unwrap().games[..] else { panic!("it is one") };
        assert_eq!((&labelled.game[..], &labelled.group[..]), (name, "rules"));
        assert_eq!(ratings_with(&path, &read).unwrap().games[0].game, name);
        assert!(
            games_of(&fs::read_to_string(&path).unwrap(), "list").is_err(),
            "it cannot be played"
        );
    }

    #[test]
    fn labelled_games_with_texts_are_a_list_of_games() {
        let folder = tempfile::tempdir().unwrap();
        let rules = folder.path().join("three.rules");
        let game = "(game \"Three\" (board (grid 3 3)) (play (place)) (end (if (makes (line 3)) (win mover)) (stuck draw)))";
        fs::write(&rules, game).unwrap();
        let list = folder.path().join("labels.toml");
        let labelled = format!(
            "[[game]]\ngame = {:?}\nplayable = true\ngroup = \"three\"\n",
            rules.to_str().unwrap()
        );
        fs::write(&list, labelled).unwrap();
        let [listed] = &listed_games(list.to_str().unwrap()).unwrap()[..] else {
            panic!("it is one")
        };
        let [labelled] = &corpus(&list).unwrap().games[..] else { panic!("it is one") };
        assert_eq!(listed.info().spec.canonical(), labelled.game);
        assert!(labelled.game.starts_with("rules(title=three,digest="), "{}", labelled.game);
    }

    #[test]
    fn lists_are_read_in_the_forms_of_other_programs() {
        let names = |text: &str| -> Result<Vec<String>, String> {
            let games = games_of(text, "list").map_err(|error| error.to_string())?;
            Ok(games.iter().map(Game::name).collect())
        };
        let two = Ok(vec!["achi".to_owned(), "alak".to_owned()]);
        for text in [
            "achi\nalak\n",
            "achi;alak\n",
            "achi\talak",
            "achi, alak",
            "# games\nachi\n\nalak",
            "Game,note\nachi,1\nalak,2\n",
            "note;game\n1;achi\n2;alak\n",
            "[\"achi\", \"alak\"]",
        ] {
            assert_eq!(names(text), two, "{text:?}");
        }
        for (text, part) in [
            ("\u{201c}achi\u{201d}", "line 1: \u{201c} is a quotation mark of a word processor"),
            ("achi\nalak;nogame", "line 2: "),
            ("name,size\nachi,3", "the table needs a column `game`"),
            ("", "lists no games"),
        ] {
            let error = names(text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
