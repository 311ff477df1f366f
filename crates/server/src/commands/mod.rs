//! What the commands do: one file each, with its arguments and its `run`.
//!
//! A command writes its result to the standard output and words for people to the standard error.

pub mod audit;
pub mod check;
pub mod completions;
pub mod config;
mod context;
pub mod copy;
pub mod demo;
pub mod export;
pub mod healthcheck;
pub mod import;
pub mod jobs;
pub mod migrate;
mod no_database;
pub mod openapi;
mod outcome;
mod output;
pub mod pull;
pub mod serve;
mod table;
pub mod tenant;
pub mod token;

use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

pub use self::context::{Context, acting, find_tenant};
pub use self::no_database::NoDatabase;
pub use self::outcome::{CommandResult, Exit, Failure, Verdict};
use self::output::{print, say, say_duration, visible, written};
use crate::cli::{Cli, Command};
use crate::lifecycle;

/// Runs the program: reads the command line, does what it says, gives the exit code.
pub fn run_from_command_line() -> ExitCode {
    let cli = Cli::parse();
    let result = lifecycle::runtime()
        .map_err(|error| Failure::trouble("cannot start the threads", &error))
        .and_then(|runtime| runtime.block_on(run(cli)));
    let exit = match result {
        Ok(Verdict::Fine) => return ExitCode::SUCCESS,
        Ok(Verdict::FoundWrong) => Exit::FoundWrong,
        Err(failure) => {
            for message in &failure.messages {
                say(format_args!("pointbook: {message}"));
            }
            failure.exit
        }
    };
    ExitCode::from(exit as u8)
}

async fn run(cli: Cli) -> CommandResult {
    let file = cli.command.configuration().map(Path::to_owned);
    let context =
        Context::new(cli.database.as_deref(), || crate::config::configured_database(file.as_deref()));
    match cli.command {
        Command::Demo(arguments) => demo::run(arguments, &context).await,
        Command::Serve(arguments) => serve::run(arguments, &context).await,
        Command::Tenant(command) => tenant::run(command, &context).await,
        Command::Token(command) => token::run(command, &context).await,
        Command::Import(arguments) => import::run(arguments, &context).await,
        Command::Export(arguments) => export::run(arguments, &context).await,
        Command::Audit(arguments) => audit::run(arguments, &context).await,
        Command::Copy(arguments) => copy::run(arguments).await,
        Command::Check(arguments) => check::run(arguments).await,
        Command::Pull(arguments) => pull::run(arguments, &context).await,
        Command::Jobs(command) => jobs::run(command, &context).await,
        Command::Migrate(arguments) => migrate::run(&arguments, &context).await,
        Command::Config(command) => config::run(&command, cli.database.as_deref(), &context),
        Command::Healthcheck(arguments) => healthcheck::run(&arguments),
        Command::Openapi(_) => openapi::run(),
        Command::Completions(arguments) => completions::run(&arguments),
    }
}
