//! Family `dots_corridor`.

use treegauge_games::dots_corridor::DotsCorridor;

use crate::{
    Args, Entry, Family, GameSpec, LibraryGroup, Origin, Parameter, SpecError, Values, Visitor,
};

pub(crate) const FAMILY: Family = Family {
    name: "dots_corridor",
    aliases: &[],
    summary: "a row of open boxes to be taken one after the other: a test of searches",
    rules: "A row of boxes whose long sides and left end are drawn. In turn each player draws one of the missing walls. A player that closes a box wins it and moves again. When all walls are drawn, the player with more boxes wins.",
    moves: "the number of the box that the wall is to the right of, `3`",
    parameters: &[Parameter {
        name: "length",
        default: "12",
        values: Values::Whole(1, 60),
        help: "boxes in the row",
    }],
    both: &[],
    presets: &[],
    origin: Some(Origin {
        title: "Corridor of Dots and Boxes",
        group: LibraryGroup::Capture,
        year: "2010",
        author: None,
        source: "Williams, \"Determining Game Quality Through UCT Tree Shape Analysis\", 2010, figure 5.13",
        differs: None,
    }),
};

impl GameSpec {
    /// Corridor of `length` boxes: the board of Williams 2010, figure 5.13.
    ///
    /// # Errors
    ///
    /// When `length` is 0 or too large.
    ///
    /// ```
    /// let spec = treegauge_catalog::GameSpec::corridor_of_boxes(5).unwrap();
    /// assert_eq!(spec.canonical(), "dots_corridor(length=5)");
    /// ```
    pub fn corridor_of_boxes(length: u32) -> Result<GameSpec, SpecError> {
        let Family { name, parameters, .. } = FAMILY;
        GameSpec::parse(&format!("{name}({}={length})", parameters[0].name))
    }
}

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let game = DotsCorridor::new(args.whole("length"), args.ply_cap());
    Ok(visitor.visit(Entry::new(game).actions().tensor().tiered().graded()))
}
