//! The report of the games that the program knows.

use std::fmt::Write;

use treegauge_study::{GamesReport, ParameterListing};

/// The whole report.
#[must_use]
pub fn games_text(report: &GamesReport) -> String {
    let mut text = String::new();
    for game in &report.games {
        let _ = write!(text, "{}", game.name);
        if !game.aliases.is_empty() {
            let _ = write!(text, " (also {})", game.aliases.join(", "));
        }
        let _ = writeln!(text, ": {}", game.summary);
        for p in &game.parameters {
            let _ = writeln!(text, "    {}", parameter_words(p));
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
                let _ = writeln!(text, "        {}", parameter_words(p));
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
        report.evaluators.join(", ")
    );
    text.push_str(
        "Write a game as name or name(param=value,...), for example \
         'connect_four(cols=5,rows=4)'.\n",
    );
    text
}

fn parameter_words(p: &ParameterListing) -> String {
    format!("{} = {}  [{}] {}", p.name, p.default, p.values, p.help)
}
