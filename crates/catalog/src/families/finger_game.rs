//! Family `finger_game`.

use treegauge_games::finger_game::FingerGame;

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "finger_game",
    aliases: &["chopsticks"],
    summary: "tap the opponent's hands until both are out",
    rules: "Each player has two hands with one finger up. In turn a player taps an opposing hand with one of its own, which adds the fingers of the tapping hand; five or more make a hand empty. With one empty hand a player may split the fingers of the other instead. A player with two empty hands loses; the third occurrence of a position is a draw.",
    moves: "the tapping and the tapped hand, left or right, `LR`; `S1` moves one finger to the empty hand",
    parameters: &[Parameter {
        name: "self_tap",
        default: "false",
        values: Values::Flag,
        help: "whether players may tap their own other hand",
    }],
    both: &[],
    presets: &[],
    origin: Some(Origin {
        title: "Finger Game, or Chopsticks",
        group: LibraryGroup::Capture,
        year: "traditional",
        author: None,
        source: "Williams, \"Determining Game Quality Through UCT Tree Shape Analysis\", 2010",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let game = FingerGame::new(args.flag("self_tap"), args.ply_cap());
    Ok(visitor.visit(Entry::new(game).actions().tensor().symmetric().indexed()))
}
