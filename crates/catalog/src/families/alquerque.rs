//! Family `alquerque`.

use treegauge_core::Plies;
use treegauge_games::alquerque::Alquerque;

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "alquerque",
    aliases: &["qirkat"],
    summary: "capture all men, along the lines of the board, or shut them in",
    rules: "Each player begins with twelve men on 5 x 5 points and moves them along the lines of the board to neighbouring empty points, in any direction. Jumps over opposing men capture them, are compulsory and continue as long as they can. A player without a man or a move loses; {draw_plies} plies without a capture, or the third occurrence of a position, are a draw.",
    moves: "the points of its path, `c2-c3` or `c2xc4xe4`",
    parameters: &[Parameter {
        name: "draw_plies",
        default: "100",
        values: Values::Whole(1, 1_000_000),
        help: "plies without a capture after which the game is drawn",
    }],
    both: &[],
    presets: &[],
    origin: Some(Origin {
        title: "Alquerque",
        group: LibraryGroup::Capture,
        year: "traditional; described in 1283",
        author: None,
        source: "Alfonso X, \"Libro de los juegos\", 1283; Williams, \"Determining Game Quality Through UCT Tree Shape Analysis\", 2010",
        differs: Some(
            "captures are compulsory and go on, as in the thesis of 2010; the book of 1283 has neither",
        ),
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let game = Alquerque::new(Plies(args.whole("draw_plies")), args.ply_cap());
    Ok(visitor.visit(Entry::new(game).tensor().symmetric()))
}
