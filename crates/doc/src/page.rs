//! Pages: style sheet, content security policy and footer.

use std::sync::LazyLock;

use maud::{DOCTYPE, PreEscaped, html as markup};

/// Colours of boards in dark mode, as variables of a style sheet.
macro_rules! dark_boards {
    () => {
        "--board: #75694f; --board-shade: #5d5240; --board-line: #baa983; --on-board: #f3ecdb; --first: #101c30; --first-edge: #a9c3ec; --second: #f3ecdb; --second-edge: #b0483a; --light: #aab4c0; --dark: #6f8196;"
    };
}

/// Colours of the elements of `svg.position`, by the variables of boards.
macro_rules! board_rules {
    () => {
        ".position .paper { fill: none; } .position .label { fill: currentColor; } .position .ground, .position .square, .position .pit { fill: var(--board); } .position .shade { fill: var(--board-shade); } .position .square, .position .shade, .position .pit, .position .link, .position .curve { stroke: var(--board-line); } .position .filled, .position .dot { fill: var(--board-line); } .position .on-board { fill: var(--on-board); } .position .site { stroke: var(--board); } .position .drawn { stroke: var(--on-board); }
.position .first { fill: var(--first); stroke: var(--first-edge); } .position .second { fill: var(--second); stroke: var(--second-edge); } .position .neutral { fill: var(--board-line); stroke: var(--board-line); } .position .on-first { fill: var(--second); } .position .on-second { fill: var(--second-edge); } .position .on-neutral { fill: var(--ground); } .position .ring { stroke: var(--second-edge); } .position .first-pit { stroke: var(--first-edge); } .position .second-pit { stroke: var(--second-edge); } .position .first-finger, .position .first-side { stroke: var(--first-edge); } .position .second-finger, .position .second-side { stroke: var(--second-edge); } .position .first-line { stroke: var(--first-edge); } .position .second-line { stroke: var(--second-edge); } .position .second-middle { stroke: var(--second); } .position .neutral-line { stroke: var(--board-line); }"
    };
}

/// Colours of trees in dark mode.
macro_rules! dark_trees {
    () => {
        ".game-tree .sheet { fill: #14181e; } .game-tree .ink { fill: #eef1f5; } .game-tree .soft { fill: #a3adba; } .game-tree .box { fill: #1f262f; stroke: #8d99a8; } .game-tree .bar { fill: #c3ccd8; } .game-tree .edge { stroke: #8d99a8; } .game-tree .jump { stroke: #c39ad8; } .game-tree .for-first { fill: #2b68a8; } .game-tree .for-second { fill: #a4511a; } .game-tree .first-value { fill: #7ab8f0; } .game-tree .second-value { fill: #ff9a5c; } .game-tree .even-value { fill: #a3adba; } .game-tree .first-frame { stroke: #7ab8f0; } .game-tree .second-frame { stroke: #ff9a5c; } .game-tree .even-frame { stroke: #8d99a8; } .game-tree .cut { fill: #ff8a80; } .game-tree .cut-edge { stroke: #ff8a80; }"
    };
}

/// Class of pictures of search trees.
pub const TREE_CLASS: &str = "game-tree";

/// Colours of boards in dark mode, as variables of a style sheet. [`STYLE`] has them.
pub const DARK_BOARDS: &str = dark_boards!();

/// Rules for the elements of boards, which read the variables. [`STYLE`] has them.
pub const BOARD_RULES: &str = board_rules!();

/// Rules for the elements of [`TREE_CLASS`] in dark mode. [`STYLE`] has them.
pub const DARK_TREES: &str = dark_trees!();

/// Style sheet of pages; fragments need it too.
pub const STYLE: &str = concat!(
    "
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5a6575; --ground: #ffffff; --box: #f2f5f9; --rule: #ccd3dd; --flaw: #c04a00; --sound: #0b6e99; --open: #8a6d1f; --zone: #f6d9c6; --bar: #0b6e99; --board: #e9dcc3; --board-shade: #cdb891; --board-line: #6f5d3e; --on-board: #23395b; --first: #23395b; --first-edge: #23395b; --second: #f6f1e4; --second-edge: #8c3b2f; --light: #edf1f5; --dark: #9db0c4; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --soft: #a3adba; --ground: #14181e; --box: #1f262f; --rule: #3d4754; --flaw: #ff9a5c; --sound: #6cc3ea; --open: #e2c46a; --zone: #4a2f20; --bar: #6cc3ea; ", dark_boards!(), " } }
", board_rules!(), "
.chess .light { fill: var(--light); } .chess .dark { fill: var(--dark); }
body { font: .9375rem/1.45 system-ui, sans-serif; color: var(--ink); background: var(--ground); max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin-top: 2.2rem; } h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
.verdict { border-left: 6px solid var(--sound); background: var(--box); padding: .8rem 1rem; font-size: 1.08rem; }
.verdict.flawed { border-color: var(--flaw); } .verdict.open { border-color: var(--open); } .verdict b { display: block; font-size: 1.25rem; margin-bottom: .3rem; }
.verdict ul { font-size: .95rem; margin: .4rem 0 0; padding-left: 1.2rem; } .verdict.flawed b { color: var(--flaw); } .verdict.open b { color: var(--open); } .verdict.sound b { color: var(--sound); }
.incomplete { background: var(--box); border-left: 6px solid var(--flaw); padding: .6rem 1rem; }
table { border-collapse: collapse; margin: .6rem 0; } th, td { padding: .22rem .8rem .22rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid var(--rule); font-weight: 600; } td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; } td.interval { white-space: normal; min-width: 7rem; }
.yes { color: var(--flaw); font-weight: 700; } .no { color: var(--sound); } .cannot_tell, .depends_on_strength { color: var(--open); }
.pair { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; } .pair > table { flex: 1 1 560px; } .pair > figure { flex: 0 1 auto; max-width: 520px; } .board { max-width: min(100%, 560px) !important; } .side_by_side { display: flex; flex-wrap: wrap; gap: 0 3rem; } .side_by_side > div { min-width: 0; } .curves { display: flex; flex-wrap: wrap; gap: .3rem; } .curves figcaption { text-align: center; margin-bottom: .5rem; }
.tree { overflow-x: auto; border: 1px solid var(--rule); } figure { margin: 0; } figcaption, .note { color: var(--soft); font-size: .9rem; } figcaption code { white-space: nowrap; }
svg { max-width: 100%; height: auto; } .symbols { position: absolute; } g.tt { cursor: pointer; } g.tt:hover > * { opacity: .75; } .tree svg:not([width]) { width: 100%; min-width: min(100%, 560px); } .tree svg[width] { max-width: none; } .curves svg { width: 260px; }
.paper { background: #ffffff; color: #1d2430; border-radius: 4px; }
@media screen and (prefers-color-scheme: dark) { .paper { background: #1c1c1c; } .paper svg { filter: invert(.89) hue-rotate(180deg); } figure:not(.paper) > svg:not(.position) > rect:first-of-type[fill='#ffffff'] { fill: #aeb6c1; } }
@media screen and (prefers-color-scheme: dark) { ", dark_trees!(), " }
.strengths { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(260px, 100%), 1fr)); gap: 1rem; margin: 1rem 0; }
.strengths svg { width: 100%; } .strengths text { fill: var(--ink); } .strengths .faint { fill: var(--soft); } .strengths .zone { fill: var(--zone); } .strengths .axis { stroke: var(--rule); } .strengths .mark { stroke: var(--bar); fill: var(--bar); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(400px, 100%), 1fr)); gap: 1rem; }
.boards { display: flex; flex-wrap: wrap; gap: 1.2rem; } .boards figure { width: 240px; } .boards svg { width: 100%; max-height: 240px; }
.course { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; break-inside: avoid; } .course figure { flex: 0 1 190px; } .course figure.long { flex: 1 1 260px; max-width: 300px; } .course svg { width: 100%; max-height: 210px; } .moves { font-family: ui-monospace, monospace; font-size: .8rem; color: var(--soft); overflow-wrap: anywhere; margin: .2rem 0 0; }
.problems { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(480px, 100%), 1fr)); gap: 1.2rem; } .problems > .side_by_side { flex-wrap: nowrap; gap: 1rem; border-top: 1px solid var(--rule); padding-top: .6rem; break-inside: avoid; } .problems > .side_by_side > div:first-child { flex: 0 0 210px; } .problems h3 { margin: 0; } .problems p { margin: .25rem 0; } .problems pre { white-space: pre-wrap; font-size: .8rem; }
.problem { display: flex; gap: 1rem; align-items: flex-start; break-inside: avoid; border-top: 1px solid var(--rule); padding-top: .6rem; } .problem > figure { flex: 0 0 210px; } .problem > div { min-width: 0; } .problem h3 { margin: 0; } .problem p { margin: .25rem 0; } .problem pre { white-space: pre-wrap; font-size: .8rem; }
summary { cursor: pointer; font-size: 1.15rem; font-weight: 600; margin-top: 1.6rem; } summary.line { font-size: inherit; font-weight: inherit; margin: 0; } .tone { font-weight: 600; } .tone.sound { color: var(--sound); } .tone.open { color: var(--open); } .tone.flawed { color: var(--flaw); }
.wide { overflow-x: auto; } td.name { overflow-wrap: break-word; min-width: 7rem; } .heat th { text-align: center; } .heat td { vertical-align: middle; } .heat td.cell { min-width: 3.6rem; padding: .45rem .5rem; text-align: center; white-space: nowrap; font-variant-numeric: tabular-nums; border: 1px solid var(--ground); } .intervals { width: 100%; max-width: 480px; } .bars { width: 100%; max-width: 420px; }
.heat0 { background: #e88a7a; color: #1d2430; } .heat1 { background: #ea9587; color: #1d2430; } .heat2 { background: #eca094; color: #1d2430; } .heat3 { background: #edaca0; color: #1d2430; } .heat4 { background: #efb7ad; color: #1d2430; } .heat5 { background: #f1c2ba; color: #1d2430; } .heat6 { background: #f3cdc7; color: #1d2430; } .heat7 { background: #f5d8d4; color: #1d2430; } .heat8 { background: #f6e4e0; color: #1d2430; } .heat9 { background: #f8efed; color: #1d2430; } .heat10 { background: #fafafa; color: #1d2430; }
.heat11 { background: #edf2f8; color: #1d2430; } .heat12 { background: #e0eaf5; color: #1d2430; } .heat13 { background: #d4e1f3; color: #1d2430; } .heat14 { background: #c7d9f0; color: #1d2430; } .heat15 { background: #bad1ee; color: #1d2430; } .heat16 { background: #adc9ec; color: #1d2430; } .heat17 { background: #a0c1e9; color: #1d2430; } .heat18 { background: #94b8e7; color: #1d2430; } .heat19 { background: #87b0e4; color: #1d2430; } .heat20 { background: #7aa8e2; color: #1d2430; }
pre { font-size: .85rem; overflow-x: auto; } .next { margin-top: 1.6rem; border-top: 1px solid var(--rule); padding-top: .6rem; }
footer { margin-top: 2.5rem; border-top: 1px solid var(--rule); padding-top: .5rem; color: var(--soft); font-size: .85rem; overflow-wrap: anywhere; }
body, td { overflow-wrap: break-word; } .pair > * { min-width: 0; }
@media (max-width: 640px) { table { display: block; overflow-x: auto; background: linear-gradient(to right, var(--ground) 40%, transparent) 0 0 / 2.2rem 100% no-repeat local, linear-gradient(to left, var(--ground) 40%, transparent) 100% 0 / 2.2rem 100% no-repeat local, linear-gradient(to right, var(--rule), transparent) 0 0 / .8rem 100% no-repeat scroll, linear-gradient(to left, var(--rule), transparent) 100% 0 / .8rem 100% no-repeat scroll; } .heat td.cell { min-width: 2.2rem; padding: .3rem .25rem; } td.name { min-width: 5rem; } .problem { flex-direction: column; } .problems > .side_by_side { flex-direction: column; } .problems > .side_by_side > div:first-child { flex-basis: auto; max-width: 260px; } .problem > figure { flex-basis: auto; max-width: 260px; }
.cards, .cards tbody, .cards tr, .cards td { display: block; } .cards tr { border-top: 1px solid var(--rule); padding: .4rem 0; } .cards tr:first-child { display: none; } .cards td.n { text-align: left; white-space: normal; } .cards td[data-name]::before { content: attr(data-name) ': '; color: var(--soft); } }
@page { margin: 12mm; }
@media print { html { font-size: 66%; } th, td { padding: .08rem .7rem .08rem 0; } figcaption, .note { font-size: .8rem; } h1 { margin-top: 0; } body { font-size: .95rem; margin: 0; max-width: none; padding: 0; } details:not([open]), .board { display: none; } h2, h3 { break-after: avoid; margin-top: 1rem; } figure, tr { break-inside: avoid; } .course figure { flex: 0 1 105px; } .course figure.long { flex: 0 1 190px; } .course svg { max-height: 88px; } .side_by_side { flex-wrap: nowrap; gap: 0 2rem; } .side_by_side .wide { overflow: visible; } .side_by_side td.n { white-space: normal; } .strengths { grid-template-columns: repeat(3, 1fr); } .verdict, .zone { print-color-adjust: exact; } }
"
);

/// Class of a document in somebody else's page.
pub const PART_CLASS: &str = "treegauge";

/// Style sheet of a document in somebody else's page: that of pages, for the elements inside of
/// [`PART_CLASS`] only.
static PART_STYLE: LazyLock<String> = LazyLock::new(|| {
    let mut style = String::new();
    scope(STYLE, &mut style);
    style
});

/// Writes the rules of a style sheet for the elements inside of [`PART_CLASS`]. Rules for printed
/// pages are left out.
fn scope(rules: &str, out: &mut String) {
    let mut rest = rules.trim();
    while let Some((selectors, after)) = rest.split_once('{') {
        let mut depth = 1;
        let end = after.find(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0
        });
        let (body, after) = after.split_at(end.expect("the style sheet closes its braces"));
        rest = after[1..].trim_start();
        let selectors = selectors.trim();
        if selectors.starts_with("@media") && !selectors.contains("print") {
            out.push_str(&format!("{selectors}{{"));
            scope(body, out);
            out.push('}');
        } else if !selectors.starts_with('@') {
            let scoped = selectors.split(',').map(|one| match one.trim() {
                ":root" | "html" | "body" => format!(".{PART_CLASS}"),
                one => format!(".{PART_CLASS} {one}"),
            });
            let scoped: Vec<String> = scoped.collect();
            out.push_str(&format!("{}{{{}}}", scoped.join(","), body.trim()));
        }
    }
}

/// Creates an element with a fragment and its own style sheet.
pub(crate) fn part_of(fragment: &str) -> String {
    markup! {
        div class=(PART_CLASS) {
            style { (PreEscaped(PART_STYLE.as_str())) }
            (PreEscaped(fragment))
        }
    }
    .into_string()
}

/// Content security policy of a page: a browser may use only the styles inside it. Pages have no
/// scripts, forms or external resources, so injected content could not use any either.
const POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// Creates a self-contained page with an HTML fragment as its body, which is not escaped.
#[must_use]
pub fn page_of(title: &str, fragment: &str) -> String {
    styled(&format!("treegauge: {title}"), STYLE, fragment)
}

/// Creates a self-contained page with another style sheet.
#[must_use]
pub fn styled(title: &str, style: &'static str, fragment: &str) -> String {
    markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="generator" content="treegauge";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(style)) }
            }
            body { (PreEscaped(fragment)) }
        }
    }
    .into_string()
}

/// Origin of a page: command, version and date.
#[derive(Clone, Debug)]
pub struct Colophon {
    /// Command in the syntax of a shell.
    pub command: String,
    /// Version of the program.
    pub version: String,
    /// Date in the form `2026-11-23`.
    pub date: String,
}

impl Colophon {
    /// Adds this to the foot of a page; returns any other text unchanged.
    #[must_use]
    pub fn sign(&self, page: &str) -> String {
        let Colophon { command, version, date } = self;
        let footer = markup! {
            footer { "Made by treegauge " (version) " on " (date) ": " code { (command) } }
        };
        let end = "</body>";
        match page.rfind(end) {
            Some(at) => format!("{}{}{}", &page[..at], footer.into_string(), &page[at..]),
            None => page.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Block, Doc, Layout};

    #[test]
    fn a_page_lets_nothing_run_and_loads_nothing() {
        let page = page_of("<b>", "<p>text</p>");
        let policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; ";
        let (head, _) = page.split_once("<title>treegauge: &lt;b&gt;</title>").unwrap();
        assert!(head.contains(policy) && !POLICY.contains("script"), "{head}");
    }

    #[test]
    fn a_part_leaves_out_its_largest_groups_of_pictures() {
        let lines = |n: usize| vec![Block::text("pages ".repeat(n))];
        let mut doc = Doc::new("a game");
        doc.push(Block::Group(Layout::Curves, lines(30_000)));
        doc.push(Block::Fold {
            summary: "More".into(),
            is_line: false,
            blocks: vec![Block::Group(Layout::Charts, lines(2_000))],
        });
        let whole = doc.part(1_000_000);
        assert!(whole.contains("\"curves\"") && whole.contains("\"charts\""));
        let part = doc.part(100_000);
        assert!(part.len() < 100_000 && part.contains("<p class=\"note\">Only the page"));
        assert!(!part.contains("\"curves\"") && part.contains("\"charts\""));
        let least = doc.part(1);
        assert!(!least.contains("\"charts\"") && least.contains("More"));
    }

    #[test]
    fn a_part_styles_nothing_else_on_its_page() {
        let part = part_of("<p>text</p>");
        let style = part.strip_prefix("<div class=\"treegauge\"><style>").unwrap();
        let (style, rest) = style.split_once("</style>").unwrap();
        assert_eq!(rest, "<p>text</p></div>");
        assert_eq!(style.matches('{').count(), style.matches('}').count());
        // Each selector is below the class, except in conditions.
        let preludes =
            style.split(['{', '}']).filter(|one| one.contains('.') && !one.contains(':'));
        let preludes: Vec<&str> = preludes.collect();
        assert!(preludes.len() > 60);
        for selector in preludes.iter().flat_map(|prelude| prelude.split(',')) {
            assert!(selector == ".treegauge" || selector.starts_with(".treegauge "), "{selector}");
        }
        let mut scoped = String::new();
        scope(
            ":root { --a: 1; } h1, td.n { b: c; } @media print { p { d: e; } } @media (x) { p { f: g; } }",
            &mut scoped,
        );
        assert_eq!(
            scoped,
            ".treegauge{--a: 1;}.treegauge h1,.treegauge td.n{b: c;}@media (x){.treegauge p{f: g;}}"
        );
    }

    #[test]
    fn a_page_is_signed_at_its_foot() {
        let colophon = Colophon {
            command: "treegauge gauge 'mnk(k=3)' > <x>".to_owned(),
            version: "1.2.3".to_owned(),
            date: "2026-11-23".to_owned(),
        };
        let signed = colophon.sign(&page_of("a game", "<p>text</p>"));
        let expected = "<p>text</p><footer>Made by treegauge 1.2.3 on 2026-11-23: <code>treegauge gauge 'mnk(k=3)' &gt; &lt;x&gt;</code></footer></body></html>";
        assert!(signed.ends_with(expected), "{signed}");
        assert_eq!(colophon.sign("no page"), "no page");
    }
}
