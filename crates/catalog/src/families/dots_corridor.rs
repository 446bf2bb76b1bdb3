//! `dots_corridor`.

use treegauge_games::dots_corridor::DotsCorridor;

use crate::{Args, Entry, Family, Parameter, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "dots_corridor",
    aliases: &[],
    summary: "a row of open boxes to be taken one after the other: a test of searches",
    rules: "A row of boxes of which the long sides and the left end are drawn. In turn each player draws one of the walls that are missing. Who closes a box wins it and moves again. When all walls are drawn, more boxes win.",
    moves: "the number of the box that the wall is to the right of, `3`",
    parameters: &[Parameter {
        name: "length",
        default: "12",
        values: Values::Whole(1, 60),
        help: "boxes in the row",
    }],
    both: &[],
    presets: &[],
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let game = DotsCorridor::new(args.whole("length"), args.ply_cap());
    Ok(visitor.visit(Entry::new(game).tiered().graded()))
}
