//! Men of chess as pictures.

use crate::Player;

/// Kind of man of chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Chessman {
    /// Pawn.
    Pawn,
    /// Knight.
    Knight,
    /// Bishop.
    Bishop,
    /// Rook.
    Rook,
    /// Queen.
    Queen,
    /// King.
    King,
}

/// SVG shapes of the men, each in a box of 45 by 45.
const SHAPES: [(Chessman, &str); 6] = [
    (
        Chessman::Pawn,
        "<path d=\"M12 39H33C33 33 27 30 26 22A6.5 6.5 0 1 0 19 22C18 30 12 33 12 39Z\"/>",
    ),
    (
        Chessman::Knight,
        "<path d=\"M13 39H34C35 24 32 13 21 9L19 5L16 10C11 14 10 20 7 25C7 28 9 30 12 29L16 26C19 26 21 25 23 22C23 29 14 31 13 39Z\"/><circle cx=\"16\" cy=\"16.5\" r=\"1.2\" class=\"eye\"/>",
    ),
    (
        Chessman::Bishop,
        "<circle cx=\"22.5\" cy=\"7.5\" r=\"2.6\"/><path d=\"M22.5 10C13 17 13 25 17.5 30H27.5C32 25 32 17 22.5 10Z\"/><path d=\"M12 39H33C33 35 29 34 28 31H17C16 34 12 35 12 39Z\"/><path d=\"M22.5 15V24M18.5 19H26.5\" class=\"line\"/>",
    ),
    (
        Chessman::Rook,
        "<path d=\"M11 39H34V35L30 32L29 19L33 16V8H28V11H25V8H20V11H17V8H12V16L16 19L15 32L11 35Z\"/><path d=\"M16 19H29\" class=\"line\"/>",
    ),
    (
        Chessman::Queen,
        "<path d=\"M8 14L13 32H32L37 14L30 23L28.5 9L22.5 22L16.5 9L15 23Z\"/><path d=\"M12 39H33C33 36 32 34 32 32H13C13 34 12 36 12 39Z\"/><circle cx=\"8\" cy=\"12\" r=\"2.4\"/><circle cx=\"16.5\" cy=\"7\" r=\"2.4\"/><circle cx=\"28.5\" cy=\"7\" r=\"2.4\"/><circle cx=\"37\" cy=\"12\" r=\"2.4\"/>",
    ),
    (
        Chessman::King,
        "<path d=\"M22.5 3V18M18 7.5H27\" class=\"cross\"/><path d=\"M13 32C4 22 12 12 22.5 18C33 12 41 22 32 32Z\"/><path d=\"M12 39H33C33 36 32 34 32 32H13C13 34 12 36 12 39Z\"/><path d=\"M22.5 18V28\" class=\"line\"/>",
    ),
];

/// Colours of one side's men, as SVG attributes: a strict content security policy refuses style
/// sheets inside pictures.
struct Look {
    /// Attributes of a whole man.
    man: &'static str,
    /// Attributes that replace the class of a part of a shape, by class name.
    parts: [(&'static str, &'static str); 3],
}

/// Looks of the first player, White, and of the second.
const LOOKS: [Look; 2] = [
    Look {
        man: "fill=\"#fff\" stroke=\"#1d2430\" stroke-width=\"1.4\" stroke-linejoin=\"round\"",
        parts: [
            ("eye", "fill=\"#1d2430\""),
            ("line", "fill=\"none\" stroke-width=\"1.8\" stroke-linecap=\"round\""),
            ("cross", "fill=\"none\" stroke-width=\"2.4\" stroke-linecap=\"round\""),
        ],
    },
    Look {
        man: "fill=\"#2b3442\" stroke=\"#1d2430\" stroke-width=\"1.4\" stroke-linejoin=\"round\"",
        parts: [
            ("eye", "fill=\"#fff\" stroke=\"none\""),
            (
                "line",
                "fill=\"none\" stroke=\"#aeb9c7\" stroke-width=\"1.8\" stroke-linecap=\"round\"",
            ),
            ("cross", "fill=\"none\" stroke-width=\"2.4\" stroke-linecap=\"round\""),
        ],
    },
];

impl Chessman {
    /// Side of the box in which [`Chessman::svg`] draws.
    pub const BOX: f64 = 45.0;

    /// English name, in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Chessman::Pawn => "pawn",
            Chessman::Knight => "knight",
            Chessman::Bishop => "bishop",
            Chessman::Rook => "rook",
            Chessman::Queen => "queen",
            Chessman::King => "king",
        }
    }

    /// English letter, as a capital: `N` for a knight.
    #[must_use]
    pub fn letter(self) -> char {
        match self {
            Chessman::Pawn => 'P',
            Chessman::Knight => 'N',
            Chessman::Bishop => 'B',
            Chessman::Rook => 'R',
            Chessman::Queen => 'Q',
            Chessman::King => 'K',
        }
    }

    /// SVG group that draws the man of a player in a box of 45 by 45. The first player is White.
    #[must_use]
    pub fn svg(self, owner: Player) -> String {
        let look = &LOOKS[owner.index()];
        let shape = SHAPES.iter().find(|(man, _)| *man == self).map_or("", |(_, shape)| shape);
        let mut shape = shape.to_owned();
        for (name, attributes) in look.parts {
            shape = shape.replace(&format!("class=\"{name}\""), attributes);
        }
        format!("<g {}>{shape}</g>", look.man)
    }
}
