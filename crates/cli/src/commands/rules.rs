//! `treegauge rules`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use treegauge::FileKind;
use treegauge::catalog::{
    EXAMPLES as GAMES, FRAME, FrameWord, Sort, WORDS, Word, WordExample, beyond_language,
    words_for, words_of,
};
use treegauge::grammar::nearest;

use crate::exit::{Exit, Failure, Outcome};
use crate::files::{make_folder, to_write};
use crate::output::print;

pub(super) const EXAMPLES: &[&str] = &["rules", "rules custodial"];

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Word to look up [default: all]
    word: Option<String>,

    /// Write a picture of each word as SVG into this folder
    #[arg(long, value_name = "DIR")]
    pictures: Option<PathBuf>,
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
        draw(arguments, &GAMES.iter().collect::<Vec<_>>())?;
        text.push_str("A word with a star refers to the move: it is allowed in then, only-if, later parts of seq, and end.\n");
        return print(&text);
    };
    let words: Vec<&Word> = WORDS.iter().filter(|word| word.name == name).collect();
    let of_frame: Vec<&FrameWord> = FRAME.iter().filter(|word| word.name == name).collect();
    if words.is_empty() && of_frame.is_empty() {
        let frame = FRAME.iter().map(|word| word.name);
        let names = || WORDS.iter().map(|word| word.name).chain(frame.clone());
        let mut meant: Vec<String> = words_for(name).map(|word| format!("`{word}`")).collect();
        if meant.is_empty() {
            meant.extend(nearest(name, names()).map(|word| format!("`{word}`")));
        }
        let hint = match (beyond_language(name), &meant[..]) {
            (Some(reason), _) => format!("; {reason}"),
            (None, []) => "; `treegauge rules` lists all words".to_owned(),
            (None, [only]) => format!("; did you mean {only}?"),
            (None, [before @ .., last]) => {
                format!("; did you mean {} or {last}?", before.join(", "))
            }
        };
        return Err(Failure::new(Exit::Usage, format!("unknown word `{name}`{hint}")));
    }
    let games = of_frame
        .iter()
        .map(|word| (None, word.name))
        .chain(words.iter().map(|word| (Some(word.sort), word.name)))
        .filter_map(|(sort, name)| WordExample::of(sort, name));
    let games: Vec<&WordExample> = games.collect();
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
    draw(arguments, &games)?;
    for game in games {
        let lines: Vec<String> = game.text().lines().map(|line| format!("  {line}")).collect();
        let _ = write!(text, "\nA game to try:\n\n{}\n", lines.join("\n"));
    }
    print(&text)
}

/// Writes pictures of words, if they were asked for.
fn draw(arguments: &Arguments, games: &[&WordExample]) -> Outcome {
    let Some(folder) = &arguments.pictures else { return Ok(()) };
    make_folder(folder)?;
    for game in games {
        let file = to_write(&folder.join(game.file_name()), FileKind::Picture)?;
        file.write(&game.picture())?;
    }
    Ok(())
}

fn describe(word: &Word, text: &mut String) {
    let star = if word.of_move { " *" } else { "" };
    let pattern = word.pattern();
    let _ = write!(text, "  {pattern}{star}\n      {}", word.meaning);
    // The example of a word without parts is the word.
    if pattern != word.example {
        let _ = write!(text, ", as in {}", word.example);
    }
    text.push('\n');
}

fn describe_frame(word: &FrameWord, text: &mut String) {
    let _ = writeln!(text, "  {}\n      {}, as in {}", word.pattern, word.meaning, word.example);
}
