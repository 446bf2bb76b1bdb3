//! Family `oware`.

use treegauge_core::Plies;
use treegauge_games::oware::{Capture, GrandSlam, Limit, Oware};

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Preset, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "oware",
    aliases: &["awari", "awale", "wari"],
    summary: "sow seeds around the board and capture twos and threes; more seeds win",
    rules: "In turn a player takes all seeds of one of its houses and sows them one by one counter-clockwise, past the house that they came from. A last seed that makes an opposing house hold {capture|two or three} captures {chain=false:these alone|these and those of the houses before it that hold as many}. A player without seeds must be given some. More than half of the seeds win. After {draw_plies} plies without a capture, and at the third occurrence of a position, {limit=draw:the game is a draw|each player takes the seeds on its side, and more seeds win}.",
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
            name: "capture",
            default: "2-3",
            values: Values::Word(&["2-3", "1", "2", "3", "4", "5", "6", "7", "8", "9"]),
            help: "the numbers of seeds that are captured",
        },
        Parameter {
            name: "chain",
            default: "true",
            values: Values::Flag,
            help: "whether houses before the last one are captured too",
        },
        Parameter {
            name: "grand_slam",
            default: "none",
            values: Values::Word(&["none", "all"]),
            help: "seeds taken by a capture of all the opponent's seeds",
        },
        Parameter {
            name: "draw_plies",
            default: "100",
            values: Values::Whole(1, 1_000_000),
            help: "plies without a capture that end the game",
        },
        Parameter {
            name: "limit",
            default: "share",
            values: Values::Word(&["share", "draw"]),
            help: "result after draw_plies or a third occurrence: players take the seeds on their sides, or a draw",
        },
    ],
    both: &[],
    presets: &[Preset {
        name: "broken_oware",
        sets: &[("capture", "5"), ("chain", "false"), ("limit", "draw")],
        summary: "only fives are captured, and only in the last house: drawish",
    }],
    origin: Some(Origin {
        title: "Oware",
        group: LibraryGroup::Sowing,
        year: "traditional, West Africa",
        author: None,
        source: "Wikipedia, \"Oware\"",
        differs: None,
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let capture = match args.text("capture") {
        "2-3" => Capture::TwoOrThree,
        number => Capture::Exactly(number.parse().expect("the other words are numbers")),
    };
    let slams = if args.text("grand_slam") == "all" { GrandSlam::All } else { GrandSlam::None };
    let mut game = Oware::new(args.whole("houses"), args.whole("seeds"), args.ply_cap())
        .capturing(capture)
        .with_grand_slam(slams)
        .with_draw_plies(Plies(args.whole("draw_plies")))
        .with_limit(if args.text("limit") == "draw" { Limit::Draw } else { Limit::Share });
    if !args.flag("chain") {
        game = game.without_chain();
    }
    Ok(visitor.visit(Entry::new(game).actions().tensor().graded()))
}
