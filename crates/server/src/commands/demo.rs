//! `pointbook demo`: sample data, ready to be called.

use std::io::{self, Write};
use std::net::SocketAddr;

use clap::Args;

use super::serve::start_telemetry;
use super::{CommandResult, Context, Failure, Verdict};
use crate::config::Config;
use crate::sources::UuidIds;
use crate::{demo, lifecycle};

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Where requests are answered; port 0 takes one that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    pub listen: SocketAddr,
}

/// Listens first, so that a port in use is told before anything is made; then makes what is
/// missing, prints what there is, and serves it until told to stop.
pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let config = config(arguments.listen);
    start_telemetry(&config);
    let stop = lifecycle::stop_signal()?;
    let listeners = lifecycle::Listeners::bind(&config).await?;
    let address = listeners.address()?;
    if !address.ip().is_loopback() {
        eprintln!("pointbook: the demo's tokens are public: whoever reaches {address} can use them");
    }
    let service = context.open(config.service_limits()).await?;
    let text = demo::prepare(&service, &UuidIds, address, &context.database.to_string()).await?;
    print(&text)?;
    lifecycle::start(listeners, &config, service, stop).await?;
    Ok(Verdict::Fine)
}

/// The defaults, whatever the environment says of a server beside; and a quiet terminal, so that
/// what was printed stays in sight.
fn config(listen: SocketAddr) -> Config {
    let mut config = Config { listen, ..Config::default() };
    "warn".clone_into(&mut config.log.level);
    config
}

fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|error| Failure::output(&error))
}
