//! How far the verdicts of `gauge` can be trusted: the default gauge of many small games beside
//! their exact values and beside far stronger play.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use crate::run::{cargo, root, target};

/// The games that are drawn at random of each family, and of these the most that are kept.
const DRAWS: usize = 120;
const KEPT: usize = 20;

/// The positions of a game that is small enough and not too small, and the plies that it takes.
const POSITIONS_MAX: u64 = 2_000_000;
const POSITIONS_MIN: u64 = 20;
const PLIES_MIN: u64 = 5;

/// The plies of the longest of a few games: longer ones take hours at the greatest strength.
const PLIES_MAX: u64 = 100;

/// Parameters that change how games are stopped and not how they are played.
const LIMITS: [&str; 2] = ["ply_cap", "draw_plies"];

/// How the games of a list are chosen, in words.
const RULE: &str = "Of each family 120 games with random parameters: each whole number from its least \
value to its default, each other one of its values, limits of plies as they are. Of these the first 20 \
that are different, have 20 to 2000000 positions, and take 5 plies or more with best play or never \
end, and at most 100 plies in four games at 50 iterations per move. Families without such games are not there.";

fn list_file() -> PathBuf {
    root().join("testdata/calibration.json")
}

/// Chooses the games, and writes the list of them.
pub(crate) fn choose() -> Result<()> {
    let program = program()?;
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
            // Parameters that do not go together are refused.
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

/// Random numbers that are always the same: SplitMix64 (Steele, Lea and Flood 2014).
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

/// The release build of the program.
struct Program(PathBuf);

fn program() -> Result<Program> {
    crate::run::check(&mut cargo(&[
        "build",
        "--quiet",
        "--release",
        "--package",
        "treegauge-cli",
    ]))?;
    // A copy, so that another build changes nothing in the hours that this takes.
    let folder = target().join("calibration");
    fs::create_dir_all(&folder)?;
    let copy = folder.join("treegauge");
    fs::copy(target().join("release/treegauge"), &copy)?;
    Ok(Program(copy))
}

impl Program {
    /// What it answers as JSON, or its error message.
    fn ask(&self, arguments: &[&str]) -> Result<Value> {
        let mut program = std::process::Command::new(&self.0);
        let output = program.args(arguments).arg("--json").output()?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok(serde_json::from_slice(&output.stdout)?)
    }
}

/// Gauges every game of the list, and prints how often a verdict is wrong about the exact value or
/// about play at sixteen times the iterations. The games that are played are kept in the build folder,
/// so that a second run only judges them again.
pub(crate) fn calibrate() -> Result<()> {
    let program = program()?;
    let folder = target().join("calibration");
    fs::create_dir_all(&folder)?;
    let list: Value = serde_json::from_str(&fs::read_to_string(list_file())?)?;
    let games = list["games"].as_array().context("the list has games")?;
    let mut results = Vec::new();
    for (n, row) in games.iter().enumerate() {
        let game = row["game"].as_str().context("a row has a game")?;
        let file = format!("{}.jsonl", game.replace(['(', ')', ',', '='], "-"));
        let record = folder.join(file).display().to_string();
        eprintln!("{} of {}: {game}", n + 1, games.len());
        let ask =
            |more: &[&str]| program.ask(&[&["gauge", game, "--record", &record], more].concat());
        let no_ladder = ask(&["--ladder", "1", "--solve-limit", "0"])?;
        let default = ask(&[])?;
        let stronger = ask(&["--ladder", "1/16,1/4,1,4,16", "--solve-limit", "0"])?;
        results.push(json!({
            "game": game,
            "exact": row,
            "no_ladder": no_ladder["verdict"],
            "default": default["verdict"],
            "iterations": default["iterations"],
            "branching": default["branching"],
            "thresholds": default["thresholds"],
            "ladder": stronger["ladder"],
        }));
        fs::write(folder.join("results.json"), serde_json::to_string(&results)?)?;
    }
    Ok(())
}
