//! Pictures of reports: where they go.

use std::path::{Path, PathBuf};

use clap::Args;
use treegauge::report::Figure;
use treegauge::{FileKind, OutputFile};

use crate::exit::{Exit, Failure, Outcome};
use crate::files::to_write;
use crate::output::print_data;
use crate::terminal::hint;
use crate::web_page::Page;

#[derive(Debug, Default, Args)]
pub(crate) struct PictureArgs {
    /// Write a picture of the result as SVG; `-` prints it
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl PictureArgs {
    /// The picture that was asked for. Fails before long work where it could not be written after
    /// it, and where something else is printed too.
    pub(crate) fn picture(&self, json: bool, page: &Page) -> Outcome<Picture> {
        let prints = self.svg.as_deref() == Some(Path::new("-"));
        if prints && (json || page.is_printed()) {
            let other = if json { "--json" } else { "--html -" };
            let message = format!("--svg - prints the picture, so {other} cannot be used with it");
            return Err(Failure::new(Exit::Usage, message));
        }
        let file = match &self.svg {
            Some(path) if !prints => Some(to_write(path, FileKind::Picture)?),
            _ => None,
        };
        Ok(Picture { file, prints })
    }
}

/// A picture that a command writes at its end, if it was asked for.
#[derive(Debug)]
pub(crate) struct Picture {
    file: Option<OutputFile>,
    prints: bool,
}

impl Picture {
    /// Whether a picture was asked for.
    pub(crate) fn is_asked(&self) -> bool {
        self.file.is_some() || self.prints
    }

    /// Whether the picture goes to standard output, in the place of the report.
    pub(crate) fn is_printed(&self) -> bool {
        self.prints
    }

    /// Writes the picture and says where, or prints it; does nothing if no picture was asked for.
    pub(crate) fn write(&self, picture: impl FnOnce() -> Option<Figure>) -> Outcome {
        if !self.is_asked() {
            return Ok(());
        }
        let Some(Figure { picture, .. }) = picture() else {
            return Err(Failure::new(Exit::Data, "a report of this kind has no picture"));
        };
        let Some(file) = &self.file else {
            return print_data(picture.as_str());
        };
        file.write(picture.as_str())?;
        hint(&format!("the picture is in {}", file.path().display()));
        Ok(())
    }
}
