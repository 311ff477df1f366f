//! `pointbook serve`: serves the API until a signal stops it.

use std::net::SocketAddr;

use clap::Args;

use super::config::FileArgument;
use super::{CommandResult, Context, Failure};
use crate::config::{self, Config, parse_address};
use crate::lifecycle::{self, Listeners};
use crate::wiring;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The address to listen on, instead of the configured one: IP:PORT, or PORT on 127.0.0.1
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    listen: Option<SocketAddr>,

    #[command(flatten)]
    pub(crate) file: FileArgument,
}

impl Arguments {
    fn config(&self) -> Result<Config, Failure> {
        config::load_listening(self.file.config.as_deref(), self.listen)
    }
}

pub(crate) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let (config, database) = (arguments.config()?, context.database()?);
    let levels = lifecycle::start_telemetry(&config)?;
    let _reload = lifecycle::reload_at_hangup(levels, move || Some(arguments.config()))?;
    let stop = lifecycle::stop_signal()?;
    // Listen first, so that a port in use is reported before a new file is created.
    let listeners = Listeners::bind(&config).await?;
    if let Some(created) = wiring::create_file(database)? {
        tracing::warn!("{created}");
    }
    let service = context.open(&config).await?;
    if service.directory().tenants().is_empty() {
        tracing::warn!("{database} has no tenants: add one with `pointbook tenant add`");
    }
    lifecycle::start(listeners, &config, service, database, stop).await
}
