//! `saved`: saved reports with scripts as texts and field names, with odd numbers, and with lists
//! that are empty or very long.

use std::fs;
use std::time::Duration;

use anyhow::Result;
use serde_json::{Number, Value};

use crate::attack::arena::Arena;
use crate::attack::job::{Job, Ran};
use crate::attack::random::Random;
use crate::attack::samples::REPORTS;
use crate::attack::{Class, DOCUMENTED};

/// Texts that a browser would run if a page had them unescaped.
const SCRIPTS: [&str; 9] = [
    "<script>alert(1)</script>",
    "\"><script>alert(1)</script>",
    "</style><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"></svg>",
    "<svg><script>alert(1)</script></svg>",
    "<img src=x onerror=alert(1)>",
    "\" onmouseover=\"alert(1)",
    "<iframe src=\"javascript:alert(1)\"></iframe>",
];

/// Texts that cannot occur in a page that escapes all texts.
const LIVE: [&str; 6] =
    ["<script", "<img", "<iframe", "\" onload=", "\" onerror=", "\" onmouseover="];

/// Numbers that no run writes, in JSON.
const NUMBERS: [&str; 12] = [
    "1e308",
    "-1e308",
    "1e999",
    "1e15",
    "-1",
    "0",
    "0.5",
    "4294967296",
    "2147483647",
    "18446744073709551615",
    "-9223372036854775808",
    "99999999999999999999999",
];

/// Number of items of a list that is made long.
const LONG: usize = 20_000;

/// Greatest length of a page or a text, in bytes.
const PRINTED_MAX: usize = 48 << 20;

/// Time within which a long list must be read, refused or shown.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Saved;

impl Class for Saved {
    fn name(&self) -> &'static str {
        "saved"
    }

    fn quick(&self) -> u64 {
        200
    }

    fn attempt(&mut self, arena: &Arena<'_>, random: &mut Random, _: u64) -> Result<()> {
        let sample = random.pick(&REPORTS).0;
        let mut value: Value = serde_json::from_slice(&arena.samples.read(sample)?)?;
        let (what, text) = match random.below(8) {
            0..3 => {
                scripted(&mut value, random);
                ("a script", value.to_string())
            }
            3..7 => ("an odd number", numbered(&mut value, random)),
            _ => {
                reshaped(&mut value, random);
                ("a list of another length", value.to_string())
            }
        };
        fs::write(arena.path("saved.json"), text)?;
        for words in ["report saved.json", "report saved.json --html -"] {
            let ran = arena.run(&Job::new(words.split(' ')).patience(PATIENCE))?;
            if let Some(wrong) = wrong(&ran) {
                arena.fault(format!("{words} of {sample} with {what}: {wrong}"), &ran);
            }
        }
        Ok(())
    }
}

/// Describes what is wrong with a run; `None` if nothing is.
fn wrong(ran: &Ran) -> Option<String> {
    if let Some(wrong) = ran.wrong_end(&DOCUMENTED) {
        return Some(wrong);
    }
    if ran.stdout.len() > PRINTED_MAX {
        return Some(format!("more than {} MB of output", PRINTED_MAX >> 20));
    }
    let shown = String::from_utf8_lossy(&ran.stdout);
    let is_page = shown.starts_with("<!DOCTYPE html>");
    if let Some(live) = LIVE.iter().find(|live| is_page && shown.contains(*live)) {
        return Some(format!("a browser would take {live:?} for its own"));
    }
    let words = || shown.split(|c: char| !c.is_alphanumeric());
    words()
        .any(|word| ["inf", "NaN"].contains(&word))
        .then(|| "a number that is not finite is shown".to_owned())
}

/// Replaces a random text or field name by a script.
fn scripted(value: &mut Value, random: &mut Random) {
    let script = *random.pick(&SCRIPTS);
    let is_named = |value: &Value| {
        value.is_string() || value.as_object().is_some_and(|fields| !fields.is_empty())
    };
    match place(value, random, is_named) {
        Some(Value::Object(fields)) => {
            let name = fields.keys().nth(random.below(fields.len())).cloned().unwrap_or_default();
            let own = fields.remove(&name).unwrap_or_default();
            fields.insert(script.to_owned(), own);
        }
        Some(text) => *text = Value::String(script.to_owned()),
        None => {}
    }
}

/// JSON of the value with an odd number in place of a random number.
fn numbered(value: &mut Value, random: &mut Random) -> String {
    // A marker that occurs nowhere else.
    const MARK: u64 = 7_310_419_375_221_806_113;
    if let Some(number) = place(value, random, Value::is_number) {
        *number = Value::Number(Number::from(MARK));
    }
    let odd = *random.pick(&NUMBERS);
    value.to_string().replace(&MARK.to_string(), odd)
}

/// Makes a random list empty or repeats its items.
fn reshaped(value: &mut Value, random: &mut Random) {
    let is_list = |value: &Value| value.as_array().is_some_and(|items| !items.is_empty());
    let Some(Value::Array(items)) = place(value, random, is_list) else { return };
    match random.below(3) {
        0 => items.clear(),
        1 => items.extend_from_within(..),
        _ => *items = items.iter().cycle().take(LONG).cloned().collect(),
    }
}

/// Random value within `value` that `wanted` accepts; `None` if there is none.
fn place<'v>(
    value: &'v mut Value,
    random: &mut Random,
    wanted: impl Fn(&Value) -> bool,
) -> Option<&'v mut Value> {
    let mut found = Vec::new();
    let mut open = vec![(String::new(), &*value)];
    while let Some((path, at)) = open.pop() {
        match at {
            Value::Array(items) => {
                open.extend(
                    items.iter().enumerate().map(|(n, item)| (format!("{path}/{n}"), item)),
                );
            }
            Value::Object(fields) => open.extend(fields.iter().map(|(name, field)| {
                (format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")), field)
            })),
            _ => {}
        }
        if wanted(at) {
            found.push(path);
        }
    }
    let path = (!found.is_empty()).then(|| random.pick(&found).clone())?;
    value.pointer_mut(&path)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn damage_is_found_everywhere() {
        let whole = json!({"a/b": [1, {"c": "text"}], "d": 2.5});
        let (mut scripts, mut numbers) = (Vec::new(), Vec::new());
        for n in 0..200 {
            let mut random = Random::of(1, "saved", n);
            let mut value = whole.clone();
            scripted(&mut value, &mut random);
            assert_ne!(value, whole);
            scripts.push(value["a/b"][1]["c"] != "text");
            numbers.push(numbered(&mut whole.clone(), &mut random));
            let mut value = whole.clone();
            reshaped(&mut value, &mut random);
            assert!([0, 4, LONG].contains(&value["a/b"].as_array().unwrap().len()));
        }
        assert!(scripts.contains(&true) && scripts.contains(&false));
        for number in NUMBERS {
            assert!(
                numbers.contains(&format!("{{\"a/b\":[{number},{{\"c\":\"text\"}}],\"d\":2.5}}"))
            );
            assert!(
                numbers.contains(&format!("{{\"a/b\":[1,{{\"c\":\"text\"}}],\"d\":{number}}}"))
            );
        }
    }
}
