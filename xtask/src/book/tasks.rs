//! The page `docs/tasks.md`, made from the declarations of the tasks.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::run::{output, root, target};

const PAGE: &str = "docs/tasks.md";

const BEGIN: &str = "\
# Tasks in JSON

For programmers who start treegauge from another program: this page lists the fields of each task. The
program prints the same list.

```sh
treegauge tasks perft
```

`treegauge run FILE` runs a task; [JSON](json.md#tasks) says which rules hold for all of them. A field in
bold is required. A field that takes several values may be an array. `treegauge tasks --json` has these
tables as data, with the meaning of each word that a field takes.
";

/// Compares the page with the declarations, or writes it. Returns the fault of a page that is old.
pub(super) fn follow(renew: bool) -> Result<Option<String>> {
    let mut program = Command::new(target().join("debug/treegauge"));
    let report: Value = serde_json::from_str(&output(program.args(["tasks", "--json"]))?)?;
    let page = page(&report).context("the report of `tasks` has no such field")?;
    follow_page(PAGE, page, "the declarations of the tasks", renew)
}

/// Compares a page of the book with what `source` makes of it, or writes it. Returns the fault of a
/// page that is old.
pub(super) fn follow_page(
    name: &str,
    page: String,
    source: &str,
    renew: bool,
) -> Result<Option<String>> {
    let path = root().join(name);
    if fs::read_to_string(&path).is_ok_and(|old| old == page) {
        return Ok(None);
    }
    if !renew {
        let fault = format!("differs from {source}; `cargo xtask book --renew` writes it");
        return Ok(Some(format!("{name}: {fault}")));
    }
    fs::write(path, page)?;
    println!("    {name} is renewed");
    Ok(None)
}

fn page(report: &Value) -> Option<String> {
    let mut page = BEGIN.to_owned();
    for task in report["tasks"].as_array()? {
        let kinds: Vec<String> = task["reports"]
            .as_array()?
            .iter()
            .map(|kind| Some(format!("`{}`", kind.as_str()?)))
            .collect::<Option<_>>()?;
        let noun = if kinds.len() == 1 { "Report" } else { "Reports" };
        let (command, about) = (task["command"].as_str()?, task["about"].as_str()?);
        let stop = if about.ends_with('?') { "" } else { "." };
        let _ = write!(page, "\n## {command}\n\n{}{stop} {noun}: ", cell(about));
        let _ = writeln!(page, "{}.\n", kinds.join(", "));
        page.push_str("| field | takes | default | meaning |\n|---|---|---|---|\n");
        for field in task["fields"].as_array()? {
            let name = field["field"].as_str()?;
            let is_required = field["is_required"].as_bool()?;
            let name = if is_required { format!("**`{name}`**") } else { format!("`{name}`") };
            let choices = words(&field["choices"], |choice| choice["value"].as_str())?;
            let takes = if choices.is_empty() { cell(field["takes"].as_str()?) } else { choices };
            let many = if field["is_list"].as_bool()? { "; several" } else { "" };
            let default = words(&field["default"], Value::as_str)?;
            let help = cell(field["help"].as_str()?);
            let _ = writeln!(page, "| {name} | {takes}{many} | {default} | {help} |");
        }
    }
    page.push_str("\nNext: [files](files.md), or [the Rust library](library.md).\n");
    Some(page)
}

/// The elements of an array as code, with commas between them.
fn words(array: &Value, word: impl Fn(&Value) -> Option<&str>) -> Option<String> {
    let words = array.as_array()?.iter().map(|one| Some(format!("`{}`", cell(word(one)?))));
    Some(words.collect::<Option<Vec<String>>>()?.join(", "))
}

/// Text in a cell of a table: a bar outside of code would end it, and so would one within.
pub(super) fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::page;

    #[test]
    fn a_task_is_a_table_of_its_fields() {
        let field = |name: &str, is_required: bool| {
            json!({"field": name, "takes": "text", "choices": [{"value": "a|b"}], "default": ["1"],
                "is_list": !is_required, "is_required": is_required, "help": "Either a|b"})
        };
        let task = json!({"command": "count", "about": "Count moves", "reports": ["count"],
            "fields": [field("game", true), field("moves", false)]});
        let page = page(&json!({"tasks": [task]})).unwrap();
        let rows = "| **`game`** | `a\\|b` | `1` | Either a\\|b |\n\
            | `moves` | `a\\|b`; several | `1` | Either a\\|b |\n";
        assert!(page.contains("## count\n\nCount moves. Report: `count`.\n"), "{page}");
        assert!(page.contains(rows), "{page}");
    }
}
