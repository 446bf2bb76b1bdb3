//! Comparison of speed and random play with OpenSpiel, on the games that both have.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::run::{cargo, check, output, root, target};

/// A game that both have.
struct Pair {
    /// Name of the game here.
    ours: &'static str,
    /// Name of the game in OpenSpiel.
    theirs: &'static str,
    /// Difference in the rules; empty if random play must agree.
    differs: &'static str,
}

const PAIRS: &[Pair] = &[
    Pair { ours: "tic_tac_toe", theirs: "tic_tac_toe", differs: "" },
    Pair { ours: "connect_four", theirs: "connect_four", differs: "" },
    Pair { ours: "qubic", theirs: "gomoku(size=4,dims=3,connect=4)", differs: "" },
    Pair { ours: "mnk(rows=10,cols=10,k=5)", theirs: "mnk(m=10,n=10,k=5)", differs: "" },
    Pair { ours: "mnk", theirs: "mnk(m=15,n=15,k=5)", differs: "" },
    Pair { ours: "breakthrough", theirs: "breakthrough", differs: "" },
    Pair { ours: "othello", theirs: "othello", differs: "" },
    Pair { ours: "dots_and_boxes", theirs: "dots_and_boxes(num_rows=4,num_cols=4)", differs: "" },
    Pair { ours: "kalah", theirs: "mancala", differs: "" },
    Pair {
        ours: "oware",
        theirs: "oware",
        differs: "it ends when a position comes back once, here twice or after 100 plies without capture",
    },
    Pair {
        ours: "checkers",
        theirs: "checkers",
        differs: "each jump of a capture is a ply there, and 40 quiet plies draw, here 100",
    },
    Pair {
        ours: "nine_mens_morris(flying=true)",
        theirs: "nine_mens_morris",
        differs: "taking a man is a ply of its own there, and the game is drawn after 200 plies",
    },
];

/// Number of simulations of each measured search, as in `treegauge bench`.
const SIMULATIONS: &str = "10000";

/// Number of measurements of each, made in turn. The medians are compared.
const ROUNDS: usize = 5;

/// CPU seconds of each measurement.
const SECONDS: &str = "0.5";

/// Number of random games on each side.
const GAMES: &str = "4000";

/// Greatest difference of two equal means, in standard errors of the difference. With the 36
/// comparisons of a run, equal means fail once in about 60 runs; seeds are fixed.
const APART_MAX: f64 = 3.5;

/// Measures and prints tables in Markdown. Fails if random play should agree and does not.
pub(crate) fn compare_openspiel() -> Result<()> {
    let python = Python::install()?;
    check(&mut cargo(&["build", "--release", "--package", "treegauge-cli"]))?;
    println!("# Comparison with OpenSpiel {}\n", python.ask(&["version"])?.as_str().unwrap_or("?"));
    println!(
        "{ROUNDS} rounds in turn, medians; rates per second of CPU time on one thread; searches of \
         {SIMULATIONS} simulations from the start; OpenSpiel: C++ `MCTSBot` with \
         `RandomRolloutEvaluator`, uct_c 2 (C_p 1/sqrt 2).\n"
    );
    println!("| game | playouts/s | OpenSpiel | ratio | UCT iterations/s | OpenSpiel | ratio |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for pair in PAIRS {
        println!("{}", speed_row(&python, pair)?);
    }
    println!("\nUniformly random play, {GAMES} games each, mean ± standard error:\n");
    println!(
        "| game | plies | OpenSpiel | points of the first player | OpenSpiel | draws | OpenSpiel | |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---|");
    let mut failures = Vec::new();
    for pair in PAIRS {
        let (row, apart) = play_row(&python, pair)?;
        println!("{row}");
        if apart && pair.differs.is_empty() {
            failures.push(pair.ours);
        }
    }
    if !failures.is_empty() {
        bail!("random play differs from OpenSpiel's in {}", failures.join(", "));
    }
    Ok(())
}

/// A virtual environment with OpenSpiel, in the ignored target folder.
struct Python {
    program: PathBuf,
}

impl Python {
    fn install() -> Result<Python> {
        let folder = target().join("openspiel");
        let program = folder.join("bin/python");
        if !program.exists() {
            check(Command::new("python3").args(["-m", "venv"]).arg(&folder))
                .context("python3 with its venv module is needed (Debian: python3-venv)")?;
        }
        let mut install = Command::new(&program);
        install.args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "open_spiel",
        ]);
        check(&mut install)?;
        Ok(Python { program })
    }

    fn ask(&self, arguments: &[&str]) -> Result<Value> {
        let script = root().join("xtask/src/openspiel/measure.py");
        let text = output(Command::new(&self.program).arg(script).args(arguments))?;
        Ok(serde_json::from_str(&text)?)
    }
}

/// JSON output of our release build.
fn ask_ours(arguments: &[&str]) -> Result<Value> {
    let program = target().join("release/treegauge");
    Ok(serde_json::from_str(&output(Command::new(program).args(arguments).arg("--json"))?)?)
}

fn number(value: &Value, name: &str) -> Result<f64> {
    value[name].as_f64().with_context(|| format!("no number `{name}` in {value}"))
}

fn speed_row(python: &Python, pair: &Pair) -> Result<String> {
    let rates = ["playouts_per_s", "uct_iterations_per_s"];
    let (mut ours, mut theirs) = ([vec![], vec![]], [vec![], vec![]]);
    for _ in 0..ROUNDS {
        let bench = ask_ours(&["bench", pair.ours, "--seconds", SECONDS])?;
        let other = python.ask(&["rates", pair.theirs, SIMULATIONS, SECONDS])?;
        for (n, rate) in rates.into_iter().enumerate() {
            ours[n].push(number(&bench["rows"][0], rate)?);
            theirs[n].push(number(&other, rate)?);
        }
    }
    let [(a, b), (c, d)] = [0, 1].map(|n| (median(&mut ours[n]), median(&mut theirs[n])));
    let [a_text, b_text, c_text, d_text] = [a, b, c, d].map(thousands);
    Ok(format!(
        "| `{}` | {a_text} | {b_text} | {:.1} | {c_text} | {d_text} | {:.1} |",
        pair.ours,
        a / b,
        c / d
    ))
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Number with three significant digits and commas between thousands.
fn thousands(rate: f64) -> String {
    let unit = 10f64.powf((rate.log10().floor() - 2.0).max(0.0));
    let digits = format!("{:.0}", (rate / unit).round() * unit);
    let mut text = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A mean with its standard error.
#[derive(Clone, Copy)]
struct Estimate {
    mean: f64,
    se: f64,
}

impl Estimate {
    /// Estimate of `gauge`, with the standard error that its interval implies.
    fn ours(value: &Value) -> Result<Estimate> {
        let width = number(value, "high")? - number(value, "low")?;
        Ok(Estimate { mean: number(value, "mean")?, se: width / 2.0 / 1.96 })
    }

    fn theirs(value: &Value) -> Result<Estimate> {
        Ok(Estimate { mean: number(value, "mean")?, se: number(value, "se")? })
    }

    fn is_apart_from(self, other: Estimate) -> bool {
        let se = self.se.hypot(other.se);
        (self.mean - other.mean).abs() > APART_MAX * se
    }
}

/// Row of a pair, and whether one of its means differs.
fn play_row(python: &Python, pair: &Pair) -> Result<(String, bool)> {
    // With one iteration a search tries no move and picks one at random.
    let gauge = ask_ours(&[
        "gauge",
        pair.ours,
        "--iterations",
        "1",
        "--games",
        GAMES,
        "--skill-games",
        "0",
    ])?;
    let other = python.ask(&["random", pair.theirs, GAMES, "1"])?;
    let mut row = format!("| `{}` |", pair.ours);
    let mut apart = Vec::new();
    for (name, digits) in [("plies", 2), ("first_player", 3), ("draw_rate", 3)] {
        let (ours, theirs) = (Estimate::ours(&gauge[name])?, Estimate::theirs(&other[name])?);
        for Estimate { mean, se } in [ours, theirs] {
            row += &format!(" {mean:.digits$} ± {se:.digits$} |");
        }
        if ours.is_apart_from(theirs) {
            apart.push(name);
        }
    }
    let verdict = match (pair.differs, apart.is_empty()) {
        ("", true) => "agrees".to_owned(),
        ("", false) => format!("DIFFERS in {}", apart.join(", ")),
        (why, true) => format!("agrees, though {why}"),
        (why, false) => format!("other rules: {why}"),
    };
    Ok((row + &format!(" {verdict} |"), !apart.is_empty()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_have_three_digits() {
        for (rate, text) in
            [(7.4, "7"), (999.6, "1,000"), (12_345.0, "12,300"), (9.87e6, "9,870,000")]
        {
            assert_eq!(thousands(rate), text);
        }
    }

    #[test]
    fn means_are_apart_by_their_errors() {
        let estimate = |mean| Estimate { mean, se: 0.3 };
        assert!(!estimate(10.0).is_apart_from(estimate(11.4)));
        assert!(estimate(10.0).is_apart_from(estimate(11.6)));
    }
}
