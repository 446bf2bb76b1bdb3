//! Running the steps of a page.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::page::{Numbered, Page, Reason, Shown, Step};

/// The engine whose numbers the pages show.
const ENGINE: &str = "Stockfish 15.1";

/// The folder in which a page is followed, and where commands are looked for.
///
/// It is empty but for the `testdata` of the repository, so that commands name it as in a checkout.
pub(super) struct Room {
    folder: tempfile::TempDir,
    /// The user's folder of caches, so that nothing is kept from one run to the next.
    caches: tempfile::TempDir,
    path: OsString,
}

impl Room {
    /// A room in which programs of the folder `programs` come first.
    pub(super) fn new(programs: &Path) -> Result<Room> {
        let of_user = std::env::var_os("PATH").unwrap_or_default();
        let mut path = vec![programs.to_owned()];
        path.extend(std::env::split_paths(&of_user));
        if cfg!(unix) {
            // Debian has engines there, which is not on the path of every user.
            path.push(PathBuf::from("/usr/games"));
        }
        let path = std::env::join_paths(path)?;
        let folder = tempfile::tempdir()?;
        #[cfg(unix)]
        std::os::unix::fs::symlink(
            crate::run::root().join("testdata"),
            folder.path().join("testdata"),
        )?;
        Ok(Room { folder, caches: tempfile::tempdir()?, path })
    }

    /// Runs one command as a shell does, and returns its exit code and all that it printed.
    fn run(&self, command: &str) -> Result<(Option<i32>, String)> {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("exec 2>&1\n{command}")]);
        shell.current_dir(self.folder.path()).stdin(Stdio::null()).stderr(Stdio::null());
        shell.env("PATH", &self.path).env("XDG_CACHE_HOME", self.caches.path());
        let output = shell.output().context("cannot run sh")?;
        Ok((output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned()))
    }

    /// Whether the engine of the pages is installed.
    fn has_engine(&self) -> bool {
        let engine = Command::new("sh")
            .args(["-c", "stockfish"])
            .env("PATH", &self.path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut engine) = engine else { return false };
        let mut input = engine.stdin.take().expect("standard input is a pipe");
        // The pipe of an engine that is not there is closed.
        let _ = input.write_all(b"uci\nquit\n");
        drop(input);
        let Ok(output) = engine.wait_with_output() else { return false };
        let said = String::from_utf8_lossy(&output.stdout);
        said.lines().any(|line| line.trim_end() == format!("id name {ENGINE}"))
    }
}

/// A page that was followed.
#[derive(Debug, Default)]
pub(super) struct Followed {
    /// The commands that were run.
    pub(super) run: usize,
    /// Those of each block that were not.
    pub(super) skipped: Vec<(Reason, usize)>,
    /// Faults of commands, by line.
    pub(super) faults: Numbered,
    /// The output that the page shows, beside the lines that were printed.
    pub(super) outputs: Vec<(Shown, Vec<String>)>,
}

/// Follows a page in a room.
pub(super) fn follow(page: &Page, room: &Room) -> Result<Followed> {
    let mut followed = Followed::default();
    for step in &page.steps {
        let (commands, skip, exit, shown) = match step {
            Step::File { name, text } => {
                fs::write(room.folder.path().join(name), text)?;
                continue;
            }
            Step::Run { commands, skip, exit, shown } => (commands, *skip, *exit, shown),
        };
        if let Some(reason) = skip
            && !(reason == Reason::Engine && room.has_engine())
        {
            followed.skipped.push((reason, commands.len()));
            continue;
        }
        let mut printed = String::new();
        let earlier_faults = followed.faults.len();
        for (line, command) in commands {
            let (code, text) = room.run(command)?;
            followed.run += 1;
            let writes = [" -o ", " --dir ", ">"].iter().any(|word| command.contains(word));
            if code != Some(exit) {
                let code = code.map_or("a signal".to_owned(), |code| code.to_string());
                let fault = format!("`{command}` ends with {code} and not with {exit}:\n{text}");
                followed.faults.push((*line, fault));
            } else if text.is_empty() && !writes {
                followed.faults.push((*line, format!("`{command}` prints nothing")));
            }
            printed.push_str(&text);
        }
        // What a command that failed printed takes the place of nothing.
        let is_good = followed.faults.len() == earlier_faults;
        if let Some(shown) = shown.as_ref().filter(|_| is_good) {
            let lines = printed.lines().map(|line| line.trim_end().to_owned()).collect();
            followed.outputs.push((shown.clone(), lines));
        }
    }
    Ok(followed)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn followed(text: &str) -> Followed {
        let room = Room::new(Path::new("/usr/bin")).unwrap();
        follow(&Page::parse(text).unwrap(), &room).unwrap()
    }

    #[test]
    fn commands_run_in_the_folder_of_the_files() {
        let page = followed(
            "```text file=a.txt\n1\n2\n```\n```sh\ncat \\\n  a.txt\nmissing 2> /dev/null || echo 3\n```\n\n```text\n1\n```\n",
        );
        assert_eq!((page.run, page.faults), (2, vec![]));
        assert_eq!(page.outputs[0].1, ["1", "2", "3"]);
    }

    #[test]
    fn a_missing_file_and_a_wrong_exit_code_are_found() {
        let page = followed("```sh\ncat a.txt\n```\n```text\nb\n```\n```sh exit=1\necho a\n```\n");
        let lines: Vec<usize> = page.faults.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [2, 8]);
        assert!(page.faults[0].1.contains("`cat a.txt` ends with 1 and not with 0"));
        assert!(page.faults[0].1.contains("No such file"), "{}", page.faults[0].1);
        assert!(page.outputs.is_empty(), "what a failed command printed is not shown");
    }

    #[test]
    fn a_command_without_output_is_found() {
        assert_eq!(
            followed("```sh\ntrue\n```\n").faults,
            [(2, "`true` prints nothing".to_owned())]
        );
        assert_eq!(followed("```sh\necho a > a.txt\n```\n").faults, []);
    }

    #[test]
    fn skipped_commands_are_counted() {
        let page = followed("```sh skip=slow\nfalse\nfalse\n```\n```sh skip=build\nfalse\n```\n");
        assert_eq!(page.skipped, [(Reason::Slow, 2), (Reason::Build, 1)]);
        assert_eq!(page.run, 0);
    }
}
