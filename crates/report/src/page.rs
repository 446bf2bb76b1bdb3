//! What all pages have in common.

use maud::{DOCTYPE, Markup, PreEscaped, html as markup};

const STYLE: &str = "
body { font: 15px/1.45 system-ui, sans-serif; color: #1d2430; max-width: 1100px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: .2rem; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
.verdict { border-left: 5px solid #2b4c7e; background: #f2f5f9; padding: .8rem 1rem; font-size: 1.08rem; }
.incomplete { background: #fdecea; border-left: 5px solid #b4483a; padding: .6rem 1rem; }
table { border-collapse: collapse; margin: .6rem 0; } th, td { padding: .22rem .8rem .22rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #ccd3dd; font-weight: 600; } td.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.yes { color: #b4483a; font-weight: 700; } .no { color: #3c7a4a; } .cannot_tell, .depends_on_strength { color: #8a6d1f; }
.pair { display: flex; flex-wrap: wrap; gap: 1rem; align-items: flex-start; } .pair > table { flex: 1 1 560px; } .pair > figure { flex: 0 1 auto; max-width: 520px; } .board { max-width: 300px !important; } .curves { display: flex; flex-wrap: wrap; gap: .3rem; } .curves figcaption { text-align: center; margin-bottom: .5rem; }
.tree { overflow-x: auto; border: 1px solid #e3e7ed; } figure { margin: 0; } figcaption, .note { color: #5a6575; font-size: .9rem; }
svg { max-width: 100%; height: auto; } .tree svg { width: 100%; } .curves svg { width: 260px; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(400px, 100%), 1fr)); gap: 1rem; }
.boards { display: flex; flex-wrap: wrap; gap: 1.2rem; } .boards figure { width: 240px; } .boards svg { width: 100%; max-height: 240px; }
.wide { overflow-x: auto; } td.name { overflow-wrap: anywhere; min-width: 7rem; } .heat th { text-align: center; } .heat td { vertical-align: middle; } .heat td.cell { min-width: 3.6rem; padding: .45rem .5rem; text-align: center; white-space: nowrap; font-variant-numeric: tabular-nums; border: 1px solid #ffffff; } .intervals { width: 100%; max-width: 620px; }
body, td { overflow-wrap: break-word; } .pair > * { min-width: 0; }
@media (max-width: 640px) { table { display: block; overflow-x: auto; } }
";

/// A self-contained page about a game.
pub(crate) fn page(game: &str, body: &Markup) -> String {
    markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "treegauge: " (game) }
                style { (PreEscaped(STYLE)) }
            }
            body { (body) }
        }
    }
    .into_string()
}
