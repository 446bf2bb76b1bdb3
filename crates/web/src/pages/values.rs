//! Values of moves in words and marks, and the history of values as a picture.

use std::fmt::Write;

use treegauge::board::Side;
use treegauge::engine::PositionValues;
use treegauge::report::value_words;
use treegauge::solve::Value;
use treegauge::{PlyValues, report};

/// The value of a move for the player who makes it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MoveValue {
    pub(crate) text: String,
    pub(crate) m: u32,
    /// The value as a number from -1 to 1.
    pub(crate) number: f64,
    /// 95% interval of a searched value.
    pub(crate) interval: Option<[f64; 2]>,
    pub(crate) visits: Option<u32>,
    /// Plies to the end of an exact value.
    pub(crate) plies: Option<u16>,
    pub(crate) kind: Kind,
}

/// Knowledge about a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// The value of the solved game.
    Exact(Value),
    /// A solver proved it: 1 a win, 0 a draw, -1 a loss.
    Proved(i32),
    /// The average of a search.
    Searched,
}

impl MoveValue {
    /// The values of a position, the best first.
    pub(crate) fn all(values: &PositionValues) -> Vec<MoveValue> {
        match values {
            PositionValues::Solution { moves } => moves
                .iter()
                .map(|row| MoveValue {
                    text: row.text.clone(),
                    m: row.m,
                    number: match row.value {
                        Value::Win => 1.0,
                        Value::Lose => -1.0,
                        Value::Tie | Value::Draw => 0.0,
                    },
                    interval: None,
                    visits: None,
                    plies: row.plies,
                    kind: Kind::Exact(row.value),
                })
                .collect(),
            PositionValues::Search { moves, .. } => moves
                .iter()
                .map(|row| MoveValue {
                    text: row.text.clone(),
                    m: row.m,
                    number: row.value,
                    interval: Some(row.interval),
                    visits: Some(row.visits),
                    plies: None,
                    kind: row.proved.map_or(Kind::Searched, Kind::Proved),
                })
                .collect(),
            _ => Vec::new(),
        }
    }

    /// The value as one of four: a win, a loss, a tie or endless; by its sign if it is searched.
    pub(crate) fn class(&self) -> &'static str {
        match self.kind {
            Kind::Exact(Value::Draw) => "endless",
            Kind::Exact(Value::Win) | Kind::Proved(1..) => "win",
            Kind::Exact(Value::Lose) | Kind::Proved(..=-1) => "lose",
            Kind::Exact(Value::Tie) | Kind::Proved(0) => "tie",
            Kind::Searched if self.number >= 0.05 => "win",
            Kind::Searched if self.number <= -0.05 => "lose",
            Kind::Searched => "tie",
        }
    }

    /// Mark of the value.
    pub(crate) fn mark(&self) -> &'static str {
        match self.class() {
            "win" => "▲",
            "lose" => "▼",
            "endless" => "∞",
            _ => "■",
        }
    }

    /// The value in a few characters, for the board.
    pub(crate) fn short(&self) -> String {
        match (self.kind, self.plies) {
            (Kind::Exact(Value::Win | Value::Lose), Some(plies)) => {
                format!("{}{plies}", self.mark())
            }
            (Kind::Exact(_) | Kind::Proved(_), _) => self.mark().to_owned(),
            (Kind::Searched, _) => signed(self.number),
        }
    }

    /// The value in words.
    pub(crate) fn words(&self) -> String {
        match self.kind {
            Kind::Exact(value) => value_words(value, self.plies.map(report_plies)),
            Kind::Proved(1..) => "wins (proved)".to_owned(),
            Kind::Proved(0) => "tie (proved)".to_owned(),
            Kind::Proved(_) => "loses (proved)".to_owned(),
            Kind::Searched => signed(self.number),
        }
    }
}

fn report_plies(plies: u16) -> String {
    report::counted(u64::from(plies), "ply")
}

/// A value with its sign; one that rounds to zero has none.
pub(crate) fn signed(value: f64) -> String {
    let text = format!("{value:+.2}");
    if matches!(text.as_str(), "+0.00" | "-0.00") { "0.00".to_owned() } else { text }
}

/// Name of a player in classes.
pub(crate) fn side(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

/// The greatest number of moves that the picture shows of a ply, the best and the played one.
const MARKS_MAX: usize = 80;

/// Measures of the picture in pixels.
const WIDTH: f64 = 480.0;
const LEFT: f64 = 92.0;
const RIGHT: f64 = 464.0;
const HEAD: f64 = 44.0;
const ROW: f64 = 24.0;

/// A place where a mark of the picture leads.
pub(crate) trait Places {
    /// Address of the game after `ply` plies and a move, or after one that was played.
    fn link(&self, ply: u32, m: &str, is_played: bool) -> Option<String>;

    /// Numbers of the cells that a move of a ply touches, separated by spaces.
    fn cells(&self, ply: u32, m: u32) -> String;
}

/// No mark leads anywhere.
pub(crate) struct NoPlaces;

impl Places for NoPlaces {
    fn link(&self, _: u32, _: &str, _: bool) -> Option<String> {
        None
    }

    fn cells(&self, _: u32, _: u32) -> String {
        String::new()
    }
}

/// The history of values as a picture: a row a ply, with the moves of each from the win of the second
/// player on the left to that of the first on the right. The played moves are large and joined.
/// `here` is the ply of the position that is shown.
pub(crate) fn history_svg(plies: &[PlyValues], here: Option<usize>, places: &dyn Places) -> String {
    let height = HEAD + ROW * plies.len().max(1) as f64 + 8.0;
    let most = plies
        .iter()
        .flat_map(|at| MoveValue::all(&at.values))
        .filter_map(|value| value.plies)
        .max()
        .unwrap_or(1);
    let middle = (LEFT + RIGHT) / 2.0;
    let step = (RIGHT - middle - 24.0) / f64::from(most.max(1));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"history\" data-history=\"\" role=\"group\" \
         aria-label=\"Values of the moves, ply by ply\" width=\"{WIDTH}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {WIDTH} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n"
    );
    for (n, _) in plies.iter().enumerate().filter(|(_, at)| here == Some(at.ply as usize)) {
        let y = HEAD + ROW * n as f64;
        _ = writeln!(
            svg,
            "<rect class=\"here\" x=\"0\" y=\"{y:.0}\" width=\"{WIDTH}\" height=\"{ROW}\" fill=\"#eef2f7\"/>"
        );
    }
    let is_exact = plies.iter().any(|at| matches!(at.values, PositionValues::Solution { .. }));
    let (low, high) = if is_exact { ("wins", "wins") } else { ("-1", "+1") };
    let mut text = |x: f64, y: f64, anchor: &str, class: &str, words: &str| {
        _ = writeln!(
            svg,
            "<text class=\"{class}\" x=\"{x:.0}\" y=\"{y:.0}\" text-anchor=\"{anchor}\" fill=\"#3c4048\">{}</text>",
            escaped(words)
        );
    };
    text(LEFT, 14.0, "start", "label", &format!("◆ second player {low}"));
    text(RIGHT, 14.0, "end", "label", &format!("first player {high} ●"));
    text(middle, 32.0, "middle", "label", if is_exact { "tie" } else { "0" });
    for at in plies {
        let y = HEAD + ROW * (f64::from(at.ply) - f64::from(plies[0].ply)) + ROW / 2.0 + 4.0;
        let played =
            MoveValue::all(&at.values).into_iter().find(|value| Some(value.m) == at.played);
        let m = played.as_ref().map_or(String::new(), |value| value.text.clone());
        let m = if m.chars().count() > 9 { m.chars().take(8).chain(['…']).collect() } else { m };
        text(LEFT - 14.0, y, "end", "label", &format!("{}. {m}", at.ply + 1));
    }
    _ = writeln!(
        svg,
        "<line class=\"zero\" x1=\"{middle}\" x2=\"{middle}\" y1=\"{:.0}\" y2=\"{height:.0}\" stroke=\"#8a94a3\" stroke-dasharray=\"3 3\"/>",
        HEAD - 6.0
    );
    let x_of = |value: &MoveValue, turn: Side| {
        let sign = f64::from(turn.sign());
        match (value.kind, value.plies) {
            (Kind::Exact(Value::Win), plies) => {
                middle + sign * (RIGHT - middle - step * f64::from(plies.unwrap_or(most)))
            }
            (Kind::Exact(Value::Lose), plies) => {
                middle - sign * (RIGHT - middle - step * f64::from(plies.unwrap_or(most)))
            }
            _ => middle + sign * value.number * (RIGHT - middle),
        }
    };
    let mut joined = String::new();
    let mut marks = String::new();
    for (n, at) in plies.iter().enumerate() {
        let y = HEAD + ROW * n as f64 + ROW / 2.0;
        let all = MoveValue::all(&at.values);
        let is_shown =
            |(place, value): &(usize, &MoveValue)| *place < MARKS_MAX || Some(value.m) == at.played;
        // The played move is drawn last, above the others.
        let mut shown: Vec<&MoveValue> =
            all.iter().enumerate().filter(is_shown).map(|(_, value)| value).collect();
        shown.sort_by_key(|value| Some(value.m) == at.played);
        for value in shown {
            let is_played = Some(value.m) == at.played;
            let x = x_of(value, at.turn);
            if is_played {
                _ = write!(joined, "{x:.1},{y:.1} ");
                if let (Some([low, high]), Kind::Searched) = (value.interval, value.kind) {
                    let sign = f64::from(at.turn.sign());
                    let end = |value: f64| middle + sign * value * (RIGHT - middle);
                    _ = writeln!(
                        marks,
                        "<line class=\"interval\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#3c4048\"/>",
                        end(low),
                        end(high)
                    );
                }
            }
            let r = if is_played { 6.0 } else { 3.5 };
            let class = format!("{} {}", if is_played { "played" } else { "other" }, value.class());
            let fill = match (value.class(), at.turn) {
                ("win", _) => "#1d6fa5",
                ("lose", _) => "#b4501e",
                _ => "#6b7380",
            };
            let faint = if is_played { "" } else { " fill-opacity=\"0.4\"" };
            let shape = match at.turn {
                Side::First => format!(
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\" fill=\"{fill}\"{faint}/>"
                ),
                Side::Second => {
                    let r = r * 1.25;
                    format!(
                        "<path d=\"M{x:.1} {:.1}l{r} {r}l-{r} {r}l-{r} -{r}z\" fill=\"{fill}\"{faint}/>",
                        y - r
                    )
                }
            };
            let m = escaped(&value.text);
            let (ply, number) = (at.ply, value.number);
            let label = escaped(&format!(
                "{}. {}: {} for the {} player{}",
                ply + 1,
                value.text,
                value.words(),
                at.turn,
                if is_played { ", played" } else { "" }
            ));
            match places.link(ply, &value.text, is_played) {
                Some(link) => {
                    let stop = if is_played { "" } else { " tabindex=\"-1\"" };
                    _ = writeln!(
                        marks,
                        "<a href=\"{}\" class=\"{class}\" data-ply=\"{ply}\" data-at=\"{m}\" data-cells=\"{}\" data-number=\"{number:.4}\" aria-label=\"{label}\"{stop}>{shape}</a>",
                        escaped(&link),
                        places.cells(ply, value.m)
                    );
                }
                None => {
                    _ = writeln!(
                        marks,
                        "<g class=\"{class}\" data-ply=\"{ply}\"><title>{label}</title>{shape}</g>"
                    );
                }
            }
        }
    }
    _ = writeln!(
        svg,
        "<polyline class=\"joined\" points=\"{}\" fill=\"none\" stroke=\"#8a94a3\"/>",
        joined.trim_end()
    );
    svg + &marks + "</svg>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The history of values as CSV: a row for each move of each ply.
pub(crate) fn history_csv(plies: &[PlyValues]) -> String {
    let mut csv = "ply,player,move,is_played,value,low,high,visits,known,plies_to_end\n".to_owned();
    for at in plies {
        for value in MoveValue::all(&at.values) {
            let known = match value.kind {
                Kind::Exact(value) => value.name(),
                Kind::Proved(1..) => "proved win",
                Kind::Proved(0) => "proved tie",
                Kind::Proved(_) => "proved loss",
                Kind::Searched => "searched",
            };
            let end =
                |n: usize| value.interval.map_or(String::new(), |interval| interval[n].to_string());
            _ = writeln!(
                csv,
                "{},{},{},{},{},{},{},{},{known},{}",
                at.ply + 1,
                at.turn,
                field(&value.text),
                Some(value.m) == at.played,
                value.number,
                end(0),
                end(1),
                value.visits.map_or(String::new(), |visits| visits.to_string()),
                value.plies.map_or(String::new(), |plies| plies.to_string()),
            );
        }
    }
    csv
}

/// A text as a field of CSV.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
