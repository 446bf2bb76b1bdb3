//! Comparison of built-in games with the texts of their rules at every ply.

use std::ops::RangeInclusive;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use treegauge_core::{Ended, Keyed, Notation, Played, Player, uniform_below};

use crate::{Entry, GameSpec, Visitor};

/// Game in progress with an interface of texts.
pub(super) trait Playing {
    /// Continues from a position.
    fn set(&mut self, position: &str);
    fn position(&self) -> String;
    fn turn(&self) -> Player;
    fn ended(&self) -> Option<Ended>;
    /// Legal moves, in the order of their numbers.
    fn moves(&mut self) -> Vec<String>;
    /// Plays the `n`-th of the moves that were last listed.
    fn play(&mut self, n: usize);
}

struct Line<G: Notation> {
    game: G,
    played: Played<G>,
    moves: Vec<G::Move>,
}

impl<G: Notation> Playing for Line<G> {
    fn set(&mut self, position: &str) {
        let state = self.game.parse_position(position).unwrap_or_else(|error| panic!("{error}"));
        self.played = Played::from_state(state);
    }

    fn position(&self) -> String {
        self.game.position_text(self.played.state())
    }

    fn turn(&self) -> Player {
        self.game.turn(self.played.state())
    }

    fn ended(&self) -> Option<Ended> {
        self.played.ended(&self.game)
    }

    fn moves(&mut self) -> Vec<String> {
        self.game.moves_into(self.played.state(), &mut self.moves);
        self.moves.iter().map(|&m| self.game.move_text(self.played.state(), m)).collect()
    }

    fn play(&mut self, n: usize) {
        self.played.play(&self.game, self.moves[n]);
    }
}

struct Begin;

impl Visitor for Begin {
    type Output = Box<dyn Playing>;

    fn visit<G: Notation + Keyed>(self, Entry { game, .. }: Entry<G>) -> Box<dyn Playing> {
        let played = Played::start(&game);
        Box::new(Line { game, played, moves: Vec::new() })
    }
}

pub(super) fn begin(spec: &GameSpec) -> Box<dyn Playing> {
    spec.with_game(Begin).unwrap_or_else(|error| panic!("{error}"))
}

/// Built-in game and a text of its rules.
pub(super) struct Pair {
    /// Text form of the built-in game.
    pub(super) game: String,
    /// Game of the text; `None` if every first move ends the game, which is not allowed in a text.
    pub(super) text: Option<GameSpec>,
    /// Position of the built-in game to begin from; `None` for the start of both.
    pub(super) from: Option<String>,
}

/// Differences in notation between a game and its text.
pub(super) struct Written {
    /// Converts a move of the text to the notation of the game.
    pub(super) game_move: fn(&str) -> String,
    /// Converts a position of the game to the first words of the text's position.
    pub(super) text_position: fn(&str) -> String,
    /// Whether the last positions are the same. The text of a game may settle the rest of the board
    /// only when its result is computed.
    pub(super) same_end: bool,
}

impl Written {
    /// Same notation of moves, boards and players to move.
    pub(super) const ALIKE: Written = Written {
        game_move: str::to_owned,
        text_position: |position| first_words(position, 2),
        same_end: true,
    };
}

pub(super) fn first_words(text: &str, count: usize) -> String {
    text.split(' ').take(count).collect::<Vec<_>>().join(" ")
}

/// Random parameters.
pub(super) struct Pick(Xoshiro256PlusPlus);

impl Pick {
    pub(super) fn new(seed: u64) -> Pick {
        Pick(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    pub(super) fn whole(&mut self, range: RangeInclusive<u32>) -> u32 {
        range.start() + uniform_below(&mut self.0, range.end() - range.start() + 1)
    }

    pub(super) fn flag(&mut self) -> bool {
        self.whole(0..=1) == 1
    }

    pub(super) fn one<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.whole(0..=list.len() as u32 - 1) as usize]
    }
}

/// Plays one random game of both. Without a text, every first move must end the built-in game.
///
/// # Panics
///
/// At the first ply at which the positions, the players to move, the moves or the ends differ.
pub(super) fn agree(pair: &Pair, written: &Written, pick: &mut Pick) {
    let mut game = begin(&GameSpec::parse(&pair.game).unwrap_or_else(|error| panic!("{error}")));
    let Some(text) = &pair.text else {
        let first = pick.whole(0..=game.moves().len() as u32 - 1);
        game.play(first as usize);
        assert!(game.ended().is_some(), "{} goes on after move {first}", pair.game);
        return;
    };
    let mut text = begin(text);
    if let Some(position) = &pair.from {
        game.set(position);
        text.set(&(written.text_position)(position));
    }
    // The first moves by name are mostly those of one piece, which soon returns to its place.
    let to_and_fro = pick.whole(0..=3) == 0;
    loop {
        let (position, of_text) = (game.position(), text.position());
        let at = format!("{position} of {}", pair.game);
        let ended = game.ended();
        assert_eq!(ended, text.ended(), "the end at {at}");
        assert_eq!(game.turn(), text.turn(), "the player to move at {at}");
        if ended.is_none() || written.same_end {
            let expected = (written.text_position)(&position);
            let words = expected.split(' ').count();
            assert_eq!(first_words(&of_text, words), expected, "the position at {at}");
        }
        if ended.is_some() {
            return;
        }
        let numbered = |moves: Vec<String>| {
            let mut moves: Vec<(String, usize)> = moves.into_iter().zip(0..).collect();
            moves.sort_unstable();
            moves
        };
        let moves = numbered(game.moves());
        let of_text = numbered(text.moves().iter().map(|text| (written.game_move)(text)).collect());
        let names = |moves: &[(String, usize)]| -> Vec<String> {
            moves.iter().map(|(name, _)| name.clone()).collect()
        };
        assert_eq!(names(&moves), names(&of_text), "the moves at {at}");
        let most = moves.len() as u32 - 1;
        let n = pick.whole(0..=if to_and_fro { most.min(1) } else { most }) as usize;
        game.play(moves[n].1);
        text.play(of_text[n].1);
    }
}
