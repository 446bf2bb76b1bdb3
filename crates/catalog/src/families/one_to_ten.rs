//! Family `one_to_ten`.

use treegauge_games::one_to_ten::OneToTen;

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "one_to_ten",
    aliases: &[],
    summary: "count up by small steps; reaching the target wins",
    rules: "In turn each player adds 1 to {max_step} to a total that begins at 0. The player that reaches {target|the target} {misere=true:loses|wins}.",
    moves: "the number added, `2`",
    parameters: &[
        Parameter {
            name: "target",
            default: "10",
            values: Values::Whole(1, 1_000_000),
            help: "the number to reach",
        },
        Parameter {
            name: "max_step",
            default: "2",
            values: Values::Whole(1, 100),
            help: "the greatest step",
        },
        Parameter {
            name: "misere",
            default: "false",
            values: Values::Flag,
            help: "whether reaching the target loses instead",
        },
    ],
    both: &[],
    presets: &[],
    origin: Some(Origin {
        title: "One to Ten",
        group: LibraryGroup::Race,
        year: "year unknown",
        author: None,
        source: "GamesCrafters, University of California, Berkeley",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let (target, max_step) = (args.whole("target"), args.whole("max_step"));
    let game = OneToTen::new(target, max_step, args.flag("misere"), args.ply_cap());
    Ok(visitor.visit(Entry::new(game).actions().tensor().tiered().indexed().retrograde()))
}
