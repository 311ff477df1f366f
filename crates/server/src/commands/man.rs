//! `pointbook man`: manual pages, generated from the same declarations as `--help`.

use std::path::PathBuf;

use clap::{Args, CommandFactory};
use clap_mangen::Man;

use super::{CommandResult, Failure, NoDatabase, print};
use crate::cli::Cli;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    no_database: NoDatabase,

    /// Write one page per command, such as pointbook-serve.1, to this directory, which must exist
    #[arg(long, value_name = "DIRECTORY")]
    dir: Option<PathBuf>,
}

/// Prints the page of the program, or writes all pages.
pub(crate) fn run(arguments: Arguments) -> CommandResult {
    // `pointbook help` has no page, so no page may link to it.
    let cli = Cli::command().disable_help_subcommand(true);
    if let Some(directory) = arguments.dir {
        let doing = format!("cannot write manual pages into {}", directory.display());
        return clap_mangen::generate_to(cli, &directory)
            .map_err(|error| Failure::file(&doing, &error, &error));
    }
    let mut page = Vec::new();
    Man::new(cli)
        .render(&mut page)
        .map_err(|error| Failure::trouble("cannot write the manual page", &error))?;
    print(String::from_utf8_lossy(&page))
}
