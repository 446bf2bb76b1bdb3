//! Games behind one dynamic interface, for text and pictures.

use std::fmt::Debug;

use thiserror::Error;
use treegauge_core::{Capability, Ended, Ending, Keyed, Notation, Played, Player, PositionError};

use crate::{Entry, EvaluatorInfo, GameSpec, NamedEvaluator, SpecError, Visitor};
use treegauge_grammar::nearest;

/// A game whose type is hidden. Not for searching: every move goes through text.
pub trait DynGame: Debug + Send + Sync {
    /// The start position.
    fn start(&self) -> Box<dyn DynPosition>;

    /// A position read from text, as the start of a game.
    ///
    /// # Errors
    ///
    /// Every fault of the text.
    fn position(&self, text: &str) -> Result<Box<dyn DynPosition>, PositionError>;

    /// What the game can do.
    fn capabilities(&self) -> Vec<Capability>;

    /// The evaluators that the game brings along.
    fn evaluators(&self) -> Vec<EvaluatorInfo>;

    /// The number of symmetries, the identity included.
    fn symmetry_count(&self) -> usize;
}

/// A game in progress whose type is hidden.
pub trait DynPosition: Debug + Send + Sync {
    /// The position as text.
    fn text(&self) -> String;
    /// A drawing for the terminal.
    fn drawing(&self) -> String;
    /// A drawing as an SVG document.
    fn svg(&self) -> String;
    /// The player to move.
    fn turn(&self) -> Player;
    /// How the game has ended, if it has.
    fn ended(&self) -> Option<Ended>;
    /// The legal moves in their order; none when the game has ended.
    fn moves(&self) -> Vec<String>;
    /// The first player's score less the second's, where the game has scores.
    fn margin(&self) -> Option<i32>;
    /// Plays a move.
    ///
    /// # Errors
    ///
    /// When the game is over or the text is no legal move; nothing changes then.
    fn play(&mut self, text: &str) -> Result<(), PlayError>;
    /// A copy that can be played on apart.
    fn boxed_clone(&self) -> Box<dyn DynPosition>;
}

/// Why a move could not be played.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The game has ended.
    #[error("the game is over by {by}, so {text:?} cannot be played")]
    Over {
        /// The text of the move.
        text: String,
        /// What ended the game.
        by: Ending,
    },
    /// The text is no legal move.
    #[error("{text:?} is not a legal move here; the nearest is `{nearest}`")]
    Move {
        /// The text.
        text: String,
        /// The most similar legal move.
        nearest: String,
    },
}

/// Opens a game.
///
/// # Errors
///
/// When its parameters together make no game.
pub fn open(spec: &GameSpec) -> Result<Box<dyn DynGame>, SpecError> {
    struct Hide;
    impl Visitor for Hide {
        type Output = Box<dyn DynGame>;
        fn visit<G: Notation + Keyed>(self, entry: Entry<G>) -> Self::Output {
            Box::new(Hidden { entry })
        }
    }
    spec.with_game(Hide)
}

struct Hidden<G: Notation + Keyed> {
    entry: Entry<G>,
}

impl<G: Notation + Keyed> Debug for Hidden<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Hidden").field("capabilities", &self.entry.capabilities().list()).finish()
    }
}

impl<G: Notation + Keyed> DynGame for Hidden<G> {
    fn start(&self) -> Box<dyn DynPosition> {
        let played = Played::start(&self.entry.game);
        Box::new(HiddenPosition { entry: self.entry.clone(), played })
    }

    fn position(&self, text: &str) -> Result<Box<dyn DynPosition>, PositionError> {
        let played = Played::from_state(self.entry.game.parse_position(text)?);
        Ok(Box::new(HiddenPosition { entry: self.entry.clone(), played }))
    }

    fn capabilities(&self) -> Vec<Capability> {
        self.entry.capabilities().list()
    }

    fn evaluators(&self) -> Vec<EvaluatorInfo> {
        self.entry.evaluators().iter().map(NamedEvaluator::info).collect()
    }

    fn symmetry_count(&self) -> usize {
        self.entry.symmetry_count()
    }
}

#[derive(Clone)]
struct HiddenPosition<G: Notation + Keyed> {
    entry: Entry<G>,
    played: Played<G>,
}

impl<G: Notation + Keyed> HiddenPosition<G> {
    fn legal(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        if self.ended().is_none() {
            self.entry.game.moves_into(self.played.state(), &mut moves);
        }
        moves
    }
}

impl<G: Notation + Keyed> Debug for HiddenPosition<G> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("HiddenPosition").field(self.played.state()).finish()
    }
}

impl<G: Notation + Keyed> DynPosition for HiddenPosition<G> {
    fn text(&self) -> String {
        self.entry.game.position_text(self.played.state())
    }

    fn drawing(&self) -> String {
        self.entry.game.draw_text(self.played.state())
    }

    fn svg(&self) -> String {
        self.entry.game.draw_svg(self.played.state())
    }

    fn turn(&self) -> Player {
        self.entry.game.turn(self.played.state())
    }

    fn ended(&self) -> Option<Ended> {
        self.played.ended(&self.entry.game)
    }

    fn moves(&self) -> Vec<String> {
        let state = self.played.state();
        self.legal().into_iter().map(|m| self.entry.game.move_text(state, m)).collect()
    }

    fn margin(&self) -> Option<i32> {
        self.entry.margin(self.played.state())
    }

    fn play(&mut self, text: &str) -> Result<(), PlayError> {
        if let Some(ended) = self.ended() {
            return Err(PlayError::Over { text: text.to_owned(), by: ended.by });
        }
        match self.entry.game.parse_move(self.played.state(), text) {
            Ok(m) => {
                self.played.play(&self.entry.game, m);
                Ok(())
            }
            Err(error) => {
                let moves = self.moves();
                let near = nearest(&error.text, moves.iter().map(String::as_str));
                Err(PlayError::Move {
                    nearest: near.unwrap_or_default().to_owned(),
                    text: error.text,
                })
            }
        }
    }

    fn boxed_clone(&self) -> Box<dyn DynPosition> {
        Box::new(self.clone())
    }
}
