//! Family `forms`.

use treegauge_games::forms::{Forms, Objective};

use crate::{Args, Entry, Family, LibraryGroup, Origin, Parameter, Values, Visitor};

pub(crate) const FAMILY: Family = Family {
    name: "forms",
    aliases: &[],
    summary: "capture any stone with any stone; what the capture cuts off is lost",
    rules: "The board is full of stones, half of them each player's. In turn a player captures any opposing stone with any own one, which takes its place; all stones that are then not connected to it are removed. The last player with stones {objective=lose_all:loses|wins}.",
    moves: "the two cells, `a1xa3`",
    parameters: &[
        Parameter {
            name: "rows",
            default: "4",
            values: Values::Whole(2, 10),
            help: "rows, an even number",
        },
        Parameter { name: "cols", default: "6", values: Values::Whole(1, 11), help: "columns" },
        Parameter {
            name: "objective",
            default: "last_with",
            values: Values::Word(&["last_with", "lose_all"]),
            help: "whether the last player with stones wins, or the one without",
        },
    ],
    both: &[],
    presets: &[],
    origin: Some(Origin {
        title: "Forms",
        group: LibraryGroup::Capture,
        year: "2007",
        author: Some("Steven W. Meyers"),
        source: "Williams, \"Determining Game Quality Through UCT Tree Shape Analysis\", 2010",
        differs: Some(
            "by default the last player with stones wins, as in the thesis of 2010; the rule of the inventor is `objective=lose_all`",
        ),
    }),
};

pub(crate) fn visit<V: Visitor>(args: &Args, visitor: V) -> Result<V::Output, String> {
    let (rows, cols) = (args.whole("rows"), args.whole("cols"));
    if rows % 2 == 1 {
        return Err(format!("{rows} rows cannot be halved between the players"));
    }
    let objective = match args.text("objective") {
        "lose_all" => Objective::LoseAll,
        _ => Objective::LastWith,
    };
    Ok(if Forms::<u64>::bits(rows, cols) <= u64::BITS {
        let game = Forms::<u64>::new(rows, cols, objective, args.ply_cap());
        visitor.visit(Entry::new(game).actions().tensor().symmetric().tiered())
    } else {
        let game = Forms::<u128>::new(rows, cols, objective, args.ply_cap());
        visitor.visit(Entry::new(game).actions().tensor().symmetric().tiered())
    })
}
