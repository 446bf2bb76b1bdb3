//! The steps of a page.

/// A block of a page between two fences.
#[derive(Debug)]
struct Block<'a> {
    /// The number of its first fence, from 1.
    line: usize,
    info: &'a str,
    lines: Vec<&'a str>,
    /// Whether only blank lines stand between this block and the one before.
    is_adjacent: bool,
}

/// Reasons not to run a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// It builds the program or the repository.
    Build,
    /// It needs a chess engine.
    Engine,
    /// It needs files that the repository does not have.
    Files,
    /// It waits for a person or opens a window.
    Interactive,
    /// It takes minutes.
    Slow,
}

impl Reason {
    const ALL: [(&'static str, Reason); 5] = [
        ("build", Reason::Build),
        ("engine", Reason::Engine),
        ("files", Reason::Files),
        ("interactive", Reason::Interactive),
        ("slow", Reason::Slow),
    ];

    /// The reason in words.
    pub(super) fn words(self) -> &'static str {
        match self {
            Reason::Build => "build of the repository",
            Reason::Engine => "no Stockfish 15.1",
            Reason::Files => "files of the user",
            Reason::Interactive => "interactive",
            Reason::Slow => "takes minutes",
        }
    }
}

/// Output that a page shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shown {
    /// The number of its first line, from 1.
    pub(super) line: usize,
    pub(super) lines: Vec<String>,
}

/// One step of a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Write a file.
    File { name: String, text: String },
    /// Run commands, each with the number of its line.
    Run { commands: Vec<(usize, String)>, skip: Option<Reason>, exit: i32, shown: Option<Shown> },
}

/// The steps of a page, in the order of the text.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) steps: Vec<Step>,
}

/// Lines by number, each with a fault or a text.
pub(super) type Numbered = Vec<(usize, String)>;

impl Page {
    /// The steps of a text, or its faults.
    pub(super) fn parse(text: &str) -> Result<Page, Numbered> {
        let (mut steps, mut faults) = (Vec::new(), Vec::new());
        let mut is_after_sh = false;
        for block in blocks(text) {
            let is_output = is_after_sh && block.is_adjacent;
            let mut words = block.info.split_whitespace();
            let language = words.next().unwrap_or_default();
            is_after_sh = language == "sh";
            let added = match language {
                "sh" => sh(&block, words).map(|step| steps.push(step)),
                "text" if words.clone().next().is_none() => match steps.last_mut() {
                    Some(Step::Run { skip: Some(reason), .. })
                        if is_output && *reason != Reason::Engine =>
                    {
                        Err("this output is that of a block that is never run".to_owned())
                    }
                    Some(Step::Run { shown, .. }) if is_output => {
                        let lines = block.lines.iter().map(|&line| line.to_owned()).collect();
                        *shown = Some(Shown { line: block.line + 1, lines });
                        Ok(())
                    }
                    _ => Err("a block `text` shows output and must follow a block `sh`".to_owned()),
                },
                "bash" | "console" | "shell" | "zsh" => Err(format!(
                    "a block of commands is a block `sh`, not `{language}`, so that it is run"
                )),
                _ => file(&block, words).map(|step| steps.extend(step)),
            };
            faults.extend(added.err().map(|fault| (block.line, fault)));
        }
        if faults.is_empty() { Ok(Page { steps }) } else { Err(faults) }
    }
}

/// The blocks of a text. Those in a list have its indent, which is left out.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<(Block<'_>, &str, &str)> = None;
    let mut is_adjacent = false;
    for (at, line) in text.lines().enumerate() {
        let bare = line.trim_start();
        let indent = &line[..line.len() - bare.len()];
        match open.take() {
            Some((block, fence, _)) if bare.trim_end() == fence => {
                blocks.push(block);
                is_adjacent = true;
            }
            Some((mut block, fence, indent)) => {
                block.lines.push(line.strip_prefix(indent).unwrap_or(bare));
                open = Some((block, fence, indent));
            }
            None if bare.starts_with("```") => {
                let info = bare.trim_start_matches('`');
                let fence = &bare[..bare.len() - info.len()];
                let block =
                    Block { line: at + 1, info: info.trim(), lines: Vec::new(), is_adjacent };
                open = Some((block, fence, indent));
            }
            None => is_adjacent &= bare.is_empty(),
        }
    }
    blocks
}

/// A text without its blocks: their lines are empty.
pub(super) fn without_blocks(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    for block in blocks(text) {
        lines[block.line - 1..=block.line + block.lines.len()].fill("");
    }
    lines.join("\n")
}

/// The step of a block of commands.
fn sh<'a>(block: &Block<'_>, words: impl Iterator<Item = &'a str>) -> Result<Step, String> {
    let (mut skip, mut exit) = (None, 0);
    for word in words {
        if let Some(name) = word.strip_prefix("skip=") {
            let known = Reason::ALL.iter().find(|(known, _)| *known == name);
            let known = known.ok_or_else(|| {
                let names = Reason::ALL.map(|(name, _)| name).join(", ");
                format!("unknown reason `{name}` to skip a block: it is one of {names}")
            })?;
            skip = Some(known.1);
        } else if let Some(code) = word.strip_prefix("exit=") {
            exit = code.parse().map_err(|_| format!("`{code}` is not an exit code"))?;
        } else {
            return Err(format!("unknown word `{word}` behind `sh`: skip=REASON or exit=N"));
        }
    }
    let mut commands: Vec<(usize, String)> = Vec::new();
    let mut continues = false;
    for (at, line) in block.lines.iter().enumerate() {
        let is_continued = line.ends_with('\\');
        match commands.last_mut() {
            Some((_, command)) if continues => {
                command.push('\n');
                command.push_str(line);
            }
            _ if line.trim().is_empty() || line.starts_with('#') => continue,
            _ => commands.push((block.line + 1 + at, (*line).to_owned())),
        }
        continues = is_continued;
    }
    Ok(Step::Run { commands, skip, exit, shown: None })
}

/// The step of a block of another language, if it is one.
fn file<'a>(
    block: &Block<'_>,
    words: impl Iterator<Item = &'a str>,
) -> Result<Option<Step>, String> {
    let mut step = None;
    for word in words {
        let name = word.strip_prefix("file=");
        let name = name.ok_or_else(|| format!("unknown word `{word}` of a block: file=NAME"))?;
        if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\']) {
            return Err(format!("`{name}` is not the name of a file in the folder of the page"));
        }
        let text = block.lines.iter().map(|line| format!("{line}\n")).collect();
        step = Some(Step::File { name: name.to_owned(), text });
    }
    Ok(step)
}

/// A text with the output that it shows renewed, and the shown lines for which there is none.
pub(super) fn renewed(text: &str, outputs: &[(Shown, Vec<String>)]) -> (String, Numbered) {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let mut lost = Vec::new();
    // From the end, so that the numbers of lines stay true.
    for (shown, actual) in outputs.iter().rev() {
        let (new, dropped) = super::output::renewed(&shown.lines, actual);
        let at = shown.line - 1;
        let first = &lines[at];
        let indent = first[..first.len() - first.trim_start().len()].to_owned();
        let own =
            shown.lines.first().map_or("", |line| &line[..line.len() - line.trim_start().len()]);
        let indent = indent.strip_suffix(own).unwrap_or_default().to_owned();
        let new = new
            .into_iter()
            .map(|line| if line.is_empty() { line } else { format!("{indent}{line}") });
        lines.splice(at..at + shown.lines.len(), new);
        lost.extend(dropped.into_iter().map(|(at, line)| (shown.line + at, line)));
    }
    let mut text = lines.join("\n");
    text.push('\n');
    lost.sort();
    (text, lost)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        let faults = Page::parse(text).unwrap_err();
        let faults: Vec<String> =
            faults.iter().map(|(line, fault)| format!("{line}: {fault}")).collect();
        faults.join("\n")
    }

    fn run(commands: &[(usize, &str)]) -> Step {
        let commands = commands.iter().map(|&(line, text)| (line, text.to_owned())).collect();
        Step::Run { commands, skip: None, exit: 0, shown: None }
    }

    #[test]
    fn steps_stand_in_the_order_of_the_text() {
        let text = "a\n```sh\nx 1\n\n# not this\ny \\\n  z\n```\n```lisp file=a.rules\n(game)\n```\n```rust\nfn f() {}\n```\n";
        let file = Step::File { name: "a.rules".to_owned(), text: "(game)\n".to_owned() };
        let steps = Page::parse(text).unwrap().steps;
        assert_eq!(steps, [run(&[(3, "x 1"), (6, "y \\\n  z")]), file]);
    }

    #[test]
    fn a_text_block_directly_after_commands_shows_their_output() {
        let text = "1. a\n\n   ```sh exit=1\n   x\n   ```\n\n   ```text\n    1\n   2\n   ```\n";
        let shown = Shown { line: 8, lines: vec![" 1".to_owned(), "2".to_owned()] };
        let commands = vec![(4, "x".to_owned())];
        let step = Step::Run { commands, skip: None, exit: 1, shown: Some(shown.clone()) };
        assert_eq!(Page::parse(text).unwrap().steps, [step]);
        // Renewed in its place, with its indent.
        let (new, lost) = renewed(text, &[(shown, vec![" 1".to_owned(), "20".to_owned()])]);
        assert_eq!(new, text.replace("   2\n", "   20\n"));
        assert_eq!(lost, []);
        let never = "```sh skip=slow\nx\n```\n```text\n1\n```\n";
        assert_eq!(fault(never), "4: this output is that of a block that is never run");
        let apart = "```sh\nx\n```\nprints\n\n```text\n1\n```\n";
        assert!(fault(apart).starts_with("6: a block `text` shows output"));
    }

    #[test]
    fn reasons_to_skip_a_block_are_from_a_list() {
        let steps = Page::parse("```sh skip=interactive\nx\n```\n").unwrap().steps;
        assert!(matches!(steps[..], [Step::Run { skip: Some(Reason::Interactive), .. }]));
        assert_eq!(
            fault("\n```sh skip=lazy\nx\n```\n"),
            "2: unknown reason `lazy` to skip a block: it is one of build, engine, files, interactive, slow"
        );
        assert!(fault("```bash\nx\n```\n").contains("not `bash`"));
        assert!(fault("```sh run\nx\n```\n").contains("unknown word `run`"));
        assert!(fault("```sh exit=no\nx\n```\n").contains("`no` is not an exit code"));
    }

    #[test]
    fn files_stay_in_the_folder_of_the_page() {
        for name in ["../a", "a/b", "/a", ".a", ""] {
            assert!(fault(&format!("```lisp file={name}\n```\n")).contains("is not the name"));
        }
        assert!(fault("```lisp fiel=a\n```\n").contains("unknown word `fiel=a`"));
    }
}
