//! `pointbook completions SHELL`: `pointbook completions bash > /etc/bash_completion.d/pointbook`.

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{CommandResult, NoDatabase, Verdict, print};
use crate::cli::Cli;

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// No database.
    #[command(flatten)]
    pub no_database: NoDatabase,

    /// The shell that shall complete
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "pointbook", &mut script);
    print(String::from_utf8_lossy(&script))?;
    Ok(Verdict::Fine)
}
