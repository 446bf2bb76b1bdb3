//! Files that are part of the program: the style sheet and the modules of the pages.

use std::sync::LazyLock;

use treegauge::report::{
    BOARD_SCRIPT, BOARD_STYLE, SHEET_STYLE, SOLVING_SCRIPT, STYLE, WORKSHEET_STYLE,
};

/// An embedded file.
struct Asset {
    name: &'static str,
    kind: &'static str,
    content: String,
    /// Hash of all assets, a part of the path: a browser may keep a file for ever.
    hash: String,
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let style =
        format!("{STYLE}{BOARD_STYLE}{WORKSHEET_STYLE}{}", include_str!("../assets/style.css"));
    let sheet = format!("{SHEET_STYLE}@media print {{ .back {{ display: none; }} }}\n");
    let mut files = vec![
        ("style.css", "text/css; charset=utf-8", style),
        ("sheet.css", "text/css; charset=utf-8", sheet),
    ];
    let scripts = SCRIPTS
        .iter()
        .map(|(name, content)| (*name, "text/javascript; charset=utf-8", (*content).to_owned()));
    files.extend(scripts);
    // One hash for all, so that a module finds another beside it.
    let whole: String = files.iter().map(|(.., content)| content.as_str()).collect();
    let hash = hash(&whole);
    let asset = |(name, kind, content)| Asset { name, kind, hash: hash.clone(), content };
    files.into_iter().map(asset).collect()
});

/// The modules of pages.
const SCRIPTS: [(&str, &str); 10] = [
    ("app.js", include_str!("../assets/app.js")),
    ("board.js", BOARD_SCRIPT),
    ("solving.js", SOLVING_SCRIPT),
    ("explorer.js", include_str!("../assets/explorer.js")),
    ("problem.js", include_str!("../assets/problem.js")),
    ("play.js", include_str!("../assets/play.js")),
    ("tree.js", include_str!("../assets/tree.js")),
    ("chess.js", include_str!("../assets/chess.js")),
    ("live.js", include_str!("../assets/live.js")),
    ("editor.js", include_str!("../assets/editor.js")),
];

/// 64-bit FNV-1a hash, as hexadecimal digits.
pub(crate) fn hash(text: &str) -> String {
    let start: u64 = 0xcbf2_9ce4_8422_2325;
    let hash = text
        .bytes()
        .fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// The type and the content of an asset.
pub(crate) fn find(hash: &str, name: &str) -> Option<(&'static str, &'static str)> {
    let found = ASSETS.iter().find(|asset| asset.name == name && asset.hash == hash)?;
    Some((found.kind, &found.content))
}

/// Path of an asset.
pub(crate) fn link(name: &str) -> String {
    let hash = ASSETS.iter().find(|asset| asset.name == name).map_or("", |asset| &asset.hash);
    format!("/assets/{hash}/{name}")
}

/// Hashes and names of all assets.
pub(crate) fn all() -> impl Iterator<Item = (String, &'static str)> {
    ASSETS.iter().map(|asset| (asset.hash.clone(), asset.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_small_and_open_no_hole_in_the_policy() {
        let length = |names: &[&str]| -> usize {
            let of = |(name, content): &(&str, &str)| names.contains(name).then_some(content.len());
            SCRIPTS.iter().filter_map(of).sum()
        };
        let all = SCRIPTS.map(|(name, _)| name);
        assert!(length(&all) <= 90_000, "{}", length(&all));
        // A page loads the common module, that of its kind, and the modules that this one needs.
        for name in all {
            let page = ["app.js", "board.js", "solving.js", name];
            assert!(length(&page) <= 60_000, "{name}: {}", length(&page));
        }
        assert!(length(&["editor.js"]) <= 16_000, "{}", length(&["editor.js"]));
        for (name, content) in SCRIPTS {
            for word in ["eval(", "Function(", "document.write", ".style."] {
                assert!(!content.contains(word), "{name}: {word}");
            }
        }
    }

    #[test]
    fn an_asset_is_found_at_its_link() {
        for (hash, name) in all() {
            assert_eq!(link(name), format!("/assets/{hash}/{name}"));
            assert!(find(&hash, name).is_some() && find("0", name).is_none());
        }
    }
}
