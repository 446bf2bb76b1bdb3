//! Family `kalah`.

use treegauge_games::kalah::{Captures, Kalah};

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Preset, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "kalah",
    aliases: &[],
    summary: "sow seeds around the board; more seeds in the own store win",
    rules: "In turn a player takes all seeds of one of its houses and sows them one by one counter-clockwise, {sow_stores=false:past the stores|into its own store too}. A last seed in the own store gives another turn; in an own empty house it captures {captures=false:nothing|the seeds opposite}. When one side is empty, the other keeps its seeds, and more seeds win. Without sow_stores a position can come back; its third occurrence is a draw.",
    moves: "the house, 1 from the player's left, `3`",
    parameters: &[
        Parameter {
            name: "houses",
            default: "6",
            values: Values::Whole(1, 7),
            help: "houses of each player",
        },
        Parameter {
            name: "seeds",
            default: "4",
            values: Values::Whole(1, 18),
            help: "seeds in each house at the start",
        },
        Parameter {
            name: "empty_capture",
            default: "false",
            values: Values::Flag,
            help: "whether a last seed goes to the store though the house opposite is empty",
        },
        Parameter {
            name: "sow_stores",
            default: "true",
            values: Values::Flag,
            help: "whether seeds are sown into the own store",
        },
        Parameter {
            name: "captures",
            default: "true",
            values: Values::Flag,
            help: "whether a last seed in an empty house captures",
        },
    ],
    both: &[],
    presets: &[Preset {
        name: "broken_kalah",
        sets: &[("captures", "false")],
        summary: "a last seed in an empty house captures nothing: the first player mostly wins",
    }],
    origin: Some(Origin {
        title: "Kalah",
        group: LibraryGroup::Sowing,
        year: "1940",
        author: Some("William Julius Champion Jr."),
        source: "Wikipedia, \"Kalah\"",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let captures = match (args.flag("captures"), args.flag("empty_capture")) {
        (true, false) => Captures::Seeds,
        (true, true) => Captures::Always,
        (false, false) => Captures::Never,
        (false, true) => return Err("`empty_capture` needs `captures`".to_owned()),
    };
    let (houses, seeds) = (args.whole("houses"), args.whole("seeds"));
    Ok(if args.flag("sow_stores") {
        let game = Kalah::<true>::new(houses, seeds, captures, args.ply_cap());
        visitor.visit(Entry::new(game).actions().tensor().tiered().graded())
    } else {
        let game = Kalah::<false>::new(houses, seeds, captures, args.ply_cap());
        visitor.visit(Entry::new(game).actions().tensor().graded())
    })
}
