//! List of the players: one module and one line each.
//!
//! The module of a player has its `FORM`, by which its text is parsed, and a function `read`, which
//! converts the parsed text to a [`PlayerSpec`]. It also has a type that implements
//! [`PlayerKind`](crate::PlayerKind), and the [`Agent`](crate::Agent) that it makes.

use treegauge_grammar::{Error, Form, Parsed};

use crate::player::PlayerSpec;

/// Declares the modules of the players, the table of their forms and the one `match` from a name to
/// its player.
macro_rules! players {
    ($($module:ident,)*) => {
        $(mod $module;)*

        /// All players, in the order of lists for users.
        pub static PLAYERS: &[Form] = &[$($module::FORM,)*];

        /// Converts a parsed text to its player.
        pub(crate) fn read(parsed: &Parsed<'_>) -> Result<PlayerSpec, Error> {
            $(
                if parsed.form.name == $module::FORM.name {
                    return $module::read(parsed);
                }
            )*
            unreachable!("{} is a player of the list", parsed.form.name);
        }
    };
}

players! {
    random,
    intuitive,
    uct,
    alphabeta,
    perfect,
}

pub use alphabeta::{AlphaBetaAgent, AlphaBetaPlayer, MoveBudget};
pub use intuitive::IntuitivePlayer;
pub(crate) use perfect::PerfectAgent;
pub use perfect::PerfectPlayer;
pub use random::RandomPlayer;
pub use uct::UctPlayer;
