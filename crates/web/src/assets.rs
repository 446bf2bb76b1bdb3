//! Files that are part of the program: the style sheet and the modules of the pages.

use std::sync::LazyLock;

use treegauge::report::STYLE;

/// An embedded file.
struct Asset {
    name: &'static str,
    kind: &'static str,
    content: String,
    /// Hash of all assets, a part of the path: a browser may keep a file for ever.
    hash: String,
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let style = format!("{STYLE}{}", include_str!("../assets/style.css"));
    let mut files = vec![("style.css", "text/css; charset=utf-8", style)];
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
const SCRIPTS: [(&str, &str); 6] = [
    ("app.js", include_str!("../assets/app.js")),
    ("board.js", include_str!("../assets/board.js")),
    ("play.js", include_str!("../assets/play.js")),
    ("tree.js", include_str!("../assets/tree.js")),
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
        let length: usize = SCRIPTS.iter().map(|(_, content)| content.len()).sum();
        assert!(length <= 90_000, "{length}");
        // A page loads the common module, that of its kind, and the boards with it.
        let of = |name: &str| SCRIPTS.iter().find(|(one, _)| *one == name).unwrap().1.len();
        for (name, _) in SCRIPTS {
            let page = of("app.js") + of("board.js") + of(name);
            assert!(page <= 60_000, "{name}: {page}");
        }
        let editor = SCRIPTS.iter().find(|(name, _)| *name == "editor.js").unwrap().1.len();
        assert!(editor <= 16_000, "{editor}");
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
