//! Games of people in a table.

use std::collections::HashSet;
use std::error::Error;

use cozy_chess::Move;
use cozy_chess::util::parse_san_move;
use treegauge_human::ChessHistory;

pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

/// Game of two rated people.
pub(crate) struct Game {
    /// Ratings of White and of Black.
    pub(crate) ratings: [u32; 2],
    pub(crate) moves: Vec<Move>,
}

/// Reads a table with the columns winner, white_rating, black_rating and moves (algebraic notation).
/// Of games with the same first 40 plies only the first one is returned: a game that is in the table
/// twice would be in the training and in the test.
pub(crate) fn games(file: &str) -> Outcome<Vec<Game>> {
    let mut seen = HashSet::new();
    let mut games = Vec::new();
    for line in std::fs::read_to_string(file)?.lines().skip(1) {
        let fields: Vec<&str> = line.splitn(4, ',').collect();
        let [_, white, black, moves] = fields[..] else { return Err("four columns".into()) };
        let mut history = ChessHistory::default();
        let mut game = Game { ratings: [white.parse()?, black.parse()?], moves: Vec::new() };
        for word in moves.split_whitespace() {
            let Ok(next) = parse_san_move(history.board(), word) else { break };
            history.play(next);
            game.moves.push(next);
        }
        let opening: Vec<Move> = game.moves.iter().copied().take(40).collect();
        if seen.insert(opening) {
            games.push(game);
        }
    }
    Ok(games)
}

/// Tests whether a game is held out: one in ten.
pub(crate) fn is_held_out(index: usize) -> bool {
    index.is_multiple_of(10)
}
