//! `limits`: all families of games, and games of many moves, with little memory.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::attack::Class;
use crate::attack::arena::Arena;
use crate::attack::job::{Job, Signal};
use crate::attack::random::Random;
use crate::attack::samples::Samples;
use crate::heavy;
use crate::memory::{bound, idle};

/// Memory limits in MB. Small ones are more frequent, because runs reach them sooner.
const MEGABYTES: [u64; 6] = [16, 16, 64, 64, 64, 256];

/// Time after which a run that has not reached its limit is asked to stop.
const LONG: Duration = Duration::from_secs(6);

/// Time that the run then has to end. It is long, because only memory matters here.
const PATIENCE: Duration = Duration::from_secs(60);

#[derive(Default)]
pub(crate) struct Limits {
    /// Each game with its presets and parameters.
    games: Vec<Game>,
}

struct Game {
    names: Vec<String>,
    parameters: Vec<(String, Vec<String>)>,
}

impl Game {
    fn of(value: &Value) -> Result<Game> {
        let name = value["name"].as_str().context("a game has a name")?.to_owned();
        let presets = value["presets"].as_array().context("a game has presets")?;
        let presets = presets.iter().filter_map(|preset| preset["name"].as_str());
        let names = std::iter::once(name).chain(presets.map(str::to_owned)).collect();
        let parameters = value["parameters"].as_array().context("a game has parameters")?;
        let parameters = parameters.iter().filter_map(|parameter| {
            let name = parameter["name"].as_str()?.to_owned();
            Some((name, values(parameter["values"].as_str()?)))
        });
        Ok(Game { names, parameters: parameters.collect() })
    }

    /// Name of the game, of a preset, or of the game with up to two changed parameters.
    fn any(&self, random: &mut Random) -> String {
        let game = &self.names[0];
        if self.names.len() > 1 && random.one_in(4) {
            return random.pick(&self.names[1..]).clone();
        }
        let mut chosen: Vec<(String, String)> = Vec::new();
        for _ in 0..random.below(3) {
            let (name, values) = random.pick(&self.parameters);
            if chosen.iter().all(|(other, _)| other != name) {
                chosen.push((name.clone(), random.pick(values).clone()));
            }
        }
        if chosen.is_empty() {
            return game.clone();
        }
        let values: Vec<String> =
            chosen.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{game}({})", values.join(","))
    }
}

/// Values of a parameter, from its description by `games`: `1 to 20`, `true or false`, `a | b`.
fn values(text: &str) -> Vec<String> {
    if let Some((low, high)) = text.split_once(" to ")
        && let (Ok(low), Ok(high)) = (low.parse::<u64>(), high.parse::<u64>())
    {
        let between = [low, low + 1, low + 2, low + (high - low) / 4, (low + high) / 2, high];
        return between.map(|value| value.min(high).to_string()).to_vec();
    }
    let values = text.split(" | ").flat_map(|part| part.split(" or "));
    values.map(str::to_owned).collect()
}

impl Class for Limits {
    fn name(&self) -> &'static str {
        "limits"
    }

    fn quick(&self) -> u64 {
        4
    }

    fn prepare(&mut self, samples: &Samples) -> Result<()> {
        let games = samples.games["games"].as_array().context("games has a list")?;
        self.games = games.iter().map(Game::of).collect::<Result<_>>()?;
        Ok(())
    }

    fn attempt(&mut self, arena: &Arena<'_>, random: &mut Random, _: u64) -> Result<()> {
        let megabytes = *random.pick(&MEGABYTES);
        let memory = format!("{megabytes}M");
        let threads = *random.pick(&["1", "2", "4", "8"]);
        let game = if random.one_in(3) {
            heavy::TEXTS.iter().try_for_each(|(name, _)| arena.copy(name, name))?;
            (*random.pick(&heavy::WIDE)).to_owned()
        } else {
            random.pick(&self.games).any(random)
        };
        let mut words: Vec<&str> = match random.below(8) {
            0..3 => vec!["solve", &game],
            3 => vec!["solve", &game, "-o", "out.tgs"],
            4 => vec!["solve", &game, "--symmetry"],
            5 => vec!["interest", &game],
            6 => vec!["puzzles", &game],
            _ => vec!["search", &game, "--iterations", "2e9"],
        };
        if words[0] != "search" {
            words.extend(["--threads", threads]);
        }
        words.extend(["--memory-max", &memory]);
        let job = Job::new(words.iter().copied()).signal(LONG, Signal::Terminate);
        let ran = arena.run(&job.patience(PATIENCE))?;
        let codes: &[i32] = if ran.sent.is_empty() { &[0, 2] } else { &[0, 2, 130] };
        let family = game.split('(').next().unwrap_or(&game);
        if let Some(wrong) = ran.wrong_end(codes) {
            arena.fault(format!("{family}: {wrong}"), &ran);
        } else if ran.code == Some(2) && ran.stderr.is_empty() {
            arena.fault(format!("{family}: exit code 2 without a reason"), &ran);
        }
        let own = arena.run(&idle())?.peak;
        if ran.peak > bound(megabytes << 20, own) {
            arena.fault(format!("{family}: more memory than the limit with its margin"), &ran);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_games_describes_them() {
        assert_eq!(values("1 to 20"), ["1", "2", "3", "5", "10", "20"]);
        assert_eq!(values("1 to 2"), ["1", "2", "2", "1", "1", "2"]);
        assert_eq!(values("true or false"), ["true", "false"]);
        assert_eq!(values("2-3 | 1 | 2"), ["2-3", "1", "2"]);
    }
}
