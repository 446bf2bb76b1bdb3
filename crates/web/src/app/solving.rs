//! Solving mode: answers to moves, and the table of attempts.

use std::fs;
use std::io::Write;

use hyper::body::Incoming;
use serde_json::json;

use super::body::{object, text_of};
use super::{App, Asked};
use crate::answer::{Answer, HTML, Refusal};
use crate::dates::minute;
use crate::pages::{self, Begun, Posed, Problem, Touched, Way, solving_link};
use crate::workspace::OWN;

/// The file of attempts, and its greatest length.
const ATTEMPTS: &str = "attempts.csv";
const ATTEMPTS_BYTES_MAX: u64 = 32 << 20;

/// The first line of the file.
const HEAD: &str = "time,problem,solver,result,tries,seconds,hints\n";

impl App {
    /// Answers a request in solving mode: the page of the problem, its part that changes, or the
    /// address after a move that was typed or touched.
    pub(super) fn solving(
        &self,
        problem: &Problem,
        way: &Way,
        posed: &Posed,
        asked: &Asked,
    ) -> Answer {
        let after = |m: &str| {
            let mut moves = posed.moves.clone();
            moves.push(m.to_owned());
            Answer::redirect(&solving_link(&problem.link, &moves, &[]))
        };
        let mut begun = Begun::default();
        if let Some(typed) = &way.typed {
            let mut moves = posed.board.moves.iter();
            match moves.find(|path| path.text.eq_ignore_ascii_case(typed)) {
                Some(path) => return after(&path.text),
                None => begun.problem = Some(format!("\"{typed}\" is not a legal move here.")),
            }
        }
        if !way.touched.is_empty() {
            let names: Vec<&str> = way.touched.iter().map(String::as_str).collect();
            match pages::touched(&posed.board, &names) {
                Touched::Move(m) => return after(&m),
                Touched::Begun(choices) => {
                    begun.touched =
                        names.iter().filter_map(|name| posed.board.cells.cell(name)).collect();
                    begun.choices = choices;
                }
                Touched::Nothing => {
                    begun.problem = Some(format!("No move touches {} here.", names.join(", ")));
                }
            }
        }
        let body = match way.is_part {
            true => pages::solving_part(problem, posed, &begun).into_string(),
            false => pages::solving(problem, posed, &begun, asked.token()),
        };
        Answer::new(HTML, body)
    }

    /// Adds an attempt to the table.
    pub(super) async fn attempt(&self, body: Incoming) -> Result<Answer, Refusal> {
        let mut fields = object(body).await?;
        let number = |name: &str, max: u64| match fields.get(name).and_then(|value| value.as_u64())
        {
            Some(number) if number <= max => Ok(number),
            _ => {
                let error = format!("`{name}` must be a whole number up to {max}.");
                Err(Refusal { field: Some(name.to_owned()), ..Refusal::new(400, error) })
            }
        };
        let (tries, seconds, hints) =
            (number("tries", 10_000)?, number("seconds", 10_000_000)?, number("hints", 10_000)?);
        let problem = text_of(&mut fields, "problem", 300)?.unwrap_or_default();
        let solver = text_of(&mut fields, "solver", 100)?.unwrap_or_default();
        let result = text_of(&mut fields, "result", 20)?.unwrap_or_default();
        if problem.is_empty() || !matches!(result.as_str(), "solved" | "shown") {
            let error = "An attempt has a `problem`, and a `result` that is `solved` or `shown`.";
            return Err(Refusal::new(400, error));
        }
        let time = minute((self.now_s)());
        let (problem, solver) = (field(&problem), field(solver.trim()));
        let row = format!("{time},{problem},{solver},{result},{tries},{seconds},{hints}\n");
        self.append(&row)?;
        Ok(Answer::json(&json!({"schema": 1, "kind": "attempt"})).status(201))
    }

    fn append(&self, row: &str) -> Result<(), Refusal> {
        let cannot = |error: std::io::Error| {
            Refusal::busy(format!("The attempts cannot be written: {}.", error.kind()))
        };
        let path = self.workspace.folder(OWN).map_err(cannot)?.join(ATTEMPTS);
        let length = match fs::symlink_metadata(&path) {
            Ok(found) if !found.is_file() => {
                return Err(Refusal::busy("The attempts cannot be written: a link is there."));
            }
            Ok(found) => found.len(),
            Err(_) => 0,
        };
        if length > ATTEMPTS_BYTES_MAX {
            let error = format!("`{OWN}/{ATTEMPTS}` has more than 32 MB. Move it elsewhere.");
            return Err(Refusal::new(413, error));
        }
        let head = if length == 0 { HEAD } else { "" };
        let mut file = fs::File::options().create(true).append(true).open(&path).map_err(cannot)?;
        file.write_all(format!("{head}{row}").as_bytes()).map_err(cannot)
    }
}

/// A row of the table of attempts.
pub(crate) struct Attempt {
    pub(crate) problem: String,
    pub(crate) solver: String,
    pub(crate) is_solved: bool,
    pub(crate) seconds: u64,
}

/// The last rows of a long table that are read.
const READ_BYTES_MAX: usize = 1 << 20;

impl App {
    /// Attempts at problems whose names begin with that of a run, oldest first.
    pub(super) fn attempts_at(&self, run: &str) -> Vec<Attempt> {
        let path = self.workspace.root().join(OWN).join(ATTEMPTS);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
        let bytes = treegauge_store::read(&path, ATTEMPTS_BYTES_MAX * 2).ok().filter(|_| is_file);
        let bytes = bytes.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(READ_BYTES_MAX)..]);
        let row = |line: &str| {
            let (_, rest) = line.split_once(',')?;
            let (problem, rest) = rest.split_once(',')?;
            let of_run = problem.strip_prefix(run)?.starts_with('/');
            // Numbers have no commas, so they are taken from the end.
            let mut fields = rest.rsplitn(5, ',');
            let (_, seconds, _) = (fields.next()?, fields.next()?, fields.next()?);
            let (result, solver) = (fields.next()?, fields.next()?);
            let solver = solver.trim_matches('"').replace("\"\"", "\"");
            of_run.then(|| Attempt {
                problem: problem.to_owned(),
                solver,
                is_solved: result == "solved",
                seconds: seconds.parse().unwrap_or(0),
            })
        };
        text.lines().filter_map(row).collect()
    }
}

/// A text as a field of a table. Programs for tables take some first characters for those of a
/// formula.
pub(super) fn field(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let is_formula = text.starts_with(['=', '+', '-', '@']);
    let text = if is_formula { format!("'{text}") } else { text };
    if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn a_name_is_a_field_and_not_a_formula() {
        assert_eq!(field("Ann"), "Ann");
        assert_eq!(field("Ann, \"A\"\n"), "\"Ann, \"\"A\"\" \"");
        assert_eq!(field("=1+1"), "'=1+1");
    }
}
