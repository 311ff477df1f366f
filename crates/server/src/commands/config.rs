//! `pointbook config`: prints the configuration.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{CommandResult, Context, print};
use crate::config::{self, DEFAULT_FILE};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print what is set by defaults, file and environment together
    Show {
        #[command(flatten)]
        file: FileArgument,

        /// Print the commented default file instead
        #[arg(long, conflicts_with = "config")]
        default: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct FileArgument {
    /// The configuration; `pointbook config show --default` prints one to begin with
    ///
    /// Every key can also be set by the environment, which wins: log.level by `POINTBOOK_LOG_LEVEL`.
    #[arg(long, env = "POINTBOOK_CONFIG", hide_env_values = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// `option` is the database that the command line names.
pub(crate) fn run(command: Command, option: Option<String>, context: &Context) -> CommandResult {
    let Command::Show { file, default } = command;
    if default {
        return print(DEFAULT_FILE);
    }
    let mut config = config::load(file.config.as_deref())?;
    let database = match context.database() {
        Ok(database) => database.to_string(),
        Err(refusal) => format!("none: {}", refusal.messages.join("; ")),
    };
    if let Some(url) = option {
        (config.database.url, config.database.url_file) = (url, PathBuf::new());
    }
    print(format_args!("# database: {database}\n{}", config.to_toml()))
}
