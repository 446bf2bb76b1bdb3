//! `treegauge rules`.

use std::fmt::Write;

use clap::Args;
use treegauge::catalog::{
    FRAME, FrameWord, Sort, WORDS, Word, beyond_language, word_for, words_of,
};
use treegauge::grammar::nearest;

use crate::exit::{Exit, Failure, Outcome};
use crate::output::print;

pub(super) const EXAMPLES: &[&str] = &["rules", "rules custodial"];

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Word to look up [default: all]
    word: Option<String>,
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    let mut text = String::new();
    let Some(name) = &arguments.word else {
        let title = "sections, boards and clauses";
        let _ = writeln!(text, "{title}\n{}", "-".repeat(title.len()));
        FRAME.iter().for_each(|word| describe_frame(word, &mut text));
        text.push('\n');
        for sort in Sort::ALL {
            let title = sort.title();
            let _ = writeln!(text, "{title}\n{}", "-".repeat(title.len()));
            words_of(sort).for_each(|word| describe(word, &mut text));
            text.push('\n');
        }
        text.push_str("A word with a star refers to the move: it is allowed in then, only-if, later parts of seq, and end.\n");
        return print(&text);
    };
    let words: Vec<&Word> = WORDS.iter().filter(|word| word.name == name).collect();
    let of_frame: Vec<&FrameWord> = FRAME.iter().filter(|word| word.name == name).collect();
    if words.is_empty() && of_frame.is_empty() {
        let frame = FRAME.iter().map(|word| word.name);
        let names = || WORDS.iter().map(|word| word.name).chain(frame.clone());
        let meant = word_for(name).next().or_else(|| nearest(name, names()));
        let hint = match (beyond_language(name), meant) {
            (Some(reason), _) => format!("; {reason}"),
            (None, Some(meant)) => format!("; did you mean `{meant}`?"),
            (None, None) => "; `treegauge rules` lists all words".to_owned(),
        };
        return Err(Failure::new(Exit::Usage, format!("unknown word `{name}`{hint}")));
    }
    for word in of_frame {
        let _ = match word.within {
            "" => writeln!(text, "{}:", word.name),
            "game" => writeln!(text, "{}, a section:", word.name),
            "MOVES" => writeln!(text, "{}, a clause of a move:", word.name),
            within => writeln!(text, "{}, in `{within}`:", word.name),
        };
        describe_frame(word, &mut text);
    }
    for word in words {
        let _ = writeln!(text, "{}, {}:", word.name, word.sort);
        describe(word, &mut text);
    }
    print(&text)
}

fn describe(word: &Word, text: &mut String) {
    let star = if word.of_move { " *" } else { "" };
    let _ = writeln!(
        text,
        "  {}{star}\n      {}, as in {}",
        word.pattern(),
        word.meaning,
        word.example
    );
}

fn describe_frame(word: &FrameWord, text: &mut String) {
    let _ = writeln!(text, "  {}\n      {}, as in {}", word.pattern, word.meaning, word.example);
}
