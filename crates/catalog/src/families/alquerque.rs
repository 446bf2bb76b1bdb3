//! `alquerque`.

use treegauge_core::Plies;
use treegauge_games::alquerque::Alquerque;

use crate::{Args, Entry, Family, Parameter, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "alquerque",
    aliases: &["qirkat"],
    summary: "capture all men, along the lines of the board, or shut them in",
    parameters: &[Parameter {
        name: "draw_plies",
        default: "100",
        values: Values::Whole(1, 1_000_000),
        help: "plies without a capture after which the game is drawn",
    }],
    both: &[],
    presets: &[],
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let game = Alquerque::new(Plies(args.whole("draw_plies")), args.ply_cap());
    Ok(visitor.visit(Entry::new(game).symmetric()))
}
