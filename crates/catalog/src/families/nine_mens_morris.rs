//! Family `nine_mens_morris`.

use treegauge_core::Plies;
use treegauge_games::nine_mens_morris::NineMensMorris;

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Preset, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "nine_mens_morris",
    aliases: &["mill", "mills", "merels"],
    summary: "place and move nine men; three in a row remove one of the opponent's",
    rules: "In turn each player places nine men, then moves one along a line to a neighbouring point. Three men in a row of the board are a mill: a player that closes one {first_mill_wins=true:wins|removes an opposing man}. A player with fewer than three men, or without a move, loses; {draw_plies} plies without a placement or removal, or the third occurrence of a position, are a draw.",
    moves: "the point, `d2`, or the points left and entered, `d2-d3`; a removal follows, `d2-d3xa7`",
    parameters: &[
        Parameter {
            name: "flying",
            default: "false",
            values: Values::Flag,
            help: "whether a player with three men left moves to any empty point",
        },
        Parameter {
            name: "first_mill_wins",
            default: "false",
            values: Values::Flag,
            help: "whether the first mill wins instead of removing a man",
        },
        Parameter {
            name: "draw_plies",
            default: "100",
            values: Values::Whole(1, 1_000_000),
            help: "plies without a placement or a removal after which it is a draw",
        },
    ],
    both: &[],
    presets: &[Preset {
        name: "broken_nine_mens_morris",
        sets: &[("first_mill_wins", "true")],
        summary: "the first mill wins: soon over, and mostly won by the second player",
    }],
    origin: Some(Origin {
        title: "Nine Men's Morris",
        group: LibraryGroup::Lines,
        year: "traditional, Roman Empire or before",
        author: None,
        source: "Wikipedia, \"Nine men's morris\"",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let mut game = NineMensMorris::new(Plies(args.whole("draw_plies")), args.ply_cap());
    if args.flag("flying") {
        game = game.with_flying();
    }
    if args.flag("first_mill_wins") {
        game = game.with_first_mill_winning();
    }
    Ok(visitor.visit(Entry::new(game).actions().tensor().symmetric()))
}
