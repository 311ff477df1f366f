//! `pointbook config`: prints the configuration.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{CommandResult, Context, print};
use crate::config::{self, DEFAULT_FILE};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the configuration that defaults, file and environment result in
    Show {
        #[command(flatten)]
        file: FileArgument,

        /// Print the default file with comments instead
        #[arg(long, conflicts_with = "config")]
        default: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct FileArgument {
    /// The configuration file; `pointbook config show --default` prints one to start from
    ///
    /// An environment variable overrides a key of the file: `POINTBOOK_LOG_LEVEL` overrides log.level.
    #[arg(long, env = "POINTBOOK_CONFIG", hide_env_values = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
}

/// `option` is the value of `--database`.
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
