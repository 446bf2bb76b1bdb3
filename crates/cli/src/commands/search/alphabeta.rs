//! `treegauge search --player`: alpha-beta.

use serde::Serialize;
use treegauge_catalog::{Entry, GameSpec, Visitor};
use treegauge_core::{Keyed, Notation, Played};
use treegauge_search::{AlphaBetaReport, Chooser, Seed, Stopped, plies_to_end};

use super::{Arguments, unfinished};
use crate::common::DEFAULT_SEED;
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::interrupt;
use crate::output::{counted, plies, print, print_json};
use crate::players::{AlphaBetaSpec, PlayerSpec};

#[derive(Serialize)]
struct Report {
    game: String,
    position: String,
    player: String,
    turn: String,
    best_move: String,
    /// By the evaluator, for the player to move; none where the line ends with a win or loss, or the
    /// game is decided.
    value: Option<f64>,
    /// `win`, `lose` or `tie` for the player to move, where that is proved.
    decided: Option<&'static str>,
    /// Plies to the end of a line that is won or lost.
    plies_to_end: Option<u32>,
    depth: u32,
    nodes: u64,
    stopped: Stopped,
    principal_variation: Vec<String>,
}

/// Searches by the player of that text, which must be alpha-beta.
pub(super) fn run(arguments: &Arguments, spec: &GameSpec, player: &str) -> Outcome {
    let PlayerSpec::AlphaBeta(player) = PlayerSpec::parse(player)? else {
        let message = format!(
            "--player takes alphabeta(eval=NAME,nodes=N); without it UCT searches, and {player} \
             is neither"
        );
        return Err(Failure::new(Exit::Usage, message));
    };
    interrupt::flag();
    let run = Run { arguments, game: spec.to_string(), canonical: spec.canonical(), player };
    let report = spec.with_game(run).or_usage()??;
    if arguments.json {
        print_json(&report)?
    } else {
        print(&in_words(&report))?
    }
    if interrupt::requested() {
        return Err(Failure::interrupted("interrupted: the search is shorter than was asked for"));
    }
    Ok(())
}

struct Run<'a> {
    arguments: &'a Arguments,
    game: String,
    canonical: String,
    player: AlphaBetaSpec,
}

impl Visitor for Run<'_> {
    type Output = Outcome<Report>;

    fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Outcome<Report> {
        let game = &entry.game;
        let played = unfinished(game, &self.arguments.at)?;
        let evaluator = self.player.evaluator(&entry, &self.canonical)?;
        let unit = evaluator.unit();
        let mut chooser = self.player.chooser(evaluator);
        chooser.choose(game, &played, &mut Seed(DEFAULT_SEED).generator());
        let found = chooser.last_report().expect("it has just searched").clone();
        let decided = found.decided().map(|sign| match sign {
            1 => "win",
            -1 => "lose",
            _ => "tie",
        });
        let end = plies_to_end(found.value).map(|plies| plies.0);
        let line = line(game, played.clone(), &found);
        Ok(Report {
            game: self.game,
            position: game.position_text(played.state()),
            player: self.player.to_string(),
            turn: game.turn(played.state()).to_string(),
            best_move: found.best.map(|m| game.move_text(played.state(), m)).unwrap_or_default(),
            value: (decided.is_none() && end.is_none()).then(|| f64::from(found.value) / unit),
            decided,
            plies_to_end: end,
            depth: found.depth,
            nodes: found.nodes,
            stopped: found.stopped,
            principal_variation: line,
        })
    }
}

/// The principal variation in words.
fn line<G: Notation>(
    game: &G,
    mut played: Played<G>,
    found: &AlphaBetaReport<G::Move>,
) -> Vec<String> {
    let text = |&m: &G::Move| {
        let text = game.move_text(played.state(), m);
        played.play(game, m);
        text
    };
    found.pv.iter().map(text).collect()
}

fn in_words(report: &Report) -> String {
    let Report { turn, best_move, .. } = report;
    let mut text = format!(
        "{} from {}\n{}: {} deep, {}\n\n",
        report.game,
        report.position,
        report.player,
        plies(report.depth),
        counted(report.nodes, "node")
    );
    if report.depth == 0 {
        text.push_str("The search ended before it had looked a ply ahead.\n");
    }
    let end = report.plies_to_end.map_or(String::new(), |n| format!(" in {}", plies(n)));
    let worth = match (report.decided, report.value) {
        (Some("win"), _) => format!("wins{end}, against any defence"),
        (Some("lose"), _) => format!("loses{end} at best"),
        (Some(_), _) => "can force a draw, and no more".to_owned(),
        (None, Some(value)) => format!("has a value of {value:+} by this evaluation"),
        // The search ended in the middle of an iteration.
        (None, None) => format!("loses{end} with it; not every other move was looked at"),
    };
    text.push_str(&format!("The {turn} player should play {best_move}, and {worth}.\n"));
    if !report.principal_variation.is_empty() {
        text.push_str(&format!("best line: {}\n", report.principal_variation.join(" ")));
    }
    text
}
