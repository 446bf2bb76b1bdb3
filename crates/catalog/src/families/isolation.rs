//! Family `isolation`.

use treegauge_core::Game;
use treegauge_games::Word;
use treegauge_games::isolation::{
    CenterScore, CustomScore, CustomScore2, CustomScore3, ImprovedScore, Isolation, LIMIT_MAX,
    OpenMoveScore, Piece, Setup, Starts,
};

use crate::{
    Args, Entry, Family, LibraryGroup, NamedEvaluator, Origin, Parameter, Values, Visitor,
};

pub(crate) const FAMILY: Family = Family {
    name: "isolation",
    aliases: &[],
    summary: "move your token; squares are used up; a player who cannot move loses",
    rules: "Each player has a token; in turn each moves it to a free square, and the square that it leaves is blocked. A player that cannot move loses. With `starts=free` the first turn of each player places its token.",
    moves: "the square entered, `d3`; with piece=king_remove also the square removed, `d3-e5`",
    parameters: &[
        Parameter { name: "cols", default: "7", values: Values::Whole(2, 11), help: "columns" },
        Parameter { name: "rows", default: "7", values: Values::Whole(2, 11), help: "rows" },
        Parameter {
            name: "piece",
            default: "knight",
            values: Values::Word(&["knight", "queen", "king_remove"]),
            help: "moves of tokens; a king's player removes a square after each step",
        },
        Parameter {
            name: "starts",
            default: "free",
            values: Values::Word(&["free", "fixed"]),
            help: "whether players place their tokens or begin with them on the board",
        },
    ],
    both: &[],
    presets: &[],
    origin: Some(Origin {
        title: "Isolation",
        group: LibraryGroup::Blocking,
        year: "1972",
        author: Some("Bernd Kienitz"),
        source: "Udacity, course on artificial intelligence, the game with knights",
        differs: Some(
            "by default knights move, and block the squares that they leave; the game of 1972 is `piece=king_remove,starts=fixed`",
        ),
    }),
};

/// Number of moves that the functions of reachable squares look ahead.
const LIMIT: Parameter = Parameter {
    name: "limit",
    default: "3",
    values: Values::Whole(1, LIMIT_MAX as u64),
    help: "moves to look ahead on the board",
};

/// Weight for the other player of squares that the player to move can reach as well.
const F: Parameter = Parameter {
    name: "f",
    default: "0",
    values: Values::Hundredths(0, 100),
    help: "weight of shared squares for the player not to move",
};

fn evaluators<W: Word>() -> Vec<NamedEvaluator<Isolation<W>>> {
    vec![
        NamedEvaluator::new("open_move_score", "moves of the player to move", &[], |_, _| {
            Box::new(OpenMoveScore)
        }),
        NamedEvaluator::new(
            "center_score",
            "distance of the token from the centre",
            &[],
            |_, _| Box::new(CenterScore),
        ),
        NamedEvaluator::new("improved_score", "own moves less the other's", &[], |_, _| {
            Box::new(ImprovedScore)
        }),
        NamedEvaluator::new(
            "custom_score",
            "moves weighed by the exits of their squares, with initiative",
            &[F],
            |game, args| Box::new(CustomScore::new(game, args.hundredths("f"))),
        ),
        NamedEvaluator::new(
            "custom_score_2",
            "difference of the squares that each can reach",
            &[LIMIT],
            |game, args| Box::new(CustomScore2::new(game, args.whole("limit"))),
        ),
        NamedEvaluator::new(
            "custom_score_3",
            "difference of the squares that each reaches first",
            &[LIMIT],
            |game, args| Box::new(CustomScore3::new(game, args.whole("limit"))),
        ),
    ]
}

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    fn go<W: Word, V: Visitor>(setup: Setup, args: &Args, visitor: V) -> Result<V::Output, String> {
        let game = Isolation::<W>::new(setup, args.ply_cap());
        if game.outcome(&game.start()).is_some() {
            return Err("the first player cannot move from the fixed start".to_owned());
        }
        Ok(visitor.visit(
            Entry::new(game).actions().tensor().symmetric().tiered().evaluated(evaluators()),
        ))
    }
    let setup = Setup {
        cols: args.whole("cols"),
        rows: args.whole("rows"),
        piece: match args.text("piece") {
            "queen" => Piece::Queen,
            "king_remove" => Piece::KingRemove,
            _ => Piece::Knight,
        },
        starts: match args.text("starts") {
            "fixed" => Starts::Fixed,
            _ => Starts::Free,
        },
    };
    if Isolation::<u64>::bits(setup.cols, setup.rows) <= u64::BITS {
        go::<u64, V>(setup, args, visitor)
    } else {
        go::<u128, V>(setup, args, visitor)
    }
}
