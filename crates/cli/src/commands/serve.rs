//! `treegauge serve`.

use std::env;
use std::fs;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use serde_json::json;
use treegauge::grammar::{count, parse_size};
use treegauge_web::{Options, PORT, Running, Server, Stopper};
use xxhash_rust::xxh3::xxh3_64;

use crate::engines;
use crate::exit::{Exit, Failure, OrExit, Outcome};
use crate::output::{complain, print};
use crate::terminal::hint;

/// The memory of a run if the user sets none.
const MEMORY_PER_RUN: &str = "2G";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The workspace: the folder whose games, runs and files the workbench shows (default: the current folder, or
    /// ~/treegauge where that is the home folder or cannot be written)
    #[arg(value_name = "FOLDER")]
    folder: Option<PathBuf>,

    /// Port to listen on; 0 is any that is free (default: 8733, or the next free one of ten)
    #[arg(long, value_name = "P", value_parser = count::<u16>(0..=65_535))]
    port: Option<u16>,

    /// Runs that work at once; others wait
    #[arg(long, value_name = "N", default_value = "1", value_parser = count::<u16>(1..=64))]
    runs: u16,

    /// Threads of each run, which its result does not depend on [default: one per core]
    #[arg(long, value_name = "N", value_parser = count::<u16>(1..=1024))]
    threads: Option<u16>,

    /// Memory of each run, in bytes or as 500M or 6G; a run that needs more is ended, and what it kept stays
    #[arg(long, value_name = "SIZE", default_value = MEMORY_PER_RUN, value_parser = memory)]
    memory_per_run: u64,

    /// The chess engine of runs that need one [default: `stockfish`, if it is installed]
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,

    /// One more name under which browsers may reach the workbench, as that of a proxy or a tunnel, with its port if it
    /// has one of its own
    #[arg(long, value_name = "NAME")]
    allow_host: Option<String>,

    /// Do not open the browser
    #[arg(long)]
    no_open: bool,

    /// Print a new address of the workbench that runs already, and end
    #[arg(long, conflicts_with = "json")]
    url: bool,

    /// Print one line of JSON for programs: the origin, an address that opens the workbench once, and the key
    #[arg(long)]
    json: bool,

    /// Answer requests of the workbench of the current folder on standard input
    #[arg(long, hide = true, exclusive = true)]
    worker: bool,
}

pub(super) const EXAMPLES: &[&str] =
    &["serve", "serve ~/games --runs 2 --memory-per-run 4G", "serve --url"];

/// Reads the memory of a run.
fn memory(text: &str) -> Result<u64, String> {
    let least: u64 = 64 << 20;
    let size = parse_size(text)?;
    if size < least { Err("a run needs at least 64M".to_owned()) } else { Ok(size) }
}

pub(crate) fn run(arguments: &Arguments) -> Outcome {
    if arguments.worker {
        return treegauge_web::work(Path::new("."), io::stdin().lock(), io::stdout().lock())
            .or_data();
    }
    let folder = arguments.workspace()?;
    let state_file = state_file(&folder)?;
    if let Some(running) = Running::find(&state_file) {
        return arguments.show_running(&running, &folder);
    }
    if arguments.url {
        let message =
            format!("no workbench runs on {}; `treegauge serve` starts one", folder.display());
        return Err(Failure::new(Exit::Data, message));
    }
    let server = Server::bind(arguments.options(folder, state_file)?).or_data()?;
    // Signals end the server from now on, so that whoever reads the address may send one.
    listen(server.stopper()).or_data()?;
    let (origin, url) = (server.origin(), server.url());
    arguments.show(&Shown {
        origin: &origin,
        url: &url,
        workspace: server.workspace(),
        pid: std::process::id(),
        key: server.key(),
        is_new: true,
    })?;
    server.run().or_data()
}

/// A workbench that runs.
struct Shown<'a> {
    origin: &'a str,
    url: &'a str,
    workspace: &'a Path,
    pid: u32,
    key: &'a str,
    is_new: bool,
}

impl Arguments {
    /// The folder of the workspace, which is made if it has its standard name.
    fn workspace(&self) -> Outcome<PathBuf> {
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            None => standard_folder()?,
        };
        let found = folder.canonicalize().and_then(|found| match found.is_dir() {
            true => Ok(found),
            false => Err(io::ErrorKind::NotADirectory.into()),
        });
        found.map_err(|error| {
            let message = format!("cannot use {} as a workspace: {error}", folder.display());
            Failure::new(Exit::Data, message)
        })
    }

    fn options(&self, workspace: PathBuf, state_file: PathBuf) -> Outcome<Options> {
        let engine = self.engine.as_ref().map(|engine| {
            // Runs work in the workspace: a path of this folder would lead elsewhere there.
            let is_path = engine.components().count() > 1;
            if is_path { engine.canonicalize() } else { Ok(engine.clone()) }
        });
        Ok(Options {
            workspace,
            state_file,
            program: env::current_exe().or_data()?,
            port: self.port,
            runs: self.runs.into(),
            threads: self.threads.map(usize::from),
            memory_per_run_bytes: self.memory_per_run,
            engine: engine.transpose().or_data()?,
            find_engine: |named| engines::engine(named).ok().filter(|path| path.exists()),
            allow_host: self.allow_host.clone(),
            cores: thread::available_parallelism().map_or(1, NonZeroUsize::get),
            now_s,
        })
    }

    /// Prints the address of a workbench that runs already.
    fn show_running(&self, running: &Running, folder: &Path) -> Outcome {
        let Some(url) = running.url() else {
            let message = format!("the workbench of {} does not answer", folder.display());
            return Err(Failure::new(Exit::Data, message));
        };
        self.show(&Shown {
            origin: &running.origin(),
            url: &url,
            workspace: folder,
            pid: running.pid(),
            key: running.key(),
            is_new: false,
        })
    }

    fn show(&self, shown: &Shown<'_>) -> Outcome {
        let Shown { origin, url, workspace, pid, key, is_new } = shown;
        if self.json {
            let line = json!({
                "schema": 1, "kind": "serving", "origin": origin, "url": url, "workspace": workspace, "pid": pid, "key": key,
            });
            print(&format!("{line}\n"))?;
        } else if self.url {
            print(&format!("{url}\n"))?;
        } else {
            let begins =
                if *is_new { "workspace" } else { "a workbench runs already on the workspace" };
            print(&format!("{begins} {}\n{url}\n", workspace.display()))?;
            if *is_new {
                hint(
                    "the address opens the workbench once, within two minutes; `treegauge serve --url` prints another",
                );
                hint("Ctrl-C ends the workbench and pauses its runs");
            }
        }
        if !self.no_open && !self.url && io::stdout().is_terminal() {
            // The address is there for whoever has no browser here.
            if let Err(error) = open::that_detached(url) {
                complain(&format!("cannot open the browser: {error}"));
            }
        }
        Ok(())
    }
}

/// The current folder, or the one for workspaces in the home folder.
fn standard_folder() -> Outcome<PathBuf> {
    let home = env::home_dir();
    let current = env::current_dir().or_data()?;
    let is_home = home
        .as_ref()
        .and_then(|home| home.canonicalize().ok())
        .is_some_and(|home| current.canonicalize().is_ok_and(|current| current == home));
    if !is_home && tempfile::Builder::new().prefix(".treegauge").tempfile_in(&current).is_ok() {
        return Ok(current);
    }
    let Some(home) = home else {
        let message =
            "the current folder cannot be written and there is no home folder: name a FOLDER";
        return Err(Failure::new(Exit::Data, message));
    };
    let folder = home.join("treegauge");
    fs::create_dir_all(&folder).or_data()?;
    Ok(folder)
}

/// The state file of a workspace.
fn state_file(workspace: &Path) -> Outcome<PathBuf> {
    let named = env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let standard = || env::home_dir().map(|home| home.join(".local").join("state"));
    let Some(folder) = named.or_else(standard) else {
        let message = "there is no folder for the state of the workbench: set XDG_STATE_HOME";
        return Err(Failure::new(Exit::Data, message));
    };
    let hash = xxh3_64(workspace.as_os_str().as_encoded_bytes());
    Ok(folder.join("treegauge").join("serve").join(format!("{hash:016x}.json")))
}

fn now_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Ends the server at Ctrl-C and SIGTERM.
#[cfg(unix)]
fn listen(stopper: Stopper) -> io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for _ in signals.forever() {
            stopper.stop();
        }
    })?;
    Ok(())
}

/// Ends the server at Ctrl-C.
#[cfg(not(unix))]
fn listen(stopper: Stopper) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(move || stopper.stop())
}

const _: () = assert!(PORT == 8733, "the help says so");
