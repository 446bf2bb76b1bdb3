//! The speed of solvers.

use std::process::Command;
use std::time::Instant;

use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use treegauge::report::NameRow;
use treegauge::solve::{InterestOptions, Options};
use treegauge::{Game, Solved, Watch, name_games, solve};

use super::{median, thousands};
use crate::exit::{Exit, Failure, Outcome};
use crate::interrupt::{self, Stop};
use crate::output::{print, print_json};
use crate::solving::pool;
use crate::terminal::hint;
use treegauge::report::{refused_words, table};
use treegauge_store::memory::share;
use treegauge_store::memory::{forget_peak, peak_bytes, resident_bytes};

/// Solves per game; rates are medians.
const RUNS: usize = 5;

/// A game is not solved again after this many seconds of CPU time.
const SECONDS_MAX: f64 = 30.0;

#[derive(Serialize, Deserialize)]
struct Report {
    threads: u16,
    rows: Vec<Row>,
}

#[derive(Serialize, Deserialize)]
struct Row {
    #[serde(flatten)]
    name: NameRow,
    positions: usize,
    /// Positions per second of the CPU time of all threads, as in all rates.
    solved_per_s: f64,
    solve_s: f64,
    /// The growth of the resident memory during the first solve.
    bytes_per_position: Option<f64>,
    interest_per_s: f64,
    runs: usize,
}

/// Measures games until Ctrl-C.
pub(super) fn run(games: &[Game], threads: u16, json: bool) -> Outcome {
    let mut report = Report { threads, rows: Vec::new() };
    interrupt::flag();
    let watch = Stop;
    for (name, game) in name_games(games).rows.into_iter().zip(games) {
        // Unlike Ctrl-C, SIGTERM does not reach the processes of single games.
        if watch.stop() {
            break;
        }
        hint(&format!("solving {}", name.game));
        let row = match games {
            [_] => pool(Some(threads))?.install(|| measured(name, game, &watch))?,
            _ => apart(name, threads)?,
        };
        match row {
            Some(row) => report.rows.push(row),
            None => break,
        }
    }
    if json {
        print_json(&report)?;
    } else {
        print(&in_words(&report))?;
    }
    let (measured, all) = (report.rows.len(), games.len());
    if measured < all {
        let message = format!("interrupted: {measured} of {all} games were measured");
        return Err(Failure::interrupted(message));
    }
    Ok(())
}

/// Measures one of several games in a process of its own. In one process the memory freed by a game would hide the growth of
/// the next one.
fn apart(name: NameRow, threads: u16) -> Outcome<Option<Row>> {
    let game = &name.game;
    let failed = |error: &dyn std::fmt::Display| {
        Failure::new(Exit::Internal, format!("{game} cannot be measured: {error}"))
    };
    let program = std::env::current_exe().map_err(|error| failed(&error))?;
    let output = Command::new(program)
        .args(["bench", "--solve", game, "--json", "--threads", &threads.to_string()])
        .output()
        .map_err(|error| failed(&error))?;
    if output.status.success() {
        let report: Report =
            serde_json::from_slice(&output.stdout).map_err(|error| failed(&error))?;
        return Ok(report.rows.into_iter().next().map(|row| Row { name, ..row }));
    }
    if interrupt::requested() {
        return Ok(None);
    }
    Err(failed(&String::from_utf8_lossy(&output.stderr).trim()))
}

fn in_words(report: &Report) -> String {
    let rows = report.rows.iter().map(|row| {
        [
            row.name.game.clone(),
            thousands(row.positions as f64),
            thousands(row.solved_per_s),
            format!("{:.2}", row.solve_s),
            row.bytes_per_position.map_or("-".to_owned(), |bytes| format!("{bytes:.1}")),
            thousands(row.interest_per_s),
            row.runs.to_string(),
        ]
    });
    let header =
        ["game", "positions", "solved/s", "seconds", "bytes per position", "interest/s", "runs"];
    let threads = match report.threads {
        1 => "one thread".to_owned(),
        n => format!("{n} threads"),
    };
    format!(
        "{}\n{threads}; positions per second of CPU time, medians of the runs; seconds on the clock; bytes that the memory grew by at most\n",
        table(header, rows, 1..7)
    )
}

/// Measures a game; `None` after an interruption.
fn measured(name: NameRow, game: &Game, watch: &Stop) -> Outcome<Option<Row>> {
    let start = game.start();
    let (mut solved_per_s, mut solve_s, mut interest_per_s) = (vec![], vec![], vec![]);
    let (mut bytes_per_position, mut positions) = (None, 0);
    let all = ProcessTime::now();
    while solved_per_s.len() < RUNS && all.elapsed().as_secs_f64() < SECONDS_MAX {
        forget_peak();
        let before = resident_bytes();
        let (cpu, clock) = (ProcessTime::now(), Instant::now());
        let options = Options { memory_bytes_max: share(), ..Options::default() };
        let solved = solve(game, &start, options, watch).map_err(|error| match error.get() {
            Some(why) => {
                Failure::new(Exit::Usage, format!("cannot solve this: {}", refused_words(why)))
            }
            None => error.into(),
        });
        let Solved::Done(solution) = solved? else { return Ok(None) };
        let seconds = cpu.elapsed().as_secs_f64();
        solve_s.push(clock.elapsed().as_secs_f64());
        positions = solution.len();
        solved_per_s.push(positions as f64 / seconds);
        if solved_per_s.len() == 1
            && let (Some(before), Some(peak)) = (before, peak_bytes())
        {
            bytes_per_position = Some(peak.saturating_sub(before) as f64 / positions as f64);
        }
        let cpu = ProcessTime::now();
        if solution.rate(InterestOptions::default(), None, watch).is_err() {
            return Ok(None);
        }
        interest_per_s.push(positions as f64 / cpu.elapsed().as_secs_f64());
    }
    if watch.stop() {
        return Ok(None);
    }
    Ok(Some(Row {
        name,
        positions,
        runs: solved_per_s.len(),
        solved_per_s: median(solved_per_s),
        solve_s: median(solve_s),
        bytes_per_position,
        interest_per_s: median(interest_per_s),
    }))
}
