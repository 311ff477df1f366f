//! The command line: its commands and their exit codes.

use std::path::Path;
use std::process::ExitCode;
use std::thread::available_parallelism;

use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use tokio::runtime::Builder;

use crate::commands::{
    CommandResult, Context, NoDatabase, audit, audit_log, backup, campaign, check, config, copy, demo,
    doctor, events, export, healthcheck, import, jobs, key, keyring, man, operator, print, pull, report, say,
    serve, tenant, token,
};
use crate::config::configured_database;
use crate::{Failure, wiring};

/// Shown below the list of commands.
const AFTER_HELP: &str = "\
Results go to the standard output, messages to the standard error.
Exit codes: 0 success;
1 the command found something wrong: audit differences, rejected rows, a copy or pull that differs,
  a server that is not ready or breaks the interface, a job that another process is running, a data
  key that does not open, or a problem that `doctor` reports;
2 invalid input: arguments, configuration, a file, or a database that does not exist;
3 the database, the system, a job or a remote server failed;
130 Ctrl-C stopped an import or a pull; rows that were already stored are kept.";

/// A loyalty-points service: gift store and point history for many tenants
#[derive(Debug, Parser)]
#[command(name = "pointbook", version, after_help = AFTER_HELP)]
pub struct Cli {
    #[doc = "The database: sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME [env: POINTBOOK_DATABASE, or \
             POINTBOOK_DATABASE_FILE with a file that holds it] [default: sqlite:pointbook.db]"]
    // Read by `wiring`, not by clap, which would repeat a refused value and the password in it.
    #[arg(long, global = true, value_name = "URL")]
    database: Option<String>,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create a sample tenant, print its URLs and tokens, and serve it
    Demo(demo::Arguments),
    /// Serve the API until SIGTERM or Ctrl-C
    Serve(serve::Arguments),
    /// Add, list, show, change or remove tenants
    #[command(subcommand)]
    Tenant(tenant::Command),
    /// Add, list or revoke the API keys of a back office
    #[command(subcommand)]
    Key(key::Command),
    /// Add, list or remove the operators of a tenant, change their roles, or sign them in
    #[command(subcommand)]
    Operator(operator::Command),
    /// Create, rotate or check the master keys that protect sealed values
    #[command(subcommand)]
    Keyring(keyring::Command),
    /// Issue, list or revoke access tokens
    #[command(subcommand)]
    Token(token::Command),
    /// Write, list, show, start, pause or end campaigns, which give bonus points
    #[command(subcommand)]
    Campaign(campaign::Command),
    /// Import categories, products, users or activities from a file
    Import(import::Arguments),
    /// Export categories, products, users or activities
    Export(export::Arguments),
    /// Recompute every balance, day, order, stock and figure from the ledger, and verify every chain of hashes
    Audit(audit::Arguments),
    /// Export the audit log: who changed what
    #[command(subcommand)]
    AuditLog(audit_log::Command),
    /// Print a report: points, members, products, campaigns
    Report(report::Arguments),
    /// Print the events of a tenant: what changed
    #[command(subcommand)]
    Events(events::Command),
    /// Copy a SQLite database into a new file and audit the copy; servers may keep running
    Backup(backup::BackupArguments),
    /// Create a new SQLite database from a backup, and audit it
    Restore(backup::RestoreArguments),
    /// Copy tenants with all their data into another database
    Copy(copy::Arguments),
    /// Check over HTTP whether a server follows the interface
    Check(check::Arguments),
    /// Copy the store and point histories from another server that follows the interface
    Pull(pull::Arguments),
    /// List the background jobs of tenants, or run one now
    #[command(subcommand)]
    Jobs(jobs::Command),
    /// Create the database, or upgrade its schema to this version
    Migrate {
        /// Grant this PostgreSQL role only the rights that `serve` needs
        ///
        /// The role sees one tenant at a time and cannot change the ledger. It must exist already. Connect as the owner
        /// of the database, as for `tenant add` and `tenant set`. Run this again after every upgrade.
        #[arg(long, value_name = "NAME", conflicts_with = "citus")]
        service_role: Option<String>,
        /// Distribute the tables by tenant with Citus: all rows of a tenant move to one of several servers
        ///
        /// The database must have the Citus extension, with its workers added. Stop all instances first, and start them
        /// afterwards. Later runs of `migrate` distribute new tables without this option.
        #[arg(long)]
        citus: bool,
    },
    /// Print the configuration
    #[command(subcommand)]
    Config(config::Command),
    /// Check this installation (database, disk, file permissions, clock, addresses, tenants) and say how to fix it
    Doctor(doctor::Arguments),
    /// Check whether a running server is ready
    Healthcheck(healthcheck::Arguments),
    /// Print the OpenAPI 3.1 document of the API
    Openapi(NoDatabase),
    /// Print a completion script for a shell
    Completions {
        #[command(flatten)]
        no_database: NoDatabase,

        /// The shell that runs the script
        shell: Shell,
    },
    /// Print the manual page, or write a page for each command
    Man(man::Arguments),
}

/// Runs the command of the command line and returns its exit code.
pub fn run() -> ExitCode {
    let cli = Cli::parse();
    // One runtime shares the work among all cores. A runtime per core uses as much processor time per request at
    // saturation (measured: 0.99 times), and a database read would then block all other connections of its core.
    let cores = available_parallelism().map_or(1, Into::into);
    let result = Builder::new_multi_thread()
        .worker_threads(cores)
        .enable_all()
        .build()
        .map_err(|error| Failure::trouble("cannot start the threads", &error))
        .and_then(|runtime| runtime.block_on(run_command(cli)));
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure { exit, messages }) => {
            for message in messages {
                say(format_args!("pointbook: {message}"));
            }
            ExitCode::from(exit as u8)
        }
    }
}

async fn run_command(Cli { database, command }: Cli) -> CommandResult {
    let context = Context::new(database.as_deref(), || configured_database(command.configuration()));
    match command {
        Command::Demo(arguments) => demo::run(arguments).await,
        Command::Serve(arguments) => serve::run(arguments, &context).await,
        Command::Tenant(command) => tenant::run(command, &context).await,
        Command::Key(command) => key::run(command, &context).await,
        Command::Operator(command) => operator::run(command, &context).await,
        Command::Keyring(command) => keyring::run(command, &context).await,
        Command::Token(command) => token::run(command, &context).await,
        Command::Campaign(command) => campaign::run(command, &context).await,
        Command::Import(arguments) => import::run(arguments, &context).await,
        Command::Export(arguments) => export::run(arguments, &context).await,
        Command::Audit(arguments) => audit::run(arguments, &context).await,
        Command::Report(arguments) => report::run(arguments, &context).await,
        Command::Events(command) => events::run(command, &context).await,
        Command::AuditLog(command) => audit_log::run(command, &context).await,
        Command::Backup(arguments) => backup::back_up(arguments, &context).await,
        Command::Restore(arguments) => backup::restore(arguments, &context).await,
        Command::Copy(arguments) => copy::run(arguments).await,
        Command::Check(arguments) => check::run(arguments),
        Command::Pull(arguments) => pull::run(arguments, &context).await,
        Command::Jobs(command) => jobs::run(command, &context).await,
        Command::Migrate { service_role, citus } => migrate(service_role, citus, &context).await,
        Command::Config(command) => config::run(command, database, &context),
        Command::Doctor(arguments) => doctor::run(arguments, &context).await,
        Command::Healthcheck(arguments) => healthcheck::run(&arguments),
        Command::Openapi(_) => {
            print(String::from_utf8_lossy(&pointbook_http::openapi::document(&crate::slices::LISTED)))
        }
        Command::Completions { shell, .. } => print_completions(shell),
        Command::Man(arguments) => man::run(arguments),
    }
}

async fn migrate(service_role: Option<String>, citus: bool, context: &Context) -> CommandResult {
    let database = context.database()?;
    context.say_created()?;
    wiring::migrate_database(database).await?;
    say(format_args!("{database} has the schema of this version"));
    if citus {
        let split = wiring::split_database(database).await?;
        let split = if split.is_empty() { "no new tables".to_owned() } else { split.join(", ") };
        say(format_args!("{database} is distributed by tenant with Citus: {split}"));
    }
    if let Some(role) = service_role {
        wiring::set_up_service_role(database, &role).await?;
        say(format_args!("the role {role} has the rights that `serve` needs"));
    }
    Ok(())
}

fn print_completions(shell: Shell) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "pointbook", &mut script);
    print(String::from_utf8_lossy(&script))
}

impl Command {
    /// The configuration file that the command line names.
    fn configuration(&self) -> Option<&Path> {
        match self {
            Self::Serve(arguments) => arguments.file.config.as_deref(),
            Self::Doctor(arguments) => arguments.file.config.as_deref(),
            Self::Config(config::Command::Show { file, .. }) => file.config.as_deref(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
