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
    let page = page(&list, &title_of_picture).context("the list of `rules` has an unknown form")?;
    follow_page(PAGE, page, "the words of the language", renew)
}

/// Title of a picture, which tells what is on it; `None` if there is no such picture.
fn title_of_picture(name: &str) -> Option<String> {
    let picture = fs::read_to_string(root().join(WORDS).join(name)).ok()?;
    let (_, title) = picture.split_once("<title>")?;
    Some(title.split_once("</title>")?.0.to_owned())
}

fn page(list: &str, title_of: &dyn Fn(&str) -> Option<String>) -> Option<String> {
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
            // Signs have names in files.
            let word = match word_of(&pattern) {
                "+" => "plus",
                "-" => "minus",
                "=" => "equal",
                "<" => "less",
                ">" => "greater",
                "<=" => "at-most",
                ">=" => "at-least",
                word => word,
            };
            let name = format!("{heading}_{word}.svg");
            let picture = title_of(&name).map_or_else(String::new, |title| {
                format!(" ![{}](pictures/words/{name})", cell(&title))
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
        let list = "numbers\n-------\n  (count SET) *\n      how many sites, as in (count mine)\n\n\
            A word with a star refers to the move.\n";
        let title = |name: &str| (name == "numbers_count.svg").then(|| "two men".to_owned());
        let page = page(list, &title).unwrap();
        let table = "## Numbers\n\n| word | meaning | example | picture |\n|---|---|---|---|\n\
            | `(count SET)` * | how many sites | `(count mine)` | ![two men](pictures/words/numbers_count.svg) |\n";
        assert!(page.contains(table), "{page}");
    }
}
