//! The options that were given on a command line.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches};

use crate::{Error, ErrorKind};

/// The ids of the options that were given; options at their default are left out.
/// It must be the first field of a command's arguments, since the other fields remove what they read.
#[derive(Debug)]
pub struct GivenOptions(Vec<String>);

impl GivenOptions {
    /// Whether an option was given.
    #[must_use]
    pub fn has(&self, option: &str) -> bool {
        self.0.iter().any(|given| given == option)
    }

    /// Refuses the first of some options that was given beside another argument.
    ///
    /// # Errors
    ///
    /// When one was given.
    pub fn refuse(&self, options: &[&str], beside: &str) -> Result<(), Error> {
        match options.iter().find(|&&id| self.has(id)) {
            None => Ok(()),
            Some(id) => {
                let option = id.replace('_', "-");
                let message = format!("the argument '--{option}' cannot be used with '{beside}'");
                Err(Error::new(ErrorKind::Usage, message))
            }
        }
    }
}

impl FromArgMatches for GivenOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let ids = matches.ids().map(|id| id.as_str());
        let given = ids.filter(|id| matches.value_source(id) == Some(ValueSource::CommandLine));
        Ok(GivenOptions(given.map(str::to_owned).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = GivenOptions::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for GivenOptions {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}
