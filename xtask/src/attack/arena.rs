//! Folder of a try, and the commands that run there.

use std::cell::RefCell;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::attack::job::{Job, Ran, quoted};
use crate::attack::samples::Samples;
use crate::attack::snapshot::Snapshot;

/// Greatest number of characters of a command in a message. The kept script has the whole command.
const COMMAND_MAX: usize = 300;

/// Greatest number of lines of standard error in a message, and of characters per line.
const LINES_MAX: usize = 4;
const LINE_MAX: usize = 200;

/// A violation of what must hold.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// Description of the fault, worded the same in every try that meets it.
    pub(crate) what: String,
    /// Command, its end and its standard error.
    pub(crate) detail: String,
}

/// Setting of one try.
pub(crate) struct Arena<'a> {
    pub(crate) program: &'a Path,
    pub(crate) samples: &'a Samples,
    /// Working folder of the commands.
    pub(crate) folder: PathBuf,
    /// Parent of `folder`, with the files that runs need beside it.
    beside: PathBuf,
    commands: RefCell<Vec<String>>,
    faults: RefCell<Vec<Fault>>,
}

impl<'a> Arena<'a> {
    /// Creates an arena in a new folder `beside`; an existing one is removed.
    pub(crate) fn new(program: &'a Path, samples: &'a Samples, beside: PathBuf) -> Result<Self> {
        let folder = beside.join("work");
        if beside.exists() {
            fs::remove_dir_all(&beside)?;
        }
        fs::create_dir_all(&folder)?;
        fs::create_dir(beside.join("tmp"))?;
        let (commands, faults) = Default::default();
        Ok(Arena { program, samples, folder, beside, commands, faults })
    }

    /// Path of a name in the folder.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Copies a sample to a name in the folder.
    pub(crate) fn copy(&self, sample: &str, name: &str) -> Result<()> {
        fs::copy(self.samples.path(sample), self.path(name))?;
        Ok(())
    }

    /// Contents of the folder.
    pub(crate) fn snapshot(&self) -> Result<Snapshot> {
        Snapshot::of(&self.folder)
    }

    /// Empties the folder.
    pub(crate) fn clear(&self) -> Result<()> {
        fs::remove_dir_all(&self.folder)?;
        Ok(fs::create_dir(&self.folder)?)
    }

    /// Runs a command in the folder.
    pub(crate) fn run(&self, job: &Job) -> Result<Ran> {
        let ran = job.run(self.program, &self.folder, &self.beside)?;
        self.commands.borrow_mut().push(ran.command.clone());
        Ok(ran)
    }

    /// Records a fault of a run.
    pub(crate) fn fault(&self, what: impl Into<String>, ran: &Ran) {
        let mut command = ran.command.clone();
        if let Some((at, _)) = command.char_indices().nth(COMMAND_MAX) {
            command.truncate(at);
            command += " ... (the whole is in commands.sh)";
        }
        let complaint = ran.complaint();
        let lines: Vec<String> = complaint
            .lines()
            .filter(|line| !line.is_empty())
            .take(LINES_MAX)
            // The output itself may be the attack.
            .map(|line| line.chars().take(LINE_MAX).flat_map(char::escape_debug).collect())
            .collect();
        let said = if lines.is_empty() { "nothing".to_owned() } else { lines.join("\n      ") };
        let detail = format!(
            "    {command}\n    {} after {:.2} s, {} MB at most; standard error:\n      {said}",
            ran.end(),
            ran.ended.as_secs_f64(),
            ran.peak >> 20,
        );
        self.faults.borrow_mut().push(Fault { what: what.into(), detail });
    }

    /// Records a fault of the workbench, with a description of the request or the run.
    pub(crate) fn fault_of_workbench(&self, what: impl Into<String>, detail: &str) {
        let shown: String = detail.chars().take(COMMAND_MAX).flat_map(char::escape_debug).collect();
        let detail = format!("    {shown}");
        self.faults.borrow_mut().push(Fault { what: what.into(), detail });
    }

    /// Returns the faults of the try. If there are any, the folder stays, with a script of all
    /// commands; otherwise it is removed.
    pub(crate) fn close(self) -> Result<Vec<Fault>> {
        let faults = self.faults.into_inner();
        if faults.is_empty() {
            fs::remove_dir_all(&self.beside)?;
            return Ok(faults);
        }
        let mut script = format!(
            "# The commands of the try, in their order, from the files as they were at its start.\n\
             treegauge() {{ {} \"$@\"; }}\nexport TMPDIR={}\ncd {}\n",
            shell(self.program),
            shell(&self.beside.join("tmp")),
            shell(&self.folder),
        );
        for command in self.commands.into_inner() {
            script += &command;
            script.push('\n');
        }
        fs::write(self.beside.join("commands.sh"), script)?;
        Ok(faults)
    }
}

/// Path quoted for a shell.
fn shell(path: &Path) -> String {
    quoted(path.as_os_str().as_encoded_bytes())
}
