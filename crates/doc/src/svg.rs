//! Pictures that pages include unescaped.

use std::fmt;

use maud::Render;

/// Allowed elements of a picture. None of them runs a script, contains HTML or loads another
/// source.
const ELEMENTS: [&str; 17] = [
    "circle", "clipPath", "defs", "ellipse", "g", "line", "marker", "path", "polygon", "polyline",
    "rect", "svg", "symbol", "text", "title", "tspan", "use",
];

/// SVG picture without scripts and without references to other sources: the only text that pages
/// include unescaped. Drawing code creates it; it is never read from a file.
///
/// ```
/// use treegauge_doc::Svg;
///
/// let picture = "<svg xmlns=\"http://www.w3.org/2000/svg\"><circle cx=\"1\" cy=\"1\" r=\"1\"/></svg>";
/// assert_eq!(Svg::new(picture).as_str(), picture);
/// assert!(Svg::new("<svg><script>alert(1)</script></svg>").is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Svg(String);

impl Svg {
    /// Accepts a text that is one `<svg>` element of known elements, all closed, without attributes
    /// that run scripts or refer to other sources, and with finite coordinates. Any other text
    /// gives an empty picture.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Svg {
        let text = text.into();
        if is_harmless(&text) { Svg(text) } else { Svg::default() }
    }

    /// Tests whether the picture is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the SVG text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the picture with a name for readers who cannot see it, unless it has a name already.
    ///
    /// ```
    /// let picture = treegauge_doc::Svg::new("<svg><title>cup</title></svg>");
    /// assert_eq!(picture.named("x"), picture);
    /// let picture = treegauge_doc::Svg::new("<svg role=\"img\"></svg>");
    /// assert_eq!(picture.named("a < b").as_str(), "<svg aria-label=\"a &lt; b\" role=\"img\"></svg>");
    /// ```
    #[must_use]
    pub fn named(&self, name: &str) -> Svg {
        let text = self.0.trim_start();
        let Some(rest) = text.strip_prefix("<svg") else { return self.clone() };
        let (root, inner) = rest.split_once('>').unwrap_or((rest, ""));
        if root.contains("aria-label=") || inner.trim_start().starts_with("<title") {
            return self.clone();
        }
        let mut label = String::new();
        name.render_to(&mut label);
        let named = Svg::new(format!("<svg aria-label=\"{label}\"{rest}"));
        // A name that could do more than name is left out.
        if named.is_empty() { self.clone() } else { named }
    }
}

impl Render for Svg {
    fn render_to(&self, page: &mut String) {
        page.push_str(&self.0);
    }
}

impl fmt::Display for Svg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Tests whether a text is an `<svg>` element that only draws. Comments, declarations and unquoted
/// attributes are rejected, because browsers read them in more than one way.
fn is_harmless(text: &str) -> bool {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text.trim();
    let mut is_begun = false;
    while let Some(at) = rest.find('<') {
        let between = &rest[..at];
        let allowed = match open.last() {
            None => between.trim().is_empty(),
            Some(_) => true,
        };
        if !allowed || (is_begun && open.is_empty()) {
            return false;
        }
        rest = &rest[at + 1..];
        if let Some(closing) = rest.strip_prefix('/') {
            let Some((name, after)) = closing.split_once('>') else { return false };
            if open.pop() != Some(name.trim_end()) {
                return false;
            }
            rest = after;
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let name = &rest[..end];
        let is_known = ELEMENTS.contains(&name) && (is_begun || name == "svg");
        let Some((is_whole, after)) = attributes(&rest[end..]).filter(|_| is_known) else {
            return false;
        };
        if !is_whole {
            open.push(name);
        }
        is_begun = true;
        rest = after;
    }
    is_begun && open.is_empty() && rest.is_empty()
}

/// Returns whether an element ends after its attributes, and the text after them; `None` if an
/// attribute is malformed or may do more than draw.
fn attributes(text: &str) -> Option<(bool, &str)> {
    let mut rest = text;
    loop {
        let trimmed = rest.trim_start();
        if let Some(after) = trimmed.strip_prefix("/>") {
            return Some((true, after));
        }
        if let Some(after) = trimmed.strip_prefix('>') {
            return Some((false, after));
        }
        // White space must precede each attribute.
        if trimmed.len() == rest.len() {
            return None;
        }
        let (name, after) = trimmed.split_once('=')?;
        let is_name = name.bytes().all(|c| c.is_ascii_alphanumeric() || b"-:".contains(&c));
        let lower = name.to_ascii_lowercase();
        let quote = after.chars().next().filter(|c| "\"'".contains(*c))?;
        let (value, after) = after[1..].split_once(quote)?;
        let stays = match lower.as_str() {
            "href" | "xlink:href" => value.starts_with('#'),
            "xmlns" => value == "http://www.w3.org/2000/svg",
            "xmlns:xlink" => value == "http://www.w3.org/1999/xlink",
            "aria-label" | "class" | "id" => true,
            // A strict policy rejects inline styles.
            "style" => false,
            _ => leads_nowhere(value) && is_finite(value),
        };
        if name.is_empty() || !is_name || lower.starts_with("on") || value.contains('<') || !stays {
            return None;
        }
        rest = after;
    }
}

/// Tests whether the numbers in a value are finite, as Rust formats them.
fn is_finite(value: &str) -> bool {
    !value.split(|c: char| !c.is_ascii_alphabetic()).any(|word| ["NaN", "inf"].contains(&word))
}

/// Tests whether a value refers only to parts of the same document. Escapes of CSS are rejected,
/// since they could hide a reference.
fn leads_nowhere(value: &str) -> bool {
    let lower = value.to_ascii_lowercase();
    let only_inside = lower.match_indices("url(").all(|(at, _)| lower[at + 4..].starts_with('#'));
    only_inside
        && !["@import", "javascript:", "data:", "image(", "image-set(", "src("]
            .iter()
            .any(|other| lower.contains(other))
        && !value.contains(['\\', '\0'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_draws_stays_as_it_is() {
        for text in [
            "<svg></svg>",
            "<svg width=\"3\" xmlns=\"http://www.w3.org/2000/svg\"/>",
            "<svg viewBox='0 0 1 1'><g clip-path=\"url(#c1-clip)\"><text x=\"1\">a &lt; b</text></g></svg>\n",
            "<svg aria-label=\"no inf or NaN\"><text>NaN</text></svg>",
            "<svg><defs><symbol id=\"wK\"/></defs><use href=\"#wK\" /></svg>",
        ] {
            assert_eq!(Svg::new(text).as_str(), text);
        }
    }

    #[test]
    fn what_may_do_more_is_no_picture() {
        for text in [
            "",
            "a text",
            "<p>a page</p>",
            "<svg>",
            "<svg></g></svg>",
            "<svg></svg><svg></svg>",
            "<svg></svg>behind",
            "before<svg></svg>",
            "<script>alert(1)</script>",
            "<svg><script>alert(1)</script></svg>",
            "<svg><SCRIPT>alert(1)</SCRIPT></svg>",
            "<svg onload=\"alert(1)\"></svg>",
            "<svg ONLOAD='alert(1)'></svg>",
            "<svg/onload=alert(1)></svg>",
            "<svg onload=alert(1)></svg>",
            "<svg a=\"1\"onload=\"2\"></svg>",
            "<svg><a href=\"javascript:alert(1)\"></a></svg>",
            "<svg><use href=\"https://example.org/x.svg#a\"/></svg>",
            "<svg><use xlink:href=\"data:image/svg+xml,x\"/></svg>",
            "<svg><image href=\"#a\"/></svg>",
            "<svg><foreignObject></foreignObject></svg>",
            "<svg><animate attributeName=\"href\"/></svg>",
            "<svg><rect fill=\"url(https://example.org)\"/></svg>",
            "<svg><style>a{}</style></svg>",
            "<svg style=\"fill:red\"></svg>",
            "<svg><style>@import 'https://example.org'</style></svg>",
            "<svg><style>a{background:url(x)}</style></svg>",
            "<svg><style>a{background:u\\72l(x)}</style></svg>",
            "<svg><style></style><script></script></svg>",
            "<svg><!-- a --></svg>",
            "<!DOCTYPE svg><svg></svg>",
            "<svg><![CDATA[x]]></svg>",
            "<svg><title></title",
            "<svg><circle r=\"inf\"/></svg>",
            "<svg><path d=\"M 1 2 L -inf 3\"/></svg>",
            "<svg><line x1=\"NaN\"/></svg>",
        ] {
            assert!(Svg::new(text).is_empty(), "{text}");
        }
    }

    /// Pages escape everything except [`Svg`] and their own style sheet.
    #[test]
    fn nothing_else_goes_into_a_page_unescaped() {
        fn walk(folder: &std::path::Path, found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    walk(&path, found);
                } else if std::fs::read_to_string(&path)
                    .unwrap()
                    .contains(concat!("Pre", "Escaped"))
                {
                    found.push(path.file_name().unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        let mut found = Vec::new();
        walk(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut found);
        found.sort();
        assert_eq!(found, ["html.rs", "page.rs"]);
    }
}
