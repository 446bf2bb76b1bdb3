//! `finger_game`.

use treegauge_games::finger_game::FingerGame;

use crate::{Args, Entry, Family, Parameter, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "finger_game",
    aliases: &[],
    summary: "tap the opponent's hands until both are out",
    parameters: &[Parameter {
        name: "self_tap",
        default: "false",
        values: Values::Flag,
        help: "whether players may tap their own other hand",
    }],
    both: &[],
    presets: &[],
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let game = FingerGame::new(args.flag("self_tap"), args.ply_cap());
    Ok(visitor.visit(Entry::new(game).symmetric().indexed()))
}
