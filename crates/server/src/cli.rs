//! The command line: what it is made of. What each command does stands in [`crate::commands`].

use std::path::Path;

use clap::{Parser, Subcommand};

use crate::commands::{
    audit, check, completions, config, copy, demo, export, healthcheck, import, jobs, migrate, openapi, pull,
    serve, tenant, token,
};

/// Shown below the list of commands.
const AFTER_HELP: &str = "\
Results go to the standard output, everything else to the standard error.
Exit codes: 0 all is well;
1 what was asked for was found wrong (an audit's differences, rejected rows, a copy or a pull that
  differs, a server that is not ready or breaks the interface, a job that another process runs);
2 the input is refused (arguments, configuration, files, a database that is not there);
3 the database, the system, a job or a server that was asked failed;
130 an import or a pull was ended by Ctrl-C, and what it had stored is kept.";

/// A loyalty-points service: gift store and point history for many tenants.
#[derive(Debug, Parser)]
#[command(name = "pointbook", version, after_help = AFTER_HELP)]
pub struct Cli {
    #[doc = "The database: sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME [env: POINTBOOK_DATABASE, or \
             POINTBOOK_DATABASE_FILE with a file that holds it] [default: sqlite:pointbook.db]"]
    // Read by `wiring`, not by clap, which would repeat a refused value and the password in it.
    #[arg(long, global = true, value_name = "URL")]
    pub database: Option<String>,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// Every command there is.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Fill a sample tenant, print its addresses and tokens, and serve it
    Demo(demo::Arguments),
    /// Answer requests until told to stop
    Serve(serve::Arguments),
    /// Add, list, show or change tenants
    #[command(subcommand)]
    Tenant(tenant::Command),
    /// Issue or revoke access tokens
    #[command(subcommand)]
    Token(token::Command),
    /// Take categories, products, users or activities from a file
    Import(import::Arguments),
    /// Write categories, products, users or activities to the standard output
    Export(export::Arguments),
    /// Recompute every balance, day, order and stock, and follow every chain of transactions
    Audit(audit::Arguments),
    /// Copy tenants with all that is stored of them into another database
    Copy(copy::Arguments),
    /// Examine a server of the interface, this one or any other, from outside
    Check(check::Arguments),
    /// Take a store and histories over from another server of the interface
    Pull(pull::Arguments),
    /// List the background jobs of tenants, or run one now
    #[command(subcommand)]
    Jobs(jobs::Command),
    /// Create the database or bring its schema up to date
    Migrate(migrate::Arguments),
    /// Look at the configuration
    #[command(subcommand)]
    Config(config::Command),
    /// Ask a running server whether it is ready
    Healthcheck(healthcheck::Arguments),
    /// Print the description of the interface, OpenAPI 3.1
    Openapi(openapi::Arguments),
    /// Print a script that completes commands in a shell
    Completions(completions::Arguments),
}

impl Command {
    /// The configuration that the command line names for it.
    pub fn configuration(&self) -> Option<&Path> {
        match self {
            Self::Serve(arguments) => arguments.file.config.as_deref(),
            Self::Config(config::Command::Show(arguments)) => arguments.file.config.as_deref(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
