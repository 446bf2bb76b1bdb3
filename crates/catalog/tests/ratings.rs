//! The public opinions of games in `testdata/ratings.tsv`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use treegauge_catalog::{GameSpec, described_game};

/// Row of the table. `None` stands for a number that the source does not state.
struct Row {
    game: String,
    measure: String,
    figure: f64,
    scale: [f64; 2],
    raters: Option<u32>,
    deviation: Option<f64>,
    date: String,
    source: String,
    address: String,
    listing: String,
}

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).unwrap()
}

fn rows() -> Vec<Row> {
    let row = |line: &str| {
        let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
        let [
            game,
            measure,
            figure,
            lowest,
            highest,
            raters,
            deviation,
            date,
            source,
            address,
            listing,
        ] = columns.try_into().unwrap_or_else(|_| panic!("{line}: 11 columns"));
        let number = |text: &str| text.parse::<f64>().unwrap_or_else(|_| panic!("{line}: {text}"));
        let stated = |text: &str| (text != "-").then(|| number(text));
        Row {
            figure: number(&figure),
            scale: [number(&lowest), number(&highest)],
            raters: (raters != "-").then(|| raters.parse().unwrap_or_else(|_| panic!("{line}"))),
            deviation: stated(&deviation),
            game,
            measure,
            date,
            source,
            address,
            listing,
        }
    };
    let table = read("testdata/ratings.tsv");
    table.lines().filter(|line| !line.starts_with('#')).map(row).collect()
}

#[test]
fn every_rated_game_exists_and_has_one_name() {
    for row in rows() {
        let spec = GameSpec::parse(&row.game).unwrap_or_else(|e| panic!("{}: {e}", row.game));
        assert_eq!(spec.to_string(), row.game);
    }
}

#[test]
fn every_figure_is_within_its_scale_and_has_a_source() {
    let scales = BTreeMap::from([
        ("rating", [1.0, 10.0]),
        ("complexity", [1.0, 5.0]),
        ("quality", [1.0, 5.0]),
        ("fun", [0.0, 100.0]),
    ]);
    let mut known = BTreeSet::new();
    for row in rows() {
        let name = format!("{} of {}, {}", row.measure, row.game, row.date);
        let [lowest, highest] = row.scale;
        assert_eq!(scales.get(row.measure.as_str()), Some(&row.scale), "{name}");
        assert!((lowest..=highest).contains(&row.figure), "{name}");
        assert_ne!(row.raters, Some(0), "{name}");
        // Half of the scale is the deviation of raters who give the lowest or the highest figure only.
        let is_possible = |deviation| deviation > 0.0 && deviation <= (highest - lowest) / 2.0;
        assert!(row.deviation.is_none_or(is_possible), "{name}");
        let numbers: Vec<usize> = row.date.split('-').map(str::len).collect();
        assert!(numbers == [4] || numbers == [4, 2, 2], "{name}");
        assert!(row.date.chars().all(|c| c.is_ascii_digit() || c == '-'), "{name}");
        assert!(("2010".."2027").contains(&row.date.as_str()), "{name}");
        let is_web = row.address.starts_with("https://") || row.address.starts_with("http://");
        let is_thesis = row.source == "Williams 2010" && row.address.contains("thesis");
        assert!(is_web || is_thesis, "{name}: {}", row.address);
        assert!(!row.address.contains(['(', ')', ' ']) || is_thesis, "{name}: a link of the page");
        assert!(!row.source.is_empty() && !row.listing.is_empty(), "{name}");
        assert!(known.insert((row.game, row.measure, row.address)), "{name} is there twice");
    }
}

#[test]
fn opinions_that_another_file_has_too_are_the_same() {
    let rows = rows();
    let games = read("crates/dataset/data/williams_2010.toml");
    let mut ratings = BTreeSet::new();
    for game in games.split("[[game]]") {
        let value = |key: &str| game.lines().find_map(|line| line.strip_prefix(key));
        if let Some(rating) = value("rating = ") {
            let name = value("game = ").unwrap().trim_matches('"');
            let spec = GameSpec::parse(name).unwrap_or_else(|e| panic!("{name}: {e}"));
            ratings.insert(format!("{} {rating}", spec.canonical()));
        }
    }
    let quality = rows.iter().filter(|row| row.measure == "quality");
    assert_eq!(
        quality.map(|row| format!("{} {}", row.game, row.figure)).collect::<BTreeSet<_>>(),
        ratings
    );
    assert_eq!(ratings.len(), 17);

    let fun: Vec<&Row> = rows.iter().filter(|row| row.measure == "fun").collect();
    let [fun] = fun[..] else { panic!("{} rows of fun", fun.len()) };
    let rule = "3 pieces in a row loses.";
    let people = read("testdata/human_ratings.csv");
    let line = people.lines().find_map(|line| line.strip_prefix(&format!("3,3,{rule},loss,")));
    let stated: Vec<f64> =
        line.unwrap().split(',').take(2).map(|text| text.parse().unwrap()).collect();
    assert_eq!(stated, [fun.figure, f64::from(fun.raters.unwrap())]);
    let described = described_game("3", "3", rule).unwrap();
    assert_eq!(described.canonical(), "mnk(rows=3,cols=3,k1=3,k2=3,misere=true)");
    assert_eq!(fun.game, "tic_tac_toe(misere=true)");
}

/// The sentences of `docs/ratings.md` about the figures.
#[test]
fn ratings_change_little_in_years_and_agree_with_the_order_of_the_thesis() {
    let rows = rows();
    let of =
        |measure: &str| -> Vec<&Row> { rows.iter().filter(|row| row.measure == measure).collect() };
    let (ratings, quality) = (of("rating"), of("quality"));
    let mut greatest: f64 = 0.0;
    for (one, other) in pairs(&ratings).filter(|(one, other)| one.game == other.game) {
        greatest = greatest.max((one.figure - other.figure).abs());
    }
    assert!(greatest > 0.13 && greatest <= 0.14, "{greatest}");
    let rated: Vec<(&Row, f64)> = ratings
        .iter()
        .filter_map(|row| Some((*row, quality.iter().find(|one| one.game == row.game)?.figure)))
        .collect();
    let games: BTreeSet<&str> = rated.iter().map(|(row, _)| row.game.as_str()).collect();
    assert_eq!(games.len(), 7);
    for ((one, first), (other, second)) in pairs(&rated) {
        let is_same_order = first == second || (first < second) == (one.figure < other.figure);
        assert!(is_same_order, "{} and {}", one.game, other.game);
    }
}

/// Pairs of different places of a list.
fn pairs<T>(list: &[T]) -> impl Iterator<Item = (&T, &T)> {
    list.iter()
        .enumerate()
        .flat_map(|(at, one)| list[at + 1..].iter().map(move |other| (one, other)))
}
