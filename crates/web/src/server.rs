//! The server: listening, limits of connections, and its end.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioTimer;
use tokio::sync::{Notify, Semaphore};

use crate::answer::Refusal;
use crate::app::App;
use crate::guard::Hosts;
use crate::hub::Hub;
use crate::newest::Newest;
use crate::runs::{How, Runs};
use crate::secret::secret;
use crate::sessions::Sessions;
use crate::state_file::{State, origin};
use crate::task_form::Means;
use crate::timed::{Head, IDLE, Timed};
use crate::workers::Workers;
use crate::workspace::{RUNS, Workspace};

/// The port that is tried first, and the number of ports that are tried.
pub const PORT: u16 = 8733;
const PORTS: u16 = 10;

/// The greatest number of connections.
const CONNECTIONS_MAX: usize = 2_048;

/// The longest head, in bytes and in fields.
pub(crate) const HEAD_BYTES_MAX: usize = 32 * 1024;
const FIELDS_MAX: usize = 64;

/// Options of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder that the workbench shows.
    pub workspace: PathBuf,
    /// File for the port, the key and the sessions, outside of the workspace.
    pub state_file: PathBuf,
    /// The program, for runs and workers.
    pub program: PathBuf,
    /// Port; 0 is any that is free, and `None` the first free one of ten from [`PORT`].
    pub port: Option<u16>,
    /// Runs that work at once.
    pub runs: usize,
    /// Threads of a run; `None` leaves it to the program.
    pub threads: Option<usize>,
    /// Memory of a run.
    pub memory_per_run_bytes: u64,
    /// Chess engine of runs; `None` for one that is installed.
    pub engine: Option<PathBuf>,
    /// Finds the named engine, or one that is installed.
    pub find_engine: fn(Option<&Path>) -> Option<PathBuf>,
    /// One more name under which the server may be asked, as that of a proxy.
    pub allow_host: Option<String>,
    /// Processor cores.
    pub cores: usize,
    /// Seconds since 1970.
    pub now_s: fn() -> u64,
}

/// Reason why a server cannot begin.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The folder of the workspace cannot be used.
    #[error("the workspace cannot be used: {0}")]
    Workspace(#[source] io::Error),
    /// The state file cannot be written.
    #[error("cannot write the state file: {0}")]
    State(#[source] io::Error),
    /// No port is free.
    #[error("cannot listen on port {port}: {error}")]
    Port {
        /// The port that was tried last.
        port: u16,
        /// Reason.
        #[source]
        error: io::Error,
    },
    /// The system refuses what a server needs.
    #[error("cannot serve: {0}")]
    System(#[source] io::Error),
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    options: Options,
    listeners: Vec<TcpListener>,
    workspace: Workspace,
    state: State,
    code: String,
    stop: Stopper,
}

/// Ends a server, from any thread.
#[derive(Clone, Debug, Default)]
pub struct Stopper(Arc<Notify>);

impl Stopper {
    /// Asks the server to end.
    pub fn stop(&self) {
        self.0.notify_one();
    }
}

impl Server {
    /// Listens on this machine, and writes the state file.
    ///
    /// # Errors
    ///
    /// If the workspace cannot be used, no port is free, or the state file cannot be written.
    pub fn bind(options: Options) -> Result<Server, ServeError> {
        raise_descriptors();
        let workspace = Workspace::new(&options.workspace).map_err(ServeError::Workspace)?;
        // Whoever reads the address finds a server that has its folder of runs.
        workspace.folder(RUNS).map_err(ServeError::Workspace)?;
        let (listeners, port) = listen(options.port)?;
        // Browsers stay logged in when a server begins again on the same port.
        let before = State::read(&options.state_file).unwrap_or_default();
        let sessions = if before.port == port { before.sessions } else { Vec::new() };
        let state =
            State { pid: std::process::id(), port, name: secret(), key: secret(), sessions };
        state.write(&options.state_file).map_err(ServeError::State)?;
        Ok(Server {
            options,
            listeners,
            workspace,
            state,
            code: secret(),
            stop: Stopper::default(),
        })
    }

    /// Origin of the server.
    #[must_use]
    pub fn origin(&self) -> String {
        origin(self.state.port)
    }

    /// Address that opens the workbench once, within two minutes from [`Server::run`].
    #[must_use]
    pub fn url(&self) -> String {
        format!("{}/open?code={}", self.origin(), self.code)
    }

    /// Key for programs.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.state.key
    }

    /// Folder of the workspace.
    #[must_use]
    pub fn workspace(&self) -> &Path {
        self.workspace.root()
    }

    /// Handle that ends the server.
    #[must_use]
    pub fn stopper(&self) -> Stopper {
        self.stop.clone()
    }

    /// Serves until it is stopped. Runs are then paused, or stopped where they keep nothing.
    ///
    /// # Errors
    ///
    /// If the system refuses what a server needs.
    pub fn run(self) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(4)
            .build()
            .map_err(ServeError::System)?;
        let local = tokio::task::LocalSet::new();
        let served = local.block_on(&runtime, self.serve());
        runtime.shutdown_timeout(Duration::from_millis(100));
        served
    }

    async fn serve(self) -> Result<(), ServeError> {
        let Server { options, listeners, workspace, state, code, stop } = self;
        let hub = Rc::new(Hub::default());
        let engine = options.engine.as_ref().map(|path| path.display().to_string());
        let means =
            Means { threads: options.threads, memory_bytes: options.memory_per_run_bytes, engine };
        let how = How {
            program: options.program.clone(),
            means,
            at_once: options.runs.max(1),
            now_s: options.now_s,
        };
        let runs = Runs::open(&workspace, how, Rc::clone(&hub)).map_err(ServeError::Workspace)?;
        let root = workspace.root().to_owned();
        let port = state.port;
        let mut sessions = Sessions::new(state, (options.now_s)());
        sessions.admit(code);
        let app = Rc::new(App {
            hosts: Hosts::new(port, options.allow_host.as_deref()),
            port,
            state_file: options.state_file.clone(),
            now_s: options.now_s,
            sessions: RefCell::new(sessions),
            workers: Workers::new(options.program.clone(), root, options.cores),
            workspace,
            hub,
            runs,
            streams: RefCell::new(HashMap::new()),
            boards: RefCell::new(None),
            uploads: Cell::new(0),
            engine: {
                let (engine, find_engine) = (options.engine.clone(), options.find_engine);
                Box::new(move || Some(find_engine(engine.as_deref())?.display().to_string()))
            },
            checks: Newest::default(),
            positions: Newest::default(),
        });
        let connections = Arc::new(Semaphore::new(CONNECTIONS_MAX));
        for listener in listeners {
            let listener =
                tokio::net::TcpListener::from_std(listener).map_err(ServeError::System)?;
            tokio::task::spawn_local(accept(listener, Rc::clone(&app), Arc::clone(&connections)));
        }
        stop.0.notified().await;
        app.hub.close();
        app.runs.close().await;
        app.workers.close();
        // The sessions stay, the process does not.
        let state = State { pid: 0, ..app.sessions.borrow().state.clone() };
        state.write(&app.state_file).map_err(ServeError::State)
    }
}

/// Accepts connections for ever.
async fn accept(listener: tokio::net::TcpListener, app: Rc<App>, connections: Arc<Semaphore>) {
    loop {
        let Ok(permit) = Arc::clone(&connections).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // The system has no descriptors; some connection will end.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        // Answers are small and whole.
        _ = stream.set_nodelay(true);
        let app = Rc::clone(&app);
        tokio::task::spawn_local(async move {
            let head = Rc::new(Head::default());
            let service = service_fn(|request| {
                let (app, head) = (Rc::clone(&app), Rc::clone(&head));
                Box::pin(
                    async move { Ok::<_, Infallible>(head.answering(app.answer(request)).await) },
                )
            });
            let mut connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(IDLE)
                .max_buf_size(HEAD_BYTES_MAX)
                .max_headers(FIELDS_MAX)
                .serve_connection(Timed::new(stream, Rc::clone(&head)), service);
            let served = poll_fn(|context| connection.poll_without_shutdown(context)).await;
            let ended = connection.into_parts();
            // A connection that begins no request ends without a word.
            let is_late = served.is_err() && head.is_late();
            let late = Refusal::new(408, "The head of the request came too slowly.");
            ended.io.end(is_late.then_some(late)).await;
            drop(permit);
        });
    }
}

/// Listens on both loopback addresses, if the system has both.
fn listen(port: Option<u16>) -> Result<(Vec<TcpListener>, u16), ServeError> {
    let ports: Vec<u16> = port.map_or_else(|| (PORT..PORT + PORTS).collect(), |port| vec![port]);
    let mut failed = None;
    for port in ports {
        match TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))) {
            Ok(first) => {
                let system = |error| ServeError::System(error);
                let port = first.local_addr().map_err(system)?.port();
                let second = TcpListener::bind(SocketAddr::from((Ipv6Addr::LOCALHOST, port)));
                let listeners: Vec<TcpListener> =
                    std::iter::once(first).chain(second.ok()).collect();
                for listener in &listeners {
                    listener.set_nonblocking(true).map_err(system)?;
                }
                return Ok((listeners, port));
            }
            Err(error) => failed = Some(ServeError::Port { port, error }),
        }
    }
    Err(failed.unwrap_or(ServeError::System(io::ErrorKind::AddrInUse.into())))
}

/// Raises the limit of open files to the number that the connections need, if the system allows it.
#[cfg(unix)]
fn raise_descriptors() {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let wanted = 2 * CONNECTIONS_MAX as u64;
    let current = limit.maximum.map_or(wanted, |maximum| maximum.min(wanted));
    if limit.current.is_some_and(|now| now < current) {
        _ = setrlimit(Resource::Nofile, Rlimit { current: Some(current), maximum: limit.maximum });
    }
}

#[cfg(not(unix))]
fn raise_descriptors() {}
