//! The tables of public opinions of games in `docs/ratings.md`, made from `testdata/ratings.tsv`.

use std::fmt::Write;
use std::fs;

use anyhow::{Context, Result};

use super::tasks::{cell, follow_page};
use crate::run::root;

const PAGE: &str = "docs/ratings.md";

const TABLE: &str = "testdata/ratings.tsv";

const BEGIN: &str = "\
# What people think of the games

For readers who compare measures with opinions: public figures of what people think of games that the
program knows. `testdata/ratings.tsv` has them with the address of each source. No command reads
them. The program says by which rules it plays a game:

```sh
treegauge games pente hnefatafl
```
";

/// Measures of the table in the order of the page, each with its heading and text.
const MEASURES: [(&str, &str); 4] = [
    (
        "rating",
        "## Ratings

Users of BoardGameGeek rate games from 1 to 10. A figure is the mean over all who rated the game.
The sources are copies of what the site showed. Two lists bear no date, and their newest games tell
about which year they are of. `listing` is the number and name of the game on the site, with what it
holds besides this game.
",
    ),
    (
        "complexity",
        "## Complexity

Fewer users of the same site say how heavy a game is, from 1 (light) to 5 (heavy).
",
    ),
    (
        "quality",
        "## Quality in the opinion of one author

Williams (2010) rated [the games of his thesis](williams.md) himself, from 1 (very poor) to 5 (very
good).
",
    ),
    (
        "fun",
        "## Expected fun

Collins and others (2025) showed people the rules of games of k in a row, and asked how much fun each
would be, from 0 to 100. One of these games has a name here. `testdata/human_ratings.csv` has 86.
",
    ),
];

const END: &str = "
## What the figures say

Compare games within one table only, and only if they differ by much more than the error of a mean.
With a standard deviation of 1.5 that error is 0.02 for 5,000 raters, 0.05 for 1,000 and 0.2 for 60.
The ratings of one game in lists of different years are at most 0.14 apart. The seven games that have
a rating and a quality stand in the same order in both. But raters choose the games that they rate:
nearly everyone knows Tic-Tac-Toe, and a rater of Y probably looked for such a game. A difference
between a well-known game and one with few raters is also a difference between their raters. The
players of two families, such as hunts and connection, can differ in the same way. A listing can hold
other boards, rules and editions than the program plays. A game without a figure here was not found
in the sources, which says nothing about the game. Most of the list of 2026 that was looked through
are its lowest ranks, so games that only that list has are rated lower than the others. These are too
few games to test or train a measure.

Next: [the study](study.md).
";

/// Compares the page with the table, or writes it. Returns the fault of a page that is old.
pub(super) fn follow(renew: bool) -> Result<Option<String>> {
    let table = fs::read_to_string(root().join(TABLE))?;
    let page = page(&table).with_context(|| format!("{TABLE} has an unknown form"))?;
    follow_page(PAGE, page, TABLE, renew)
}

fn page(table: &str) -> Option<String> {
    let mut rows = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let row: [&str; 11] = line.split('\t').collect::<Vec<_>>().try_into().ok()?;
        rows.push(row.map(|value| if value == "-" { "" } else { value }));
    }
    let mut page = BEGIN.to_owned();
    for (measure, text) in MEASURES {
        let rows: Vec<_> = rows.iter().filter(|row| row[1] == measure).collect();
        let is_deviation_stated = rows.iter().any(|row| !row[6].is_empty());
        let (title, bar) =
            if is_deviation_stated { (" standard deviation |", "--:|") } else { ("", "") };
        let _ = writeln!(
            page,
            "\n{text}\n| game | {measure} | raters |{title} date | source | listing |"
        );
        let _ = writeln!(page, "|---|--:|--:|{bar}---|---|---|");
        for row in rows {
            let [game, _, figure, _, _, raters, deviation, date, source, address, listing] = *row;
            let source = match address.starts_with("http") {
                true => format!("[{source}]({address})"),
                false => format!("{source}, {address}"),
            };
            let _ = write!(page, "| `{game}` | {} | {raters} |", hundredths(figure)?);
            if is_deviation_stated {
                let _ = write!(page, " {} |", hundredths(deviation)?);
            }
            let _ = writeln!(page, " {date} | {} | {} |", cell(&source), cell(listing));
        }
    }
    let is_shown = |row: &[&str; 11]| MEASURES.iter().any(|(measure, _)| *measure == row[1]);
    page.push_str(END);
    rows.iter().all(is_shown).then_some(page)
}

/// Number rounded to two digits behind the point, or as it is if it is whole or empty.
fn hundredths(number: &str) -> Option<String> {
    match number.contains('.') {
        // 3.815 is slightly less in binary; the figures have up to five digits behind the point.
        true => Some(format!("{:.2}", number.parse::<f64>().ok()? + 1e-9)),
        false => Some(number.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::page;

    #[test]
    fn rows_are_shown_in_the_table_of_their_measure() {
        let table = "# game\n\
            y\trating\t7.085\t1\t10\t108\t1.66384\t2021\tSite\thttps://a.b/c\tY|Y\n\
            oware(chain=false)\tquality\t5\t1\t5\t1\t-\t2010\tThesis\tappendix\tOware\n";
        let page = page(table).unwrap();
        let (ratings, others) = page.split_once("## Complexity").unwrap();
        assert!(
            ratings.contains("| `y` | 7.09 | 108 | 1.66 | 2021 | [Site](https://a.b/c) | Y\\|Y |")
        );
        let (_, others) = others.split_once("## Quality").unwrap();
        assert!(
            others.contains("| `oware(chain=false)` | 5 | 1 | 2010 | Thesis, appendix | Oware |")
        );
    }

    #[test]
    fn a_row_of_an_unknown_measure_or_form_is_refused() {
        let row = "y\trating\t7\t1\t10\t108\t-\t2021\tSite\thttps://a.b/c\tY";
        assert!(page(row).is_some());
        assert!(page(&row.replace("rating", "charm")).is_none());
        assert!(page(&row.replace("\t7\t", "\t7.x\t")).is_none());
        assert!(page("y\trating").is_none());
    }
}
