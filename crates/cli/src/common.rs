//! Arguments and steps that several commands share.

use clap::Args;
use treegauge_catalog::{GameSpec, nearest};
use treegauge_core::{Notation, Played};
use treegauge_search::{DEFAULT_CP, ShapeOptions, SpreadThird, UctNodes, Unvisited, Variance};
use treegauge_study::GamesHeader;

use crate::exit::{OrExit, Outcome};

/// The default of `--seed`.
pub(crate) const DEFAULT_SEED: u64 = 1;

/// Where to begin.
#[derive(Debug, Args)]
pub(crate) struct PositionArgs {
    /// Position to begin at, as `show` prints it (default: the start)
    #[arg(long, value_name = "TEXT")]
    pub(crate) position: Option<String>,

    /// Moves to play from there first, separated by spaces
    #[arg(long, value_name = "LINE")]
    pub(crate) moves: Option<String>,
}

impl PositionArgs {
    /// The game in progress that the arguments describe.
    pub(crate) fn played<G: Notation>(&self, game: &G) -> Outcome<Played<G>> {
        self.played_from(game, Played::start(game))
    }

    /// The same where `start` is the start.
    pub(crate) fn played_from<G: Notation>(
        &self,
        game: &G,
        start: Played<G>,
    ) -> Outcome<Played<G>> {
        let mut played = match &self.position {
            Some(text) => Played::from_state(game.parse_position(text).or_data()?),
            None => start,
        };
        for (n, text) in self.line().enumerate() {
            play_text(game, &mut played, text)
                .map_err(|error| format!("move {} of --moves: {error}", n + 1))
                .or_data()?;
        }
        Ok(played)
    }

    /// The header of the record of games that begin here.
    pub(crate) fn header(&self, spec: &GameSpec, seed: u64, opening_plies: u32) -> GamesHeader {
        let moves = self.line().map(str::to_owned).collect();
        GamesHeader::new(spec.canonical(), self.position.clone(), moves, seed, opening_plies)
    }

    /// The moves of `--moves`. A comma behind a move is forgiven; one inside belongs to the move.
    pub(crate) fn line(&self) -> impl Iterator<Item = &str> {
        let line = self.moves.as_deref().unwrap_or_default();
        line.split_whitespace()
            .map(|text| text.trim_end_matches(','))
            .filter(|text| !text.is_empty())
    }
}

/// Plays a move that a user wrote, or says what is wrong with it.
pub(crate) fn play_text<G: Notation>(
    game: &G,
    played: &mut Played<G>,
    text: &str,
) -> Result<G::Move, String> {
    if let Some(ended) = played.ended(game) {
        return Err(format!("the game is over by {}, so {text:?} cannot be played", ended.by));
    }
    match game.parse_move(played.state(), text) {
        Ok(m) => {
            played.play(game, m);
            Ok(m)
        }
        Err(error) => {
            let mut moves = Vec::new();
            game.moves_into(played.state(), &mut moves);
            let texts: Vec<String> =
                moves.iter().map(|&m| game.move_text(played.state(), m)).collect();
            let near = nearest(text, texts.iter().map(String::as_str)).unwrap_or_default();
            Err(format!("{error}; the nearest legal move is `{near}`"))
        }
    }
}

/// Reads a game that a user named.
pub(crate) fn game_spec(text: &str) -> Outcome<GameSpec> {
    GameSpec::parse(text).or_usage()
}

/// The exploration constant of searches.
#[derive(Debug, Args)]
pub(crate) struct CpArg {
    /// Exploration constant C_p on rewards in [0, 1]
    #[arg(long, value_name = "X", default_value_t = DEFAULT_CP, value_parser = parse_cp)]
    pub(crate) cp: f64,
}

fn parse_cp(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|cp: &f64| (0.0..=1_000.0).contains(cp))
        .ok_or_else(|| "a number from 0 to 1000 is wanted".to_owned())
}

/// The choices that the definition of the tree features leaves open.
#[derive(Debug, Args)]
#[command(next_help_heading = "Choices in the tree features")]
pub(crate) struct ShapeArgs {
    /// How a third of the moves is rounded in `spread_third`
    #[arg(long, value_name = "HOW", value_parser = ["up", "down", "nearest"], default_value = "up")]
    spread_third: String,

    /// What variances are divided by: the number of values, or one less
    #[arg(long, value_name = "KIND", value_parser = ["population", "sample"], default_value = "population")]
    variance: String,

    /// Nodes counted by `uct_fraction`: more visits than moves, or at least as many
    #[arg(long, value_name = "WHICH", value_parser = ["strict", "non-leaf"], default_value = "strict")]
    uct_nodes: String,

    /// What an untried move adds to `score_drift`: an average of zero, or nothing
    #[arg(long, value_name = "HOW", value_parser = ["zero", "skip"], default_value = "zero")]
    unvisited: String,
}

impl ShapeArgs {
    pub(crate) fn options(&self) -> ShapeOptions {
        ShapeOptions {
            spread_third: match self.spread_third.as_str() {
                "down" => SpreadThird::Down,
                "nearest" => SpreadThird::Nearest,
                _ => SpreadThird::Up,
            },
            variance: match self.variance.as_str() {
                "sample" => Variance::Sample,
                _ => Variance::Population,
            },
            uct_nodes: match self.uct_nodes.as_str() {
                "non-leaf" => UctNodes::NonLeaf,
                _ => UctNodes::Strict,
            },
            unvisited: match self.unvisited.as_str() {
                "skip" => Unvisited::Skip,
                _ => Unvisited::Zero,
            },
        }
    }
}
