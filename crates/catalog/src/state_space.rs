//! Published numbers of positions of games that are far too large to solve here.

use crate::GameSpec;

/// Number of positions of a game that is too large to be solved with the memory of one machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateSpace {
    /// Canonical name of the game.
    pub game: &'static str,
    /// Number of positions in words.
    pub positions: &'static str,
    /// Publication of the number.
    pub source: &'static str,
    /// Smaller game of the same kind that a laptop solves in seconds, if there is one.
    pub smaller: Option<&'static str>,
}

/// Published numbers for the usual boards.
const STATE_SPACES: [StateSpace; 6] = [
    StateSpace {
        game: "connect_four",
        positions: "4,531,985,219,092 positions",
        source: "Edelkamp and Kissmann 2008",
        smaller: Some("connect_four(cols=5,rows=4)"),
    },
    StateSpace {
        game: "checkers",
        positions: "about 5 * 10^20 positions",
        source: "Schaeffer et al. 2007",
        smaller: None,
    },
    StateSpace {
        game: "mnk",
        positions: "about 10^105 positions",
        source: "Allis 1994",
        smaller: Some("mnk(rows=4,cols=4,k=4)"),
    },
    StateSpace {
        game: "othello",
        positions: "about 10^28 positions",
        source: "Allis 1994",
        smaller: Some("othello(size=4)"),
    },
    StateSpace {
        game: "oware",
        positions: "about 10^12 positions",
        source: "Allis 1994",
        smaller: Some("oware(houses=2)"),
    },
    StateSpace {
        game: "qubic",
        positions: "about 10^30 positions",
        source: "Allis 1994",
        smaller: None,
    },
];

impl GameSpec {
    /// Returns the published number of positions of a game that is far too large to solve; `None`
    /// if none is known.
    #[must_use]
    pub fn state_space(&self) -> Option<&'static StateSpace> {
        let canonical = self.canonical();
        STATE_SPACES.iter().find(|space| space.game == canonical)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_numbers_are_of_games_of_the_catalog() {
        for space in &STATE_SPACES {
            let spec = GameSpec::parse(space.game).unwrap();
            assert_eq!(spec.state_space(), Some(space));
            if let Some(smaller) = space.smaller {
                assert_eq!(GameSpec::parse(smaller).unwrap().state_space(), None, "{smaller}");
            }
        }
    }
}
