//! `pointbook serve`: answers requests until told to stop.

use std::net::SocketAddr;

use clap::Args;

use super::config::FileArgument;
use super::{CommandResult, Context, Failure};
use crate::config::{self, Config, parse_address};
use crate::lifecycle::{self, Listeners};
use crate::wiring;

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Where requests are answered, instead of the configured address: IP:PORT, or the PORT of this machine
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    listen: Option<SocketAddr>,

    #[command(flatten)]
    pub(crate) file: FileArgument,
}

impl Arguments {
    fn config(&self) -> Result<Config, Failure> {
        let mut config = config::load(self.file.config.as_deref())?;
        config.listen = self.listen.unwrap_or(config.listen);
        Ok(config)
    }
}

pub(crate) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let (config, database) = (arguments.config()?, context.database()?);
    let levels = lifecycle::start_telemetry(&config)?;
    let _reload = lifecycle::reload_at_hangup(levels, move || Some(arguments.config()))?;
    let stop = lifecycle::stop_signal()?;
    // First, so that a port in use leaves no new file behind.
    let listeners = Listeners::bind(&config).await?;
    if let Some(created) = wiring::create_file(database)? {
        tracing::warn!("{created}");
    }
    let service = context.open(&config).await?;
    if service.directory().tenants().is_empty() {
        tracing::warn!("no tenant in {database}: add one with `pointbook tenant add`");
    }
    lifecycle::start(listeners, &config, service, database, stop).await
}
