//! `stops`: signals at random instants of long commands.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::time::Duration;

use anyhow::Result;
use serde_json::Value;

use crate::attack::Class;
use crate::attack::arena::Arena;
use crate::attack::job::{Input, Job, Ran, Signal};
use crate::attack::random::Random;
use crate::attack::samples::Samples;

/// Time within which a command must end after its signal. On an idle machine two seconds would do.
const ENDS_WITHIN: Duration = Duration::from_secs(3);

/// Time within which a command must have installed its handlers.
const READY_WITHIN: Duration = Duration::from_secs(1);

/// Time after which a command that does not end is killed.
const PATIENCE: Duration = Duration::from_secs(20);

/// Signals within this time count as one.
const TOGETHER: Duration = Duration::from_millis(300);

/// Time of the first signal when the reports after one signal and after two are compared. By then
/// every command is at work.
const AT_WORK: Duration = Duration::from_millis(1_500);

/// Commands that take at least seconds, and the samples that they read.
const CASES: [(&str, &[&str]); 52] = [
    ("solve connect_four --memory-max 2G --json", &[]),
    ("solve connect_four --memory-max 2G -o out.tgs", &[]),
    ("solve breakthrough(cols=4,rows=5) --symmetry --memory-max 2G", &[]),
    ("solve breakthrough(cols=4,rows=5) --memory-max 2G -o out.tgs", &[]),
    ("solve achi(size=4,men=4,adjacency=king) --memory-max 2G -o out.tgs", &[]),
    ("solve kalah(houses=4,seeds=3) --memory-max 2G", &[]),
    ("interest connect_four(cols=5,rows=4) --csv all.csv --html page.html", &[]),
    ("interest connect_four(cols=6,rows=4) --memory-max 2G --json", &[]),
    ("interest large.tgs --csv all.csv", &["large.tgs"]),
    ("puzzles connect_four(cols=5,rows=4) --json", &[]),
    ("puzzles large.tgs --top 50 --html page.html", &["large.tgs"]),
    ("gauge othello --games 1000 --iterations 20000 --json", &[]),
    (
        "gauge connect_four --games 9000 --iterations 200 --record r.jsonl --html page.html --json",
        &[],
    ),
    ("compare connect_four(cols=5..9) --games 500 --json", &[]),
    ("match othello uct(iterations=5000) alphabeta(eval=mobility,depth=5) --games 500 --json", &[]),
    ("match connect_four random uct(iterations=20) --games 500000 --record r.jsonl --json", &[]),
    ("tournament othello random uct(iterations=2000) alphabeta(eval=margin,depth=30) --json", &[]),
    ("perft othello --depth 20 --json", &[]),
    ("perft connect_four --depth 30 --divide --json", &[]),
    ("search othello --iterations 2e9 --memory-max 1G --json", &[]),
    ("search othello --player alphabeta(eval=mobility,depth=40) --json", &[]),
    ("search isolation --player uct(iterations=2000000000)", &[]),
    ("match --power --record large_match.jsonl --json", &["large_match.jsonl"]),
    ("merge large_tournament.jsonl --json", &["large_tournament.jsonl"]),
    ("verify large.tgs --threads 1 --json", &["large.tgs"]),
    ("bench othello --seconds 20 --json", &[]),
    ("bench --solve connect_four(cols=5,rows=5) --json", &[]),
    ("solve othello(size=6) --memory-max 2G -o out.tgs", &[]),
    ("solve dots_and_boxes(rows=3,cols=3) --memory-max 2G --threads 1", &[]),
    ("interest large.tgs --save --json", &["large.tgs"]),
    ("gauge connect_four(cols=5,rows=4) --games 2000 --threads 1", &[]),
    (
        "tournament connect_four random uct(iterations=30) uct(iterations=40) --games 100000 \
         --record r.jsonl --html page.html",
        &[],
    ),
    ("merge large_match.jsonl -o whole.jsonl --html page.html", &["large_match.jsonl"]),
    ("replay large_match.jsonl --json", &["large_match.jsonl"]),
    ("bench --signature --json", &[]),
    ("perft three_small.rules --depth 2", &["three_small.rules"]),
    ("search three.rules --iterations 20", &["three.rules"]),
    ("search four_parts.rules --iterations 2000", &["four_parts.rules"]),
    ("search enclosed.rules --iterations 2000", &["enclosed.rules"]),
    ("gauge three_small.rules --solve-limit 0", &["three_small.rules"]),
    ("gauge never.rules", &["never.rules"]),
    ("solve three.rules --memory-max 1G", &["three.rules"]),
    ("match four_parts.rules random uct(iterations=20) --games 100", &["four_parts.rules"]),
    ("check enclosed.rules", &["enclosed.rules"]),
    ("check four_parts.rules", &["four_parts.rules"]),
    ("show three.rules", &["three.rules"]),
    ("vet three_small.rules", &["three_small.rules"]),
    ("solve enclosed.rules --memory-max 1G", &["enclosed.rules"]),
    ("play connect_four", &[]),
    ("difficulty - --out csv", &[]),
    ("check -", &[]),
    ("show - --json", &[]),
];

/// Output of a command after one signal.
#[derive(Clone, Debug, PartialEq)]
struct Answer {
    code: Option<i32>,
    kind: Printed,
}

#[derive(Clone, Debug, PartialEq)]
enum Printed {
    Nothing,
    /// A report of this kind.
    Report(String),
    Text,
    /// Part of a report.
    Broken,
}

impl Answer {
    fn of(ran: &Ran) -> Answer {
        let kind = if ran.stdout.is_empty() {
            Printed::Nothing
        } else if ran.stdout[0] == b'{' {
            let report: Result<Value, _> = serde_json::from_slice(&ran.stdout);
            report.map_or(Printed::Broken, |report| Printed::Report(report["kind"].to_string()))
        } else {
            Printed::Text
        };
        Answer { code: ran.code, kind }
    }
}

#[derive(Default)]
pub(crate) struct Stops {
    /// Outputs of commands after one signal at [`AT_WORK`].
    once: HashMap<usize, Answer>,
}

impl Class for Stops {
    fn name(&self) -> &'static str {
        "stops"
    }

    fn quick(&self) -> u64 {
        5
    }

    fn prepare(&mut self, samples: &Samples) -> Result<()> {
        samples.make_large()
    }

    fn attempt(&mut self, arena: &Arena<'_>, random: &mut Random, _: u64) -> Result<()> {
        let n = random.below(CASES.len());
        let (command, samples) = CASES[n];
        let words: Vec<&str> = command.split(' ').collect();
        let begin = |arena: &Arena<'_>| -> Result<()> {
            arena.clear()?;
            samples.iter().try_for_each(|name| arena.copy(name, name))
        };
        let name = words[..2].join(" ");
        let waits = words.contains(&"-");
        let mut job = Job::new(words).patience(PATIENCE);
        if waits {
            job = job.input(Input::Idle);
        }
        let [first, second] = [(); 2].map(|()| {
            let signals = [Signal::Interrupt, Signal::Terminate];
            *random.pick(&signals)
        });
        begin(arena)?;
        if random.one_in(3) {
            if let Entry::Vacant(once) = self.once.entry(n) {
                let ran = arena.run(&job.clone().signal(AT_WORK, Signal::Interrupt))?;
                if note(arena, &name, &ran) {
                    return Ok(());
                }
                once.insert(Answer::of(&ran));
                begin(arena)?;
            }
            let then = AT_WORK + random.between(Duration::ZERO, TOGETHER);
            let ran = arena.run(&job.signal(AT_WORK, first).signal(then, second))?;
            let (once, twice) = (&self.once[&n], Answer::of(&ran));
            // A command may finish between the two signals.
            let is_done = ran.code == Some(0) || once.code == Some(0);
            if !note(arena, &name, &ran) && !is_done && twice != *once {
                let what = format!("{name}, stopped twice: {twice:?}, and once: {once:?}");
                arena.fault(what, &ran);
            }
            return Ok(());
        }
        let longest = match random.below(6) {
            0 | 1 => 100,
            2..5 => 2_500,
            _ => 8_000,
        };
        let at = random.between(Duration::ZERO, Duration::from_millis(longest));
        let ran = arena.run(&job.signal(at, first))?;
        note(arena, &name, &ran);
        Ok(())
    }
}

/// Records a fault of a stopped run. Returns whether there was one.
fn note(arena: &Arena<'_>, name: &str, ran: &Ran) -> bool {
    let wrong = wrong(ran);
    if let Some(wrong) = &wrong {
        arena.fault(format!("{name}, stopped: {wrong}"), ran);
    }
    wrong.is_some()
}

fn wrong(ran: &Ran) -> Option<String> {
    let late = ran.after_signal().is_some_and(|after| after > ENDS_WITHIN);
    if late || ran.cut.is_some() {
        return Some(format!("did not end within {} s", ENDS_WITHIN.as_secs()));
    }
    if let [sent, ..] = ran.sent[..]
        && ran.died_as_told()
    {
        if sent.was_ready {
            return Some(format!("{}, though it had its handlers", ran.end()));
        }
        // Before it has handlers, the program dies of the signal like any other.
        return (sent.at > READY_WITHIN).then(|| format!("{}: it has no handlers", ran.end()));
    }
    if let Some(wrong) = ran.wrong_end(&[0, 130]) {
        return Some(wrong);
    }
    (Answer::of(ran).kind == Printed::Broken).then(|| "half a report".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_and_half_reports_are_told_apart() {
        let ran = |stdout: &str| Ran {
            command: String::new(),
            code: Some(130),
            signal: None,
            cut: None,
            sent: Vec::new(),
            ended: Duration::ZERO,
            peak: 0,
            stdout: stdout.into(),
            stderr: Vec::new(),
            stderr_len: 0,
        };
        assert_eq!(wrong(&ran("")), None);
        assert_eq!(wrong(&ran("{\"kind\":\"solve\"}\n")), None);
        assert_eq!(wrong(&ran("{\"kind\":\"sol")).as_deref(), Some("half a report"));
        let twice = Answer::of(&ran("INCOMPLETE"));
        assert_eq!(twice, Answer { code: Some(130), kind: Printed::Text });
        assert_ne!(twice, Answer::of(&ran("")));
    }
}
