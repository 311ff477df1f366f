//! `pointbook serve`: answers requests until told to stop.

use std::net::SocketAddr;

use clap::Args;

use super::config::FileArgument;
use super::{CommandResult, Context, Failure, Verdict};
use crate::config::{self, Config};
use crate::lifecycle::{self, Listeners};

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Where requests are answered, instead of the configured address
    #[arg(long, value_name = "ADDRESS")]
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
    lifecycle::start_telemetry(&config)?;
    let stop = lifecycle::stop_signal()?;
    let service = context.open(&config).await?;
    if service.directory().tenants().is_empty() {
        tracing::warn!("no tenant in {database}: add one with `pointbook tenant add`");
    }
    let listeners = Listeners::bind(&config).await?;
    lifecycle::start(listeners, &config, service, stop).await?;
    Ok(Verdict::Fine)
}
