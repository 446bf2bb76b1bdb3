//! Calibration of the verdicts of `gauge`: the default gauge of many small games, compared with
//! their exact values and with far stronger play.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::run::{Program, root, target};

/// Number of random draws per family, and the greatest number of games kept of them.
const DRAWS: usize = 120;
const KEPT: usize = 20;

/// Bounds on the positions of a game, and the least number of plies that it takes.
const POSITIONS_MAX: u64 = 2_000_000;
const POSITIONS_MIN: u64 = 20;
const PLIES_MIN: u64 = 5;

/// Greatest length in plies of the longest of a few games. Longer games take hours at the greatest
/// strength.
const PLIES_MAX: u64 = 100;

/// Greatest mean length in plies of games that are also played at sixteen times the iterations.
const PLAYED_PLIES_MAX: f64 = 60.0;

/// Parameters that decide when a game is stopped, not how it is played.
const LIMITS: [&str; 2] = ["ply_cap", "draw_plies"];

/// Rule by which the games of the list are chosen, in words.
const RULE: &str = "Of each family 120 games with random parameters: each whole number from its least \
value to its default, each other one of its values, limits of plies as they are. Of these the first 20 \
that are different, have 20 to 2000000 positions, and take 5 plies or more with best play or never \
end, and at most 100 plies in four games at 50 iterations per move. Families without such games are not there.";

fn list_file() -> PathBuf {
    root().join("testdata/calibration.json")
}

/// Chooses the games and writes their list.
pub(crate) fn choose() -> Result<()> {
    let program = Program::build()?;
    let mut random = Random(1);
    let (mut games, mut known) = (Vec::new(), BTreeSet::new());
    for family in program.ask(&["games"])?["games"].as_array().context("games has a list")? {
        let name = family["name"].as_str().context("a game has a name")?;
        let parameters = family["parameters"].as_array().context("a game has parameters")?;
        let mut kept = 0;
        let mut tried = BTreeSet::new();
        for _ in 0..DRAWS {
            let game = drawn(name, parameters, &mut random)?;
            if kept == KEPT || !tried.insert(game.clone()) {
                continue;
            }
            // The program refuses parameters that do not fit together.
            let limit = POSITIONS_MAX.to_string();
            let asked = ["gauge", &game, "--ladder", "1", "--solve-limit", &limit];
            let played = ["--games", "4", "--skill-games", "0", "--iterations", "50"];
            let Ok(report) = program.ask(&[&asked[..], &played].concat()) else { continue };
            let short = report["plies"]["max"].as_u64().is_some_and(|plies| plies <= PLIES_MAX);
            let solved = &report["solved"];
            let positions = solved["positions"].as_u64().unwrap_or(0);
            let long = solved["remoteness"].as_u64().is_none_or(|plies| plies >= PLIES_MIN);
            let canonical = report["canonical"].as_str().context("a report names the game")?;
            if positions >= POSITIONS_MIN && long && short && known.insert(canonical.to_owned()) {
                eprintln!("{game}: {positions} positions");
                kept += 1;
                games.push(json!({
                    "game": game,
                    "positions": positions,
                    "turn": solved["turn"],
                    "value": solved["value"],
                    "remoteness": solved["remoteness"],
                }));
            }
        }
    }
    let list = json!({
        "source": "made by `cargo xtask calibrate --choose`; values are exact, by this program's solver",
        "rule": RULE,
        "games": games,
    });
    fs::write(list_file(), serde_json::to_string_pretty(&list)? + "\n")?;
    println!("{} games", games.len());
    Ok(())
}

/// A game of a family with random parameters.
fn drawn(name: &str, parameters: &[Value], random: &mut Random) -> Result<String> {
    let mut set = Vec::new();
    for parameter in parameters {
        let text =
            |field: &str| parameter[field].as_str().with_context(|| format!("{name}: {field}"));
        let (parameter, default, values) = (text("name")?, text("default")?, text("values")?);
        if LIMITS.contains(&parameter) {
            continue;
        }
        let value = if let Some((least, _)) = values.split_once(" to ") {
            let (least, default): (u64, u64) = (least.parse()?, default.parse()?);
            (least + random.below(default - least + 1)).to_string()
        } else {
            let choices: Vec<&str> = match values {
                "true or false" => vec!["true", "false"],
                values => values.split('|').map(str::trim).collect(),
            };
            choices[random.below(choices.len() as u64) as usize].to_owned()
        };
        set.push(format!("{parameter}={value}"));
    }
    Ok(if set.is_empty() { name.to_owned() } else { format!("{name}({})", set.join(",")) })
}

/// Fixed sequence of random numbers: SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % n
    }
}

/// Gauges every game of the list and prints how often a verdict is wrong, compared with the exact
/// value or with play at sixteen times the iterations. The build folder stores the played games, so
/// a second run only judges them again.
pub(crate) fn calibrate() -> Result<()> {
    let program = Program::build()?;
    let folder = target().join("calibration");
    let list: Value = serde_json::from_str(&fs::read_to_string(list_file())?)?;
    let games = list["games"].as_array().context("the list has games")?;
    let mut results = Vec::new();
    for (n, row) in games.iter().enumerate() {
        let game = row["game"].as_str().context("a row has a game")?;
        let file = format!("{}.jsonl", game.replace(['(', ')', ',', '='], "-"));
        let record = folder.join(file).display().to_string();
        eprintln!("{} of {}: {game}", n + 1, games.len());
        let ask = |more: &[&str]| {
            let gauge = ["gauge", game, "--record", &record];
            program.ask(&[&gauge, more].concat()).with_context(|| game.to_owned())
        };
        let no_ladder = ask(&["--ladder", "1", "--solve-limit", "0"])?;
        let unsolved = ask(&["--solve-limit", "0"])?;
        let default = ask(&[])?;
        let rungs = default["ladder"].as_array().context("a gauge has a ladder")?;
        let is_long = |rung: &Value| rung["plies"]["mean"].as_f64() > Some(PLAYED_PLIES_MAX);
        let stronger = if rungs.iter().any(is_long) {
            None
        } else {
            Some(ask(&["--ladder", "1/16,1/4,1,4,16", "--solve-limit", "0"])?)
        };
        results.push(Calibrated { no_ladder, unsolved, default, stronger });
    }
    print!("{}", summary(&results)?);
    Ok(())
}

/// One game, gauged in several ways.
struct Calibrated {
    /// Gauge at one strength, without a ladder.
    no_ladder: Value,
    /// Gauge with the ladder, without the exact value.
    unsolved: Value,
    /// Default gauge.
    default: Value,
    /// Gauge that also has sixteen times the iterations; `None` if that was not played.
    stronger: Option<Value>,
}

/// Flaws that depend on the strength of the players.
const FLAGS: [&str; 3] = ["drawish", "biased_first", "biased_second"];

fn state<'a>(report: &'a Value, flag: &str) -> &'a str {
    let flags = report["verdict"]["flags"].as_array().map_or(&[][..], Vec::as_slice);
    let judged = flags.iter().find(|judged| judged["flag"] == flag);
    judged.and_then(|judged| judged["state"].as_str()).unwrap_or("cannot_tell")
}

/// Tests whether the games of a rung show a flaw, by its interval alone; `None` if the interval
/// contains the threshold.
fn at_rung(report: &Value, rung: &Value, flag: &str) -> Option<bool> {
    let (measure, limit, rest) = match flag {
        "drawish" => ("draw_rate", "draw_rate_max", false),
        "biased_first" => ("first_player", "share_max", false),
        _ => ("first_player", "share_max", true),
    };
    let limit = report["thresholds"][limit].as_f64()?;
    let (low, high) = (rung[measure]["low"].as_f64()?, rung[measure]["high"].as_f64()?);
    let (low, high) = if rest { (1.0 - high, 1.0 - low) } else { (low, high) };
    if low > limit {
        return Some(true);
    }
    (high <= limit).then_some(false)
}

/// Tests whether perfect players show a flaw.
fn exactly(solved: &Value, flag: &str) -> bool {
    let turn = solved["turn"] == "first";
    match (solved["value"].as_str(), flag) {
        (Some("win"), "biased_first") | (Some("lose"), "biased_second") => turn,
        (Some("lose"), "biased_first") | (Some("win"), "biased_second") => !turn,
        (Some("tie" | "draw"), flag) => flag == "drawish",
        _ => false,
    }
}

/// Numbers of games with a wrong or open verdict.
#[derive(Default)]
struct Tally {
    answers: usize,
    /// Number of games that were played at sixteen times the iterations.
    played: usize,
    wrong_in_play: usize,
    wrong_exactly: usize,
    open: usize,
}

impl Tally {
    fn of(results: &[Calibrated], state: impl Fn(&Calibrated, &str) -> Option<bool>) -> Tally {
        let mut tally = Tally::default();
        for result in results {
            let strongest = result
                .stronger
                .as_ref()
                .and_then(|stronger| Some((stronger, stronger["ladder"].as_array()?.last()?)));
            tally.played += usize::from(strongest.is_some());
            let (mut in_play, mut exact, mut open) = (false, false, false);
            for flag in FLAGS {
                let Some(answer) = state(result, flag) else {
                    open = true;
                    continue;
                };
                tally.answers += 1;
                let at_16 = strongest.and_then(|(report, rung)| at_rung(report, rung, flag));
                in_play |= at_16.is_some_and(|truth| truth != answer);
                exact |= exactly(&result.default["solved"], flag) != answer;
            }
            tally.wrong_in_play += usize::from(in_play);
            tally.wrong_exactly += usize::from(exact);
            tally.open += usize::from(open);
        }
        tally
    }

    fn row(&self, name: &str, games: usize) -> String {
        let share = |n: usize, of: usize| format!("{n} ({:.1}%)", 100.0 * n as f64 / of as f64);
        format!(
            "| {name} | {} | {} | {} | {} |\n",
            self.answers,
            share(self.wrong_in_play, self.played),
            share(self.wrong_exactly, games),
            share(self.open, games)
        )
    }
}

fn summary(results: &[Calibrated]) -> Result<String> {
    let answer = |report: &Value, flag: &str| match state(report, flag) {
        "yes" => Some(true),
        "no" => Some(false),
        _ => None,
    };
    let games = results.len();
    let mut text = String::from(
        "| judged by | definite answers | games wrong about 16 times the iterations | games against the exact value | games with an open answer |\n|---|---:|---:|---:|---:|\n",
    );
    for (n, name) in ["a sixteenth", "a quarter", "once", "four times"].into_iter().enumerate() {
        let tally = Tally::of(results, |result, flag| {
            at_rung(&result.default, &result.default["ladder"][n], flag)
        });
        text += &tally.row(&format!("{name} the iterations alone, by its interval"), games);
    }
    text += &Tally::of(results, |r, flag| answer(&r.no_ladder, flag)).row("one strength", games);
    text += &Tally::of(results, |r, flag| answer(&r.unsolved, flag)).row("the ladder", games);
    text += &Tally::of(results, |r, flag| answer(&r.default, flag))
        .row("the ladder and the exact value (default)", games);
    let played = results.iter().filter(|result| result.stronger.is_some()).count();
    text += &format!(
        "\n{games} games, {played} of them played at 16 times the iterations.\n\nWrong in spite of the ladder, without the exact value:\n\n"
    );
    for result in results {
        let Some(stronger) = &result.stronger else { continue };
        let rungs = stronger["ladder"].as_array().context("a gauge has a ladder")?;
        let Some(strongest) = rungs.last() else { continue };
        for flag in FLAGS {
            let (said, truth) =
                (answer(&result.unsolved, flag), at_rung(stronger, strongest, flag));
            if let (Some(said), Some(truth)) = (said, truth)
                && said != truth
            {
                let measure = if flag == "drawish" { "draw_rate" } else { "first_player" };
                let percents: Vec<String> = rungs
                    .iter()
                    .map(|rung| {
                        format!("{:.0}", 100.0 * rung[measure]["mean"].as_f64().unwrap_or(0.0))
                    })
                    .collect();
                text += &format!(
                    "- `{}`: {flag} {}; `{measure}` from the weakest to the strongest {}%\n",
                    result.default["game"].as_str().unwrap_or("?"),
                    if said { "yes" } else { "no" },
                    percents.join(", ")
                );
            }
        }
    }
    Ok(text)
}
