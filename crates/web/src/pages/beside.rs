//! Two runs of one kind side by side.

use maud::html;

use super::{Page, fragment};
use crate::answer::Refusal;
use crate::route::{Form, Route, View};
use crate::runs::Run;
use crate::worker::Rendered;

/// A run with its report, `None` if it has none.
pub(crate) type Side<'a> = (&'a Run, Result<Option<Rendered>, Refusal>);

/// Page with two runs side by side.
pub(crate) fn beside(sides: &[Side<'_>; 2], token: &str) -> String {
    let differing = differing(sides[0].0, sides[1].0);
    let content = html! {
        nav.bar aria-label="Runs" { a href=(Route::Runs(Form::Page).link()) { "All runs" } }
        h1 { "Side by side: " (sides[0].0.command()) }
        @if differing.is_empty() {
            p.note { "Both runs have the same options." }
        } @else {
            div.wide tabindex="0" role="region" aria-label="Options that differ" {
                table {
                    thead { tr { th { "Option" } th { (sides[0].0.facts.title) } th { (sides[1].0.facts.title) } } }
                    tbody { @for [name, one, other] in &differing { tr { td { (name) } td { (one) } td { (other) } } } }
                }
            }
        }
        div.sides {
            @for (run, report) in sides {
                section.report aria-label=(run.facts.title) {
                    h2 { a href=(Route::Run(run.id.clone(), View::Page).link()) { (run.facts.title) } " (" (run.state.name()) ")" }
                    @match report {
                        Ok(Some(report)) => (fragment(&report.fragment)),
                        Ok(None) => p.note { "The run has no report yet." },
                        Err(refusal) => p.problem { (refusal.error) },
                    }
                }
            }
        }
    };
    Page {
        title: "Side by side",
        name: "beside",
        section: Route::Runs(Form::Page),
        command: None,
        data: None,
        content,
    }
    .document(token)
}

/// Options that differ between two runs: name and both values.
fn differing(one: &Run, other: &Run) -> Vec<[String; 3]> {
    let mut names: Vec<&String> = one.facts.task.keys().chain(other.facts.task.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let value = |run: &Run, name: &String| match run.facts.task.get(name) {
        None => "not set".to_owned(),
        Some(serde_json::Value::String(text)) => text.clone(),
        Some(serde_json::Value::Array(all)) => {
            let texts =
                all.iter().map(|one| one.as_str().map_or_else(|| one.to_string(), str::to_owned));
            texts.collect::<Vec<_>>().join(", ")
        }
        Some(value) => value.to_string(),
    };
    let row = |name: &String| [name.replace('_', " "), value(one, name), value(other, name)];
    names.into_iter().map(row).filter(|[_, one, other]| one != other).collect()
}
