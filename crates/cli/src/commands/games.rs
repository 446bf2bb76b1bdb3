//! `treegauge games`.

use std::fmt::Write;

use clap::Args;
use serde::Serialize;
use treegauge_catalog::{FAMILIES, Family, GameSpec, open};

use crate::exit::{OrExit, Outcome};
use crate::output::{print, print_json};
use crate::players::EVALUATORS;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    games: Vec<Game>,
}

#[derive(Serialize)]
struct Game {
    name: &'static str,
    aliases: &'static [&'static str],
    summary: &'static str,
    parameters: Vec<Parameter>,
    short: Vec<Short>,
    capabilities: Vec<&'static str>,
    /// Those of its own; every game has more.
    evaluators: Vec<Evaluator>,
    presets: Vec<Preset>,
}

#[derive(Serialize)]
struct Parameter {
    name: &'static str,
    default: &'static str,
    values: String,
    help: &'static str,
}

/// An evaluator of alpha-beta.
#[derive(Serialize)]
struct Evaluator {
    name: &'static str,
    summary: &'static str,
    parameters: Vec<Parameter>,
}

/// A short name that sets several parameters.
#[derive(Serialize)]
struct Short {
    name: &'static str,
    sets: &'static [&'static str],
}

#[derive(Serialize)]
struct Preset {
    name: &'static str,
    game: String,
    summary: &'static str,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let games = FAMILIES.iter().map(|family| describe(family)).collect::<Outcome<Vec<_>>>()?;
    if arguments.json { print_json(&Report { games }) } else { print(&in_words(&games)) }
}

fn describe(family: &'static Family) -> Outcome<Game> {
    let game = open(&GameSpec::parse(family.name).or_usage()?).or_usage()?;
    let evaluators = game.evaluators().into_iter().map(|evaluator| Evaluator {
        name: evaluator.name,
        summary: evaluator.summary,
        parameters: evaluator.parameters.iter().map(parameter).collect(),
    });
    let presets = family
        .presets
        .iter()
        .map(|preset| {
            let game = GameSpec::parse(preset.name).or_usage()?.canonical();
            Ok(Preset { name: preset.name, game, summary: preset.summary })
        })
        .collect::<Outcome<Vec<_>>>()?;
    Ok(Game {
        name: family.name,
        aliases: family.aliases,
        summary: family.summary,
        parameters: family.all_parameters().map(parameter).collect(),
        short: family.both.iter().map(|&(name, sets)| Short { name, sets }).collect(),
        capabilities: game.capabilities().iter().map(|capability| capability.name()).collect(),
        evaluators: evaluators.collect(),
        presets,
    })
}

fn parameter(p: &treegauge_catalog::Parameter) -> Parameter {
    Parameter { name: p.name, default: p.default, values: p.values.to_string(), help: p.help }
}

fn in_words(games: &[Game]) -> String {
    let mut text = String::new();
    for game in games {
        let _ = write!(text, "{}", game.name);
        if !game.aliases.is_empty() {
            let _ = write!(text, " (also {})", game.aliases.join(", "));
        }
        let _ = writeln!(text, ": {}", game.summary);
        for p in &game.parameters {
            let _ = writeln!(text, "    {} = {}  [{}] {}", p.name, p.default, p.values, p.help);
        }
        for short in &game.short {
            let _ = writeln!(text, "    {} sets {}", short.name, short.sets.join(" and "));
        }
        if !game.capabilities.is_empty() {
            let _ = writeln!(text, "    can be: {}", game.capabilities.join(", "));
        }
        for evaluator in &game.evaluators {
            let _ = writeln!(text, "    eval = {}: {}", evaluator.name, evaluator.summary);
            for p in &evaluator.parameters {
                let _ =
                    writeln!(text, "        {} = {}  [{}] {}", p.name, p.default, p.values, p.help);
            }
        }
        for preset in &game.presets {
            let _ = writeln!(text, "    {} = {}  {}", preset.name, preset.game, preset.summary);
        }
        text.push('\n');
    }
    text.push_str(
        "\
tiered: every move leads to a higher tier, so the game cannot cycle
symmetric: the board can be turned or mirrored
graded: the result has a size, not only a winner
indexed: positions can be numbered without gaps
retrograde: moves can be taken back

",
    );
    let _ = writeln!(
        text,
        "Evaluators of alpha-beta that every game has: {}, and margin where it is graded.",
        EVALUATORS.join(", ")
    );
    text.push_str("Write a game as name or name(param=value,...), for example 'connect_four(cols=5,rows=4)'.\n");
    text
}
