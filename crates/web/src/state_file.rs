//! State file of a server: where it listens, its key and its sessions.
//!
//! The file lies outside of the workspace and only its owner can read it. Other programs of the
//! same user find a running server by it.

use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use treegauge_store::WholeFile;

/// Content of a state file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    pub(crate) pid: u32,
    pub(crate) port: u16,
    /// Random name of the server, which `/healthz` repeats.
    pub(crate) name: String,
    /// Key for programs.
    pub(crate) key: String,
    pub(crate) sessions: Vec<Session>,
}

/// Session of a browser.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Session {
    /// Value of the cookie.
    pub(crate) cookie: String,
    /// Value that pages send with each change.
    pub(crate) token: String,
    /// End of the session, in seconds since 1970.
    pub(crate) expires_s: u64,
}

/// The longest state file that is read.
const BYTES_MAX: u64 = 1 << 20;

impl State {
    /// Reads a state file; `None` if there is none that can be used.
    pub(crate) fn read(path: &Path) -> Option<State> {
        serde_json::from_slice(&treegauge_store::read(path, BYTES_MAX).ok()?).ok()
    }

    /// Writes the file, for its owner only.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            make_private(folder)?;
        }
        make_private_file(path)?;
        let mut file = WholeFile::create(path)?;
        serde_json::to_writer(&mut file, self)?;
        file.finish()
    }
}

/// Makes a folder that only its owner can enter.
fn make_private(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// Makes an empty file that only its owner can read, unless there is a file: one that replaces it has
/// its permissions.
fn make_private_file(path: &Path) -> io::Result<()> {
    let mut options = fs::OpenOptions::new();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    match options.write(true).create_new(true).open(path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

/// A server that runs already.
#[derive(Debug)]
pub struct Running {
    state: State,
}

impl Running {
    /// Finds the running server of a state file. A state file that a server left behind is not
    /// believed: the process must be there, and the server must answer with its name.
    #[must_use]
    pub fn find(state_file: &Path) -> Option<Running> {
        let state = State::read(state_file)?;
        if !is_alive(state.pid) {
            return None;
        }
        let running = Running { state };
        let health = running.ask("GET", "/healthz", false)?;
        let is_same = health["name"] == running.state.name.as_str();
        is_same.then_some(running)
    }

    /// Address that opens the workbench once, within two minutes; `None` if the server does not
    /// answer.
    #[must_use]
    pub fn url(&self) -> Option<String> {
        let code = self.ask("POST", "/api/codes", true)?;
        Some(format!("{}/open?code={}", self.origin(), code["code"].as_str()?))
    }

    /// Origin of the server.
    #[must_use]
    pub fn origin(&self) -> String {
        origin(self.state.port)
    }

    /// Number of its process.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.state.pid
    }

    /// Key for programs.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.state.key
    }

    /// Sends a request without a body, and reads the JSON of the answer.
    fn ask(&self, method: &str, path: &str, with_key: bool) -> Option<Value> {
        let State { port, key, .. } = &self.state;
        let limit = Duration::from_secs(2);
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, *port));
        let mut stream = TcpStream::connect_timeout(&address, limit).ok()?;
        stream.set_read_timeout(Some(limit)).ok()?;
        stream.set_write_timeout(Some(limit)).ok()?;
        let key = if with_key { format!("Authorization: Bearer {key}\r\n") } else { String::new() };
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{key}Content-Type: application/json\r\n\
             Content-Length: 0\r\nConnection: close\r\n\r\n"
        );
        stream.write_all(head.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.take(BYTES_MAX).read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        let is_good = head.starts_with("HTTP/1.1 200 ");
        serde_json::from_str(body).ok().filter(|_| is_good)
    }
}

/// Origin of a server on this machine.
pub(crate) fn origin(port: u16) -> String {
    format!("http://127.0.0.1:{port}")
}

#[cfg(unix)]
fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw);
    pid.is_some_and(|pid| rustix::process::test_kill_process(pid).is_ok())
}

#[cfg(not(unix))]
fn is_alive(_: u32) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written_and_only_its_owner_can_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/serve.json");
        let session = Session { cookie: "c".into(), token: "t".into(), expires_s: 5 };
        let state = State { pid: 1, port: 2, sessions: vec![session], ..State::default() };
        state.write(&path).unwrap();
        assert_eq!(State::read(&path), Some(state));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }

    #[test]
    fn a_stale_state_file_is_not_believed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("serve.json");
        assert!(Running::find(&path).is_none());
        // The process is there, but nobody listens.
        let state = State { pid: std::process::id(), port: 1, ..State::default() };
        state.write(&path).unwrap();
        assert!(Running::find(&path).is_none());
        fs::write(&path, "{}").unwrap();
        assert!(Running::find(&path).is_none());
    }
}
