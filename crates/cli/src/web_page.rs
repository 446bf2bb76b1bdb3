//! Reports as web pages: their files, their colophon, and the browser.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chrono::{DateTime, Utc};
use clap::Args;
use treegauge::report::Colophon;
use treegauge::tasks::quoted;

use crate::exit::{Exit, Failure, Outcome};
use crate::files::to_write;
use crate::output::{print_data, printable};
use crate::temporary;
use crate::terminal::hint;
use treegauge::{FileKind, OutputFile};

#[derive(Debug, Args)]
pub(crate) struct PageArgs {
    /// Write the report as a web page; `-` prints the page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Show the web page in the browser, from a temporary file unless --html names one
    #[arg(long)]
    open: bool,
}

impl PageArgs {
    /// The requested page. Fails before long work if the page could not be written afterwards, or if JSON is printed too.
    pub(crate) fn page(&self, json: bool) -> Outcome<Page> {
        let prints = self.html.as_deref() == Some(Path::new("-"));
        if prints && (self.open || json) {
            let other = if json { "--json" } else { "--open" };
            let message = format!("--html - prints the page, so {other} cannot be used with it");
            return Err(Failure::new(Exit::Usage, message));
        }
        let file = match &self.html {
            Some(path) if !prints => Some(to_write(path, FileKind::Page)?),
            _ => None,
        };
        Ok(Page { file, prints, opens: self.open })
    }
}

/// A page that a command writes at its end, if requested.
#[derive(Debug)]
pub(crate) struct Page {
    file: Option<OutputFile>,
    prints: bool,
    opens: bool,
}

impl Page {
    /// Whether a page was requested.
    pub(crate) fn is_asked(&self) -> bool {
        self.file.is_some() || self.prints || self.opens
    }

    /// Whether the page goes to standard output instead of the report.
    pub(crate) fn is_printed(&self) -> bool {
        self.prints
    }

    /// Signs the page, writes it, prints its path, and shows it, as requested.
    pub(crate) fn write(&self, page: impl FnOnce() -> String) -> Outcome {
        if !self.is_asked() {
            return Ok(());
        }
        let page = colophon().sign(&page());
        if self.prints {
            // A terminal would obey control characters, and no page needs them.
            return print_data(&printable(&page, false));
        }
        let file = match &self.file {
            Some(file) => file.clone(),
            None => to_write(&temporary()?, FileKind::Page)?,
        };
        file.write(&page)?;
        let path = file.path();
        hint(&format!("the page is in {}", path.display()));
        if self.opens {
            open::that(path).map_err(|error| {
                let message = format!("cannot show {} in a browser: {error}", path.display());
                Failure::new(Exit::Data, message)
            })?;
        }
        Ok(())
    }
}

/// A temporary page that outlives the program, since the browser reads it later.
fn temporary() -> Outcome<PathBuf> {
    let file = temporary::create(temporary::PAGE);
    file.and_then(|file| file.into_temp_path().keep().map_err(|error| error.error))
        .map_err(|error| Failure::new(Exit::Data, format!("cannot make a temporary page: {error}")))
}

/// This run's command, version and day.
pub(crate) fn colophon() -> Colophon {
    let mut command = vec!["treegauge".to_owned()];
    command.extend(std::env::args_os().skip(1).map(|word| quoted(&word)));
    Colophon {
        command: command.join(" "),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: DateTime::<Utc>::from(now()).format("%Y-%m-%d").to_string(),
    }
}

/// The current time, or the time that reproducible builds set.
fn now() -> SystemTime {
    let set = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|seconds| seconds.parse().ok());
    set.map_or_else(SystemTime::now, |seconds| UNIX_EPOCH + Duration::from_secs(seconds))
}
