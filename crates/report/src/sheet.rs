//! Sheet of puzzles to print.

use maud::html as markup;
use treegauge_core::Player;
use treegauge_doc::{Svg, styled};

use crate::about_game::paragraphs_of;
use crate::show::RulesSection;
use crate::solution::Line;

/// Content of a sheet.
pub(crate) struct Sheet {
    /// Title of the game.
    pub(crate) title: String,
    /// Rules of the game; may be empty.
    pub(crate) rules: Vec<RulesSection>,
    /// Whether the sheet has the solutions.
    pub(crate) solutions: bool,
    pub(crate) puzzles: Vec<SheetPuzzle>,
    /// Signs of the solutions, with their meanings.
    pub(crate) legend: Vec<(&'static str, &'static str)>,
    /// Sentence for a sheet without puzzles.
    pub(crate) none: String,
    /// Method in sentences.
    pub(crate) method: Vec<String>,
}

/// A puzzle in words and as a picture.
pub(crate) struct SheetPuzzle {
    pub(crate) task: String,
    pub(crate) svg: Svg,
    pub(crate) position: String,
    pub(crate) main_line: String,
    pub(crate) uniqueness: String,
    pub(crate) lines: Vec<Line>,
    /// Comments on the solution.
    pub(crate) notes: Vec<String>,
    /// Interestingness and its terms.
    pub(crate) interest: String,
}

/// Tests whether the picture of a board has men that belong to players.
pub(crate) fn has_men(picture: &Svg) -> bool {
    ["class=\"first\"", "class=\"second\""].iter().any(|man| picture.as_str().contains(man))
}

/// Tests whether the picture of a position has X for the first player and O for the second.
/// Positions write the pieces of players in small letters.
pub(crate) fn has_marks(picture: &Svg, position: &str) -> bool {
    let is_drawn = [">X</text>", ">O</text>"].iter().any(|mark| picture.as_str().contains(mark));
    is_drawn && !position.contains(['X', 'O'])
}

/// Colour of a player's men in pictures of boards.
pub(crate) const fn colour(player: Player) -> &'static str {
    match player {
        Player::First => "dark",
        Player::Second => "light",
    }
}

/// Greatest number of lines of a solution in one column. A longer solution is set in several
/// columns if there is room.
const LINES_IN_ONE_COLUMN: usize = 24;

/// Greatest indentation of a line of a solution, in steps. Deeper lines have no room.
const DEPTH_MAX: usize = 12;

// A browser leaves out its own header and footer if a page has boxes in its margins. Six puzzles
// fit on a page; if one would be left over, the last page takes three.
/// Style of a sheet.
pub const SHEET_STYLE: &str = "
@page { margin: 12mm 14mm; @top-left { content: ''; } @bottom-left { content: ''; } }
body { font: 15px/1.4 system-ui, sans-serif; color: #1d2430; background: #ffffff; max-width: 900px; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; margin: 1.2rem 0 .2rem; overflow-wrap: anywhere; break-after: avoid; } .note { color: #5a6575; font-size: .85rem; } .rules { max-width: 46rem; margin: .4rem 0; } .rules.item { margin-left: 1.5em; }
p { text-wrap: pretty; } .name { display: flex; gap: 2rem; margin: 0; } .name span { flex: 2 1 0; border-bottom: 1px solid #8a94a3; padding-bottom: .2rem; } .name span + span { flex: 1 1 0; }
.puzzles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(17rem, 100%), 1fr)); gap: 1.6rem 2.4rem; }
.puzzle { break-inside: avoid; } .puzzle h2, .solution h2 { font-size: 1rem; margin: 0 0 .3rem; overflow-wrap: anywhere; }
.puzzle svg { width: 100%; max-width: 280px; height: auto; max-height: 280px; display: block; } .puzzle p { margin: .3rem 0; overflow-wrap: anywhere; }
.answer { color: #5a6575; font-size: .85rem; border-bottom: 1px solid #8a94a3; padding: .9rem 0 .1rem; }
.solutions { break-before: page; margin-top: 3rem; }
.legend { color: #5a6575; font-size: .85rem; padding-left: 1.2em; } .legend b { font-family: ui-monospace, monospace; color: #1d2430; }
.solution { margin: 0 0 1.4rem; } .solution h2, .solution h2 + .note { break-after: avoid; } .solution .note { margin: .15rem 0; break-inside: avoid; }
.lines { font-family: ui-monospace, monospace; font-size: .85rem; line-height: 1.3; margin: .4rem 0; --step: 1.5em; }
.lines.long { columns: 22em; column-gap: 2em; --step: 1em; }
.in0 { --in: 0; } .in1 { --in: 1; } .in2 { --in: 2; } .in3 { --in: 3; } .in4 { --in: 4; } .in5 { --in: 5; } .in6 { --in: 6; } .in7 { --in: 7; } .in8 { --in: 8; } .in9 { --in: 9; } .in10 { --in: 10; } .in11 { --in: 11; } .in12 { --in: 12; }
.lines p { margin: 0 0 0 calc(var(--in) * var(--step)); padding-left: 1em; text-indent: -1em; overflow-wrap: anywhere; break-inside: avoid; orphans: 2; widows: 2; } .lines p:first-child { break-after: avoid; } .lines p:last-child { break-before: avoid; }
details { margin-top: 2rem; color: #5a6575; font-size: .85rem; } details li, details p { overflow-wrap: anywhere; } summary { cursor: pointer; }
footer { margin-top: 2rem; border-top: 1px solid #ccd3dd; padding-top: .4rem; color: #5a6575; font-size: .8rem; overflow-wrap: anywhere; }
@media (max-width: 640px) { .lines, .lines.long { --step: .6em; } }
@media print { html { font-size: 80%; } details { display: none; } .puzzles { grid-template-columns: 1fr 1fr; } .puzzle:nth-last-child(3):nth-child(6n+5) { break-before: page; } .puzzle svg { max-height: 150px; } .puzzles { row-gap: .8rem; } .puzzle p { margin: .15rem 0; } .puzzle .answer { padding-top: .7rem; } body { font-size: 1rem; max-width: none; margin: 0; padding: 0; } .solutions { margin-top: 0; } }
";

/// HTML page with the puzzles, and the solutions after a page break.
pub(crate) fn sheet(sheet: &Sheet) -> String {
    styled(&format!("Puzzles: {}", sheet.title), SHEET_STYLE, &body(sheet))
}

/// Contents of the page.
pub(crate) fn body(sheet: &Sheet) -> String {
    let has_men = sheet.puzzles.iter().any(|puzzle| has_men(&puzzle.svg));
    let page = markup! {
        p.name { span { "Name" } span { "Date" } }
        h1 { "Find the win: " (sheet.title) }
        (paragraphs_of(&sheet.rules))
        @if sheet.puzzles.is_empty() {
            p { (sheet.none) "." }
        } @else {
            p.note {
                "A win in 2 moves counts the winner's own moves."
                @if has_men {
                    " The first player has the " (colour(Player::First)) " pieces, the second the "
                    (colour(Player::Second)) " ones."
                }
            }
            div.puzzles {
                @for (n, puzzle) in sheet.puzzles.iter().enumerate() {
                    div.puzzle {
                        h2 { "Puzzle " (n + 1) }
                        (puzzle.svg)
                        p { (puzzle.task) }
                        p.answer { "Answer" }
                    }
                }
            }
            @if sheet.solutions { div.solutions {
                h1 { "Solutions" }
                ul.legend {
                    @for (sign, meaning) in &sheet.legend { li { b { (sign) } ": " (meaning) } }
                }
                @for (n, puzzle) in sheet.puzzles.iter().enumerate() {
                    div.solution {
                        h2 { "Puzzle " (n + 1) ": " (puzzle.main_line) }
                        p.note { "The main line; " (puzzle.uniqueness.trim_start_matches("unique: ")) "." }
                        div.lines.long[puzzle.lines.len() > LINES_IN_ONE_COLUMN] {
                            @for line in &puzzle.lines {
                                p class=(format!("in{}", line.depth.min(DEPTH_MAX))) { (line.text) }
                            }
                        }
                        @for note in &puzzle.notes { p.note { (note) } }
                    }
                }
            } }
            details {
                summary { @if sheet.solutions { "For teachers: positions and ratings" } @else { "For teachers: positions" } }
                ul {
                    @for (n, puzzle) in sheet.puzzles.iter().enumerate() {
                        li {
                            "Puzzle " (n + 1) ": " code { (puzzle.position) }
                            @if sheet.solutions { " " (puzzle.interest) }
                        }
                    }
                }
                @if sheet.solutions { p { (sheet.method.join(" ")) } }
            }
        }
    };
    page.into_string()
}
