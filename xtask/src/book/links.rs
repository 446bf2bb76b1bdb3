//! Links among the documents, and the table of contents of the book.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};

use super::page::without_blocks;

/// The documents beside the book.
const DOCUMENTS: [&str; 3] = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];

const BOOK: &str = "docs";
const SUMMARY: &str = "docs/SUMMARY.md";

/// The faults of the links, the contents and the ends of all documents of a repository.
pub(super) fn faults(root: &Path) -> Result<Vec<String>> {
    let mut documents: BTreeMap<String, String> = BTreeMap::new();
    for entry in fs::read_dir(root.join(BOOK))? {
        let name = entry?.file_name().into_string().ok().context("a page has a name")?;
        if name.ends_with(".md") {
            let path = format!("{BOOK}/{name}");
            documents.insert(path.clone(), fs::read_to_string(root.join(path))?);
        }
    }
    for path in DOCUMENTS {
        documents.insert(path.to_owned(), fs::read_to_string(root.join(path))?);
    }
    let exists = |path: &str| root.join(path).exists();
    Ok(faults_of(&documents, &exists))
}

/// The faults of documents by their paths, where some files exist.
fn faults_of(documents: &BTreeMap<String, String>, exists: &dyn Fn(&str) -> bool) -> Vec<String> {
    let anchors: BTreeMap<&str, BTreeSet<String>> =
        documents.iter().map(|(path, text)| (path.as_str(), anchors(text))).collect();
    let mut faults = Vec::new();
    let mut listed = BTreeSet::new();
    for (path, text) in documents {
        for (line, link) in links(text) {
            let mut fault = |words: &str| faults.push(format!("{path}:{line}: {link}: {words}"));
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) =
                link.split_once('#').map_or((&*link, None), |(file, anchor)| (file, Some(anchor)));
            let Some(to) =
                (if file.is_empty() { Some(path.clone()) } else { resolved(path, file) })
            else {
                fault("the link leads out of the repository");
                continue;
            };
            if !exists(&to) && !documents.contains_key(&to) {
                fault("there is no such file");
            } else if let Some(anchor) = anchor
                && !anchors.get(to.as_str()).is_some_and(|anchors| anchors.contains(anchor))
            {
                fault("there is no such heading");
            } else if path.starts_with(BOOK) && !to.starts_with(BOOK) {
                fault("the link leads out of the book");
            }
            if path == SUMMARY {
                listed.insert(to);
            }
        }
    }
    for (path, text) in documents {
        if path.starts_with(BOOK) && path != SUMMARY {
            if !listed.contains(path) {
                faults.push(format!("{path}: {SUMMARY} does not list this page"));
            }
            let end = text.trim_end().rsplit("\n\n").next().unwrap_or_default();
            if !end.starts_with("Next: ") {
                faults.push(format!("{path}: the page does not end with a paragraph `Next: ...`"));
            }
        }
    }
    faults
}

/// A link of a document as a path from the root, or `None` if it leads out of the repository.
fn resolved(document: &str, link: &str) -> Option<String> {
    let mut path = PathBuf::from(document);
    path.pop();
    for part in Path::new(link).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::CurDir => {}
            Component::ParentDir if path.pop() => {}
            _ => return None,
        }
    }
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    Some(parts.join("/"))
}

/// The text outside of blocks and of code within lines, whose places stay.
fn prose(text: &str) -> String {
    let text = without_blocks(text);
    let is_code = text.split('`').enumerate().map(|(at, part)| match at % 2 {
        0 => part.to_owned(),
        _ => part.chars().map(|c| if c == '\n' { c } else { '_' }).collect(),
    });
    is_code.collect::<Vec<_>>().join("`")
}

/// The targets of links and pictures, with the numbers of their lines.
fn links(text: &str) -> Vec<(usize, String)> {
    let prose = prose(text);
    let mut links = Vec::new();
    for (start, mark) in prose.match_indices("](") {
        let rest = &prose[start + mark.len()..];
        if let Some((target, _)) = rest.split_once(')') {
            let line = prose[..start].matches('\n').count() + 1;
            links.push((line, target.split_whitespace().next().unwrap_or_default().to_owned()));
        }
    }
    links
}

/// The anchors of the headings, as code hosts and mdBook name them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut anchors = BTreeSet::new();
    for line in without_blocks(text).lines() {
        let title = line.trim_start_matches('#');
        let level = line.len() - title.len();
        if !(1..=6).contains(&level) || !title.starts_with(' ') {
            continue;
        }
        let kept = title.trim().chars().filter_map(|c| match c {
            ' ' | '-' => Some('-'),
            '_' => Some('_'),
            c if c.is_alphanumeric() => c.to_lowercase().next(),
            _ => None,
        });
        let name: String = kept.collect();
        let numbered = (1..).map(|n| format!("{name}-{n}"));
        let free =
            std::iter::once(name.clone()).chain(numbered).find(|name| !anchors.contains(name));
        anchors.extend(free);
    }
    anchors
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(pages: &[(&str, &str)]) -> Vec<String> {
        let documents =
            pages.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
        faults_of(&documents, &|path| path == "docs/a.svg" || path == "record")
    }

    const CONTENTS: (&str, &str) = (SUMMARY, "- [A](a.md)\n");

    #[test]
    fn links_and_anchors_that_resolve_are_no_faults() {
        let page = "# A page\n\n## Of `two` words, again\n\n## Of two words, again\n\n![x](a.svg) [y\nz](#a-page) \
                    [h](https://example.org) `[no](link)`\n\n```sh\n[no](link)\n```\n\nNext: [y](a.md#of-two-words-again-1)\n";
        let readme = "[a](docs/a.md#of-two-words-again) [b](record/)\n";
        assert_eq!(found(&[CONTENTS, ("docs/a.md", page), ("README.md", readme)]), [""; 0]);
    }

    #[test]
    fn broken_links_are_found() {
        let page = "# A\n[b](b.md)\n[c](#c)\n[d](../../d)\n[e](../record)\n\nNext: [f](a.svg).\n";
        assert_eq!(
            found(&[CONTENTS, ("docs/a.md", page)]),
            [
                "docs/a.md:2: b.md: there is no such file",
                "docs/a.md:3: #c: there is no such heading",
                "docs/a.md:4: ../../d: the link leads out of the repository",
                "docs/a.md:5: ../record: the link leads out of the book",
            ]
        );
    }

    #[test]
    fn pages_that_the_contents_lack_and_pages_without_an_end_are_found() {
        let (good, bad) = ("# A\n\nNext: no more.\n", "# B\n");
        assert_eq!(
            found(&[CONTENTS, ("docs/a.md", good), ("docs/b.md", bad)]),
            [
                "docs/b.md: docs/SUMMARY.md does not list this page",
                "docs/b.md: the page does not end with a paragraph `Next: ...`",
            ]
        );
    }
}
