//! Tests of the parts that all pictures are made of.

use treegauge_doc::{Figure, Svg, Tone};
use treegauge_stats::Estimate;

use super::card::{BLUE, Card, GREY, MARGIN, RIGHT, WIDTH};
use super::font::Font;
use super::parts::{BarRow, Column, Columns, Curve, Curves, Intervals, Row, Scale, bounded};
use crate::ticks::Quantity;

/// Value of an attribute of a tag.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = tag.split_once(&format!(" {name}=\""))?;
    Some(after.split_once('"')?.0)
}

/// Left and right end of each text of a picture without inner pictures, with its baseline.
fn texts(picture: &str) -> Vec<(f64, f64, f64, String)> {
    let parts = picture.split("<text").skip(1);
    let place = |part: &str| {
        let (tag, rest) = part.split_once('>').unwrap();
        let number = |name: &str| attribute(tag, name).unwrap().parse::<f64>().unwrap();
        let text = rest.split_once("</text>").unwrap().0;
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
        let bold = attribute(tag, "font-weight").is_some();
        let width = Font { size: number("font-size"), bold }.width(&text);
        let left = match attribute(tag, "text-anchor") {
            None => number("x"),
            Some("middle") => number("x") - width / 2.0,
            Some(_) => number("x") - width,
        };
        (left, left + width, number("y"), text)
    };
    parts.map(place).collect()
}

/// Demands that a picture describes itself, and that its texts lie in its frame and apart.
#[track_caller]
fn check(figure: &Figure) {
    let picture = figure.picture.as_str();
    let (tag, _) = picture.split_once('>').unwrap();
    assert!(tag.contains("role=\"img\"") && !figure.alt.is_empty(), "{tag}");
    assert!(picture.contains(concat!("treegauge ", env!("CARGO_PKG_VERSION"))));
    assert!(!picture.contains(|c: char| c.is_control() && c != '\n'), "{picture}");
    let height: f64 = attribute(tag, "height").unwrap().parse().unwrap();
    let texts = texts(picture);
    for (n, (left, right, y, text)) in texts.iter().enumerate() {
        let is_inside = *left >= 4.0 && *right <= WIDTH - 4.0 && *y > 10.0 && *y < height - 4.0;
        assert!(is_inside, "{text:?} is at {left} to {right}, {y} of {height}");
        for (a, b, other_y, other) in &texts[..n] {
            let apart = (y - other_y).abs() >= 9.0 || right + 2.0 < *a || b + 2.0 < *left;
            assert!(apart, "{text:?} meets {other:?}");
        }
    }
}

/// Names that try a picture: long, with markup, with control characters, of other scripts.
fn names() -> [String; 4] {
    [
        "uct(iterations=1000,cp=0.70710678,merge=equal,backup=all,counts=visits,solver)".repeat(3),
        "<b>&amp;</b> \u{1b}[2J\u{7}".to_owned(),
        "W".repeat(400),
        "五子棋と囲碁 ".repeat(30),
    ]
}

/// Estimates with both ends, with one, and without.
fn estimates() -> Vec<Estimate> {
    let open = Estimate { mean: Some(0.5), low: None, high: Some(0.8), n: 3 };
    vec![
        bounded(0.5, 0.2, 0.7),
        bounded(0.0, 0.0, 0.0),
        bounded(1.0, 0.9, 1.0),
        open,
        Estimate { low: Some(0.1), high: None, ..open },
        Estimate { high: None, ..open },
        Estimate::UNRATED,
    ]
}

#[test]
fn texts_of_any_length_stay_in_the_frame_and_apart() {
    for name in names() {
        let mut card = Card::new(&name, &Svg::default());
        card.verdict(Tone::Bad, &name, &format!("{name} {name}"));
        card.note(&name);
        card.judged(&name, Tone::Undecided, &name);
        card.heading(&name);
        let row = |estimate: Estimate| {
            let (name, words) = (name.clone(), name.clone());
            Row { name, words, estimate, colour: BLUE }
        };
        let rows = (0..3).flat_map(|_| estimates()).map(row).collect();
        let unit = "share of the points";
        let scale = Scale::shares();
        card.intervals(&Intervals { rows, scale, line: Some(0.5), unit, thing: "player" });
        let bar = |n: u32| BarRow {
            name: name.clone(),
            words: name.clone(),
            parts: vec![(f64::from(n), BLUE), (1.0, GREY)],
        };
        card.bars(&(0..20).map(bar).collect::<Vec<_>>(), 20.0, "gate");
        let figure = card.finish(&name).expect("there is a picture");
        check(&figure);
        assert!(figure.alt.contains("more player") && figure.alt.contains("more gate"));
    }
}

#[test]
fn axes_have_room_for_their_numbers() {
    for n in [1, 2, 9, 80, 250] {
        let mut card = Card::new("a game", &Svg::default());
        let column = |n: u32| Column {
            label: (1_000 * n).to_string(),
            above: None,
            parts: vec![(0.25, BLUE), (0.75, GREY)],
        };
        let columns = (0..n).map(column).collect();
        let (x, y) = ("plies to the end", "share of the positions");
        card.columns(&Columns { columns, shares: true, height: 100.0, x, y });
        let points: Vec<(f64, f64)> =
            (0..n).map(|n| (f64::from(1_000 * n), 0.5 + f64::from(n) / 500.0)).collect();
        let curve = |name, colour| Curve { name, colour, points: points.clone() };
        let curves = vec![curve("mean", BLUE), curve("greatest", GREY)];
        card.curves(&Curves { curves, height: 100.0, x, y });
        check(&card.finish("").expect("there is a picture"));
    }
    for ends in [[0.0, 0.0], [-3_000_000.0, 2_000_000.0], [0.1, 0.2]] {
        let mut card = Card::new("a game", &Svg::default());
        let estimate = bounded(ends[0], ends[0], ends[1]);
        let (name, words) = ("a".to_owned(), "b".to_owned());
        let rows = vec![Row { name, words, estimate, colour: BLUE }];
        let scale = Scale::around(ends.into_iter(), Quantity::Whole);
        card.intervals(&Intervals { rows, scale, line: None, unit: "Elo", thing: "player" });
        check(&card.finish("").expect("there is a picture"));
    }
}

#[test]
fn a_bar_without_a_height_is_left_out() {
    let mut card = Card::new("a game", &Svg::default());
    let column = Column { label: "1".to_owned(), above: None, parts: vec![(f64::NAN, BLUE)] };
    card.columns(&Columns { columns: vec![column], shares: true, height: 90.0, x: "", y: "" });
    check(&card.finish("").expect("there is a picture"));
}

#[test]
fn a_board_stands_beside_the_words_and_keeps_its_shape() {
    let board = Svg::new(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"position\" role=\"img\" width=\"400\" height=\"100\" viewBox=\"0 0 400.0 100.0\"><rect class=\"ground\" width=\"400\" height=\"100\" fill=\"#e9dcc3\"/></svg>",
    );
    let mut card = Card::new("a game of a long name (option=value,option=value)", &board);
    card.caption("the start");
    card.verdict(Tone::Good, "No flaw found", &"It is neither drawish nor biased. ".repeat(9));
    let figure = card.finish("seed 1").expect("there is a picture");
    let (before, after) = figure.picture.as_str().split_once("<svg x=").unwrap();
    let (tag, _) = after.split_once('>').unwrap();
    assert!(tag.contains("width=\"200.0\" height=\"50.0\" class=\"position\" viewBox"), "{tag}");
    assert!(before.contains("<title>") && !tag.contains("role"), "{tag}");
    let edge = attribute(&format!(" x={after}"), "x").unwrap().parse::<f64>().unwrap();
    assert_eq!(edge, RIGHT - 200.0);
    let beside = texts(figure.picture.as_str())
        .into_iter()
        .filter(|(left, .., y, _)| *y < 70.0 && *left < edge - MARGIN);
    assert!(beside.clone().count() >= 2 && beside.into_iter().all(|(_, right, ..)| right < edge));
    assert!(figure.alt.contains("The board shows the start."), "{}", figure.alt);
}
