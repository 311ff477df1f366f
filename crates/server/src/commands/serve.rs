//! `pointbook serve`: answers requests until told to stop.

use std::net::SocketAddr;

use clap::Args;

use super::config::FileArgument;
use super::{CommandResult, Context, Failure, Verdict};
use crate::config::{self, Config, parse_address};
use crate::lifecycle::{self, Listeners};
use crate::wiring;

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Where requests are answered, instead of the configured address: IP:PORT, or the PORT of this machine
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub listen: Option<SocketAddr>,

    /// The configuration.
    #[command(flatten)]
    pub file: FileArgument,
}

impl Arguments {
    /// The configuration, with what the arguments change of it.
    ///
    /// # Errors
    /// [`Failure`] with every problem of the configuration.
    pub fn config(&self) -> Result<Config, Failure> {
        let mut config = config::load(self.file.config.as_deref())?;
        config.listen = self.listen.unwrap_or(config.listen);
        Ok(config)
    }
}

/// Serves what the database holds.
pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let (config, database) = (arguments.config()?, context.database()?);
    let levels = lifecycle::start_telemetry(&config)?;
    let _reload = lifecycle::reload_at_hangup(levels, move || Some(arguments.config()))?;
    let stop = lifecycle::stop_signal()?;
    if let Some(created) = wiring::create_file(database)? {
        tracing::warn!("{created}");
    }
    let service = context.open(&config).await?;
    if service.directory().tenants().is_empty() {
        tracing::warn!("no tenant in {database}: add one with `pointbook tenant add`");
    }
    let listeners = Listeners::bind(&config).await?;
    lifecycle::start(listeners, &config, service, stop).await?;
    Ok(Verdict::Fine)
}
