//! The list of players: one module and one line each.
//!
//! The module of a player has its `FORM`, by which its text is read; the function `read` from what
//! was read to a [`PlayerSpec`]; a type that is a [`PlayerKind`](crate::PlayerKind); and the
//! [`Agent`](crate::Agent) that it makes.

use treegauge_grammar::{Error, Form, Parsed};

use crate::player::PlayerSpec;

/// Declares the modules of the players, the table of their forms and the one `match` from a name to
/// its player.
macro_rules! players {
    ($($module:ident,)*) => {
        $(mod $module;)*

        /// Every player, in the order in which lists show them.
        pub static PLAYERS: &[Form] = &[$($module::FORM,)*];

        /// The player that was read.
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
