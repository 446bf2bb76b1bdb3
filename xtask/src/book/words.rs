//! The page `docs/words.md`, made from the list of words that the program prints.

use std::fmt::Write;
use std::process::Command;

use anyhow::{Context, Result};

use super::tasks::{cell, follow_page};
use crate::run::{output, target};

const PAGE: &str = "docs/words.md";

const BEGIN: &str = "\
# The words of the language

For designers who write rules: this page lists every word of [the language](language.md) with its
arguments, its meaning and an example. The program prints the same list; with a word it prints that
word alone.

```sh
treegauge rules custodial
```

`N` is a number, `SITE` the name of a site, `[..]` may be left out, and `..` repeats. A word with a
star refers to the move: it is allowed in `then`, `only-if`, later parts of `seq`, and `end`.
";

/// Compares the page with the list, or writes it. Returns the fault of a page that is old.
pub(super) fn follow(renew: bool) -> Result<Option<String>> {
    let list = output(Command::new(target().join("debug/treegauge")).arg("rules"))?;
    let page = page(&list).context("the list of `rules` has an unknown form")?;
    follow_page(PAGE, page, "the words of the language", renew)
}

fn page(list: &str) -> Option<String> {
    let mut page = BEGIN.to_owned();
    let mut lines = list.lines().peekable();
    while let Some(line) = lines.next() {
        if lines.peek().is_some_and(|next| next.starts_with("--")) {
            let mut title = line.to_owned();
            title[..1].make_ascii_uppercase();
            let head = "| word | meaning | example |\n|---|---|---|\n";
            let _ = write!(page, "\n## {title}\n\n{head}");
            lines.next();
        } else if let Some(pattern) = line.strip_prefix("  ") {
            let (meaning, example) = lines.next()?.trim().rsplit_once(", as in ")?;
            let star = if pattern.ends_with(" *") { " *" } else { "" };
            let pattern = cell(pattern.trim_end_matches(" *"));
            let (meaning, example) = (cell(meaning), cell(example));
            let _ = writeln!(page, "| `{pattern}`{star} | {meaning} | `{example}` |");
        }
    }
    page.push_str(
        "\nNext: [the cookbook](cookbook.md), or [a game of your own](your_own_game.md).\n",
    );
    Some(page)
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn a_word_is_a_row_of_the_table_of_its_sort() {
        let list = "numbers\n-------\n  (count SET) *\n      how many sites, as in (count mine)\n\n\
            A word with a star refers to the move.\n";
        let page = page(list).unwrap();
        let table = "## Numbers\n\n| word | meaning | example |\n|---|---|---|\n\
            | `(count SET)` * | how many sites | `(count mine)` |\n";
        assert!(page.contains(table), "{page}");
    }
}
