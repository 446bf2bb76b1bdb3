//! The page `docs/words.md`, made from the list of words that the program prints.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result};

use super::tasks::{cell, follow_page};
use crate::pictures::WORDS;
use crate::run::{output, root, target};

const PAGE: &str = "docs/words.md";

const BEGIN: &str = "\
# The words of the language

For designers who write rules: this page lists every word of [the language](language.md) with its
arguments, its meaning and an example. The program prints the same list; with a word it prints that
word alone, with a small game to try. Each picture is drawn from that game: marks and arrows are its
legal moves, or there is a move and the board after it.

```sh
treegauge rules custodial
```

`N` is a number, `SITE` the name of a site, `[..]` may be left out, and `..` repeats. A word with a
star refers to the move: it is allowed in `then`, `only-if`, later parts of `seq`, and `end`.
";

/// Compares the page with the list, or writes it. Returns the fault of a page that is old.
pub(super) fn follow(renew: bool) -> Result<Option<String>> {
    let list = output(Command::new(target().join("debug/treegauge")).arg("rules"))?;
    let pictures = pictures()?;
    let page = page(&list, &pictures).context("the list of `rules` has an unknown form")?;
    follow_page(PAGE, page, "the words of the language", renew)
}

/// Picture of a word: its file, and its title, which names the word and tells what is on it.
type Picture = (String, String);

fn pictures() -> Result<Vec<Picture>> {
    let mut pictures = Vec::new();
    for entry in fs::read_dir(root().join(WORDS))? {
        let entry = entry?;
        let text = fs::read_to_string(entry.path())?;
        let title = text.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
        let name = entry.file_name().to_string_lossy().into_owned();
        pictures.extend(title.map(|(title, _)| (name, title.to_owned())));
    }
    Ok(pictures)
}

/// Picture of a word below a heading. The file begins with the heading; signs, such as `<`, have other
/// names in files, so the word is that of the title.
fn picture_of<'p>(pictures: &'p [Picture], heading: &str, word: &str) -> Option<&'p Picture> {
    pictures.iter().find(|(file, title)| {
        let named = title.split_once("the word ").map_or("", |(_, rest)| rest);
        let named = named.split_once(": ").map_or(named, |(named, _)| named);
        let is_below = file.strip_prefix(heading).is_some_and(|rest| rest.starts_with('_'));
        is_below && named.replace("&lt;", "<").replace("&gt;", ">") == word
    })
}

fn page(list: &str, pictures: &[Picture]) -> Option<String> {
    let mut page = BEGIN.to_owned();
    let mut heading = "";
    let mut lines = list.lines().peekable();
    while let Some(line) = lines.next() {
        if lines.peek().is_some_and(|next| next.starts_with("--")) {
            let mut title = line.to_owned();
            title[..1].make_ascii_uppercase();
            heading = line.split([' ', ',']).next()?;
            let head = "| word | meaning | example | picture |\n|---|---|---|---|\n";
            let _ = write!(page, "\n## {title}\n\n{head}");
            lines.next();
        } else if let Some(pattern) = line.strip_prefix("  ") {
            let star = if pattern.ends_with(" *") { " *" } else { "" };
            let pattern = pattern.trim_end_matches(" *");
            let described = lines.next()?.trim();
            // The example of a word without parts is the word, which the list does not repeat.
            let (meaning, example) =
                described.rsplit_once(", as in ").unwrap_or((described, pattern));
            let pattern = cell(pattern);
            let (meaning, example) = (cell(meaning), cell(example));
            let picture = picture_of(pictures, heading, word_of(&pattern));
            let picture = picture.map_or_else(String::new, |(file, title)| {
                format!(" ![{}](pictures/words/{file})", cell(title))
            });
            let _ = writeln!(page, "| `{pattern}`{star} | {meaning} | `{example}` |{picture} |");
        }
    }
    page.push_str(
        "\nNext: [the cookbook](cookbook.md), or [a game of your own](your_own_game.md).\n",
    );
    Some(page)
}

/// Word that a pattern describes: the first one, or that of a clause of a kind of pieces.
fn word_of(pattern: &str) -> &str {
    let clause = pattern.strip_prefix("(KIND ").map(|rest| rest.trim_start_matches("OWNER "));
    let begin = clause.unwrap_or(pattern).trim_start_matches('(');
    begin.split([' ', ')']).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn a_word_is_a_row_of_the_table_of_its_sort() {
        let list = "numbers\n-------\n  (count SET) *\n      how many sites, as in (count mine)\n  \
            (< N N)\n      less, as in (< 1 2)\n\nA word with a star refers to the move.\n";
        let pictures = [
            ("sets_count.svg", "the word count: another"),
            ("numbers_count.svg", "the word count: two men"),
            ("numbers_less.svg", "a board that shows the word &lt;"),
        ];
        let pictures = pictures.map(|(file, title)| (file.to_owned(), title.to_owned()));
        let page = page(list, &pictures).unwrap();
        let table = "## Numbers\n\n| word | meaning | example | picture |\n|---|---|---|---|\n\
            | `(count SET)` * | how many sites | `(count mine)` | ![the word count: two men](pictures/words/numbers_count.svg) |\n\
            | `(< N N)` | less | `(< 1 2)` | ![a board that shows the word &lt;](pictures/words/numbers_less.svg) |\n";
        assert!(page.contains(table), "{page}");
    }
}
