//! The table of the games of Williams 2010 in `docs/williams.md`, made from the list of games.

use std::fmt::Write;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::tasks::{cell, follow_page};
use crate::run::{output, target};

const PAGE: &str = "docs/williams.md";

const BEGIN: &str = "\
# The games of Williams 2010

For researchers: Williams (2010, \"Determining Game Quality Through UCT Tree Shape Analysis\") names 28
games, and says only in part by which rules they were played. This page says of each game what the
thesis states, in other words, which rules are played here, and which parameters give other readings.
The program says the same:

```sh
treegauge games broken_kalah
```

`collect --games all` plays the games of the first column.

";

const END: &str = "
The thesis describes 20 games of self-play of each broken game (table 3.1). `evaluate` compares them
with a dataset of 20 instances:

```sh skip=slow
treegauge collect --games all --iterations 20000 --instances 20 -o t20000
treegauge evaluate t20000
```

Next: [the study](study.md).
";

/// Compares the page with the list, or writes it. Returns the fault of a page that is old.
pub(super) fn follow(renew: bool) -> Result<Option<String>> {
    let mut games = Command::new(target().join("debug/treegauge"));
    let list: Value = serde_json::from_str(&output(games.args(["games", "--json"]))?)?;
    let page = page(&list).context("the list of games has an unknown form")?;
    follow_page(PAGE, page, "the games of Williams 2010", renew)
}

fn page(list: &Value) -> Option<String> {
    let families = list["games"].as_array()?;
    let presets = families.iter().flat_map(|family| family["presets"].as_array());
    let mut page = format!("{BEGIN}| game | the thesis says | here |\n|---|---|---|\n");
    for one in families.iter().chain(presets.flatten()) {
        let study = &one["study"];
        if let Some(game) = study["game"].as_str() {
            let name = one["name"].as_str()?;
            let game = match game.split_once('(') {
                Some((family, _)) if family != name => format!("`{name}` = `{game}`"),
                _ => format!("`{game}`"),
            };
            let [says, here] = ["says", "here"].map(|field| study[field].as_str());
            let _ = writeln!(page, "| {} | {} | {} |", cell(&game), cell(says?), cell(here?));
        }
    }
    page.push_str(END);
    Some(page)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::page;

    #[test]
    fn games_of_the_study_are_rows_and_others_are_not() {
        let study = json!({"game": "kalah", "says": "Usual.", "here": "The same."});
        let of_preset = json!({"game": "kalah(captures=false)", "says": "a|b", "here": "c"});
        let presets = json!([{"name": "broken_kalah", "study": of_preset}]);
        let list = json!({"games": [
            {"name": "mnk", "presets": []},
            {"name": "kalah", "study": study, "presets": presets},
        ]});
        let page = page(&list).unwrap();
        let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
        let kalah = "| `kalah` | Usual. | The same. |";
        assert_eq!(rows, [kalah, "| `broken_kalah` = `kalah(captures=false)` | a\\|b | c |"]);
    }
}
