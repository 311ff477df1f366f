//! `pointbook demo`: sample data, ready to be called.

use std::net::SocketAddr;

use clap::Args;

use super::{CommandResult, Context, Verdict, print, say};
use crate::config::Config;
use crate::sources::UuidIds;
use crate::{demo, lifecycle};

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Where requests are answered; port 0 takes one that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,

    /// The database, sqlite:PATH (made where there is none) or postgres://USER:PASSWORD@HOST:PORT/NAME
    // In place of the option of all commands, which has the database of a server as its default.
    #[arg(
        long,
        env = "POINTBOOK_DATABASE",
        default_value = "sqlite:pointbook-demo.db",
        hide_env_values = true,
        value_name = "URL"
    )]
    pub database: String,
}

/// Listens first, so that a port in use is told before anything is made; then makes what is
/// missing, prints what there is, and serves it until told to stop.
pub(super) async fn run(arguments: Arguments, _: &Context) -> CommandResult {
    let context = Context::new(&arguments.database);
    let database = context.database()?.to_string();
    let mut config = config(arguments.listen);
    lifecycle::start_telemetry(&config)?;
    let stop = lifecycle::stop_signal()?;
    let listeners = lifecycle::Listeners::bind(&config).await?;
    let address = listeners.address()?;
    if !address.ip().is_loopback() {
        say(format_args!("pointbook: the demo's tokens are public: whoever reaches {address} can use them"));
    }
    let service = context.open(&config).await?;
    let prepared = demo::prepare(&service, &UuidIds, address, &database).await?;
    config.docs = Some(prepared.docs);
    print(&prepared.text)?;
    lifecycle::start(listeners, &config, service, stop).await?;
    Ok(Verdict::Fine)
}

/// The defaults, whatever the environment says of a server beside; and a quiet terminal, so that
/// what was printed stays in sight.
fn config(listen: SocketAddr) -> Config {
    let mut config = Config { listen, ..Config::default() };
    "warn".clone_into(&mut config.log.level);
    config.log.access = false;
    config
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::cli::{Cli, Command};

    fn database(arguments: &[&str]) -> String {
        let cli = Cli::try_parse_from(arguments).unwrap();
        let Command::Demo(demo) = cli.command else { panic!("{arguments:?} is no demo") };
        demo.database
    }

    #[test]
    fn the_demo_has_a_database_of_its_own_unless_one_is_given() {
        assert_eq!(database(&["pointbook", "demo"]), "sqlite:pointbook-demo.db");
        assert_eq!(database(&["pointbook", "demo", "--database", "sqlite:a.db"]), "sqlite:a.db");
        assert_eq!(database(&["pointbook", "--database", "sqlite:a.db", "demo"]), "sqlite:a.db");
    }
}
