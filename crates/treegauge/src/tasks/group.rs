//! Groups of commands.

/// A group of commands, as help lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Group {
    /// Judges whole games, or searches one position.
    Judge,
    /// Has people or players play a game.
    Play,
    /// Solves games exactly, and works on solved games.
    Solve,
    /// Works on positions of chess.
    Chess,
    /// Lists, shows and makes games.
    Make,
    /// Collects data on many games, and learns from them.
    Study,
    /// Reads the files that other commands wrote.
    Files,
    /// Serves the use of the program itself.
    Program,
}

impl Group {
    /// All groups, in the order of help.
    pub const ALL: [Group; 8] = [
        Group::Judge,
        Group::Play,
        Group::Solve,
        Group::Chess,
        Group::Make,
        Group::Study,
        Group::Files,
        Group::Program,
    ];

    /// The title of the group in help.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Group::Judge => "Judge a game",
            Group::Play => "Play and compare players",
            Group::Solve => "Solve games and find puzzles",
            Group::Chess => "Rate chess puzzles",
            Group::Make => "Make games",
            Group::Study => "Study many games",
            Group::Files => "Use records and reports",
            Group::Program => "Check and set up the program",
        }
    }
}
