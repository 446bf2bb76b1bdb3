//! Family `achi`.

use treegauge_games::achi::{Achi, Adjacency};

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Preset, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "achi",
    aliases: &[],
    summary: "place men and then move them to neighbouring points; three in a line win",
    rules: "In turn each player places a man on an empty point until all are placed; then each moves a man to a neighbouring empty point. The first with three men in a line wins; who cannot move loses; the third occurrence of a position is a draw.",
    moves: "the point, `b2`, and later the points left and entered, `b2-c3`",
    parameters: &[
        Parameter {
            name: "size",
            default: "3",
            values: Values::Whole(3, 5),
            help: "points on each side of the board",
        },
        Parameter {
            name: "men",
            default: "3",
            values: Values::Whole(3, 12),
            help: "men of each player; one point or more stays empty",
        },
        Parameter {
            name: "adjacency",
            default: "lines",
            values: Values::Word(&["lines", "king", "orth"]),
            help: "diagonals that men move along: every other one, all or none",
        },
    ],
    both: &[],
    presets: &[Preset {
        name: "broken_achi",
        sets: &[("size", "4")],
        summary: "three in a line on 4 x 4 points: over after five plies",
    }],
    origin: Some(Origin {
        title: "Achi",
        group: LibraryGroup::Lines,
        year: "traditional, Ghana",
        author: None,
        source: "Williams, \"Determining Game Quality Through UCT Tree Shape Analysis\", 2010",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let (size, men) = (args.whole("size"), args.whole("men"));
    if 2 * men >= size * size {
        return Err(format!(
            "{} men leave no point empty on a board of {size} x {size} points",
            2 * men
        ));
    }
    let adjacency = match args.text("adjacency") {
        "king" => Adjacency::King,
        "orth" => Adjacency::Orth,
        _ => Adjacency::Lines,
    };
    let game = Achi::new(size, men, adjacency, args.ply_cap());
    Ok(visitor.visit(Entry::new(game).actions().tensor().symmetric().indexed().retrograde()))
}
