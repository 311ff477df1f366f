//! `pointbook completions SHELL`: `pointbook completions bash > /etc/bash_completion.d/pointbook`.

use std::io::Write;

use clap::{Args, CommandFactory};
use clap_complete::Shell;

use super::{CommandResult, Failure, Verdict};
use crate::cli::Cli;

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The shell that shall complete
    shell: Shell,
}

pub(super) fn run(arguments: &Arguments) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Cli::command(), "pointbook", &mut script);
    std::io::stdout().write_all(&script).map_err(|error| Failure::output(&error))?;
    Ok(Verdict::Fine)
}
