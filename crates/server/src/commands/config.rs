//! `pointbook config`: what the program is set to.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{CommandResult, Context, Verdict, print};
use crate::config::{self, DEFAULT_FILE};

/// What can be done with the configuration.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Print what is set by defaults, file and environment together
    Show(ShowArguments),
}

/// The arguments of `show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    /// The configuration.
    #[command(flatten)]
    pub file: FileArgument,

    /// Print the commented default file instead
    #[arg(long, conflicts_with = "config")]
    default: bool,
}

/// Where the configuration is read from.
#[derive(Debug, Args)]
pub struct FileArgument {
    /// The configuration; `pointbook config show --default` prints one to begin with
    ///
    /// Every key can also be set by the environment, which wins: log.level by `POINTBOOK_LOG_LEVEL`.
    #[arg(long, env = "POINTBOOK_CONFIG", hide_env_values = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
}

/// Prints the configuration; `option` is the database that the command line names.
pub(super) fn run(command: &Command, option: Option<&str>, context: &Context) -> CommandResult {
    let Command::Show(arguments) = command;
    let text = if arguments.default {
        DEFAULT_FILE.to_owned()
    } else {
        let mut config = config::load(arguments.file.config.as_deref())?;
        let database = match context.database() {
            Ok(database) => database.to_string(),
            Err(refusal) => format!("none: {}", refusal.messages.join("; ")),
        };
        if let Some(option) = option {
            option.clone_into(&mut config.database.url);
            config.database.url_file = PathBuf::new();
        }
        format!("# database: {database}\n{}", config.to_toml())
    };
    print(text)?;
    Ok(Verdict::Fine)
}
