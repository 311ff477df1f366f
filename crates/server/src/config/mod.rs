//! The configuration: a file overrides the defaults, and the environment overrides both.

mod addresses;
mod database;
mod keys;
mod load;
mod openid;

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use pointbook_access::sessions::ConsoleOrigin;
use pointbook_domain::Network;
use pointbook_events::webhooks::{AddressPolicy, Outbox};
use pointbook_http::kernel::{HttpLimits, TrustedProxies};
use pointbook_http::root::DocsSettings;
use pointbook_shop::DemoPage;
use pointbook_store::sources::KeyFileError;
use pointbook_store::{SecretSource, ServiceLimits};

pub(crate) use self::addresses::own_address;
pub(crate) use self::database::DatabaseConfig;
pub(crate) use self::keys::parse_address;
pub(crate) use self::load::{
    configured_console, configured_database, configured_key_file, configured_lease_seconds,
    database_of_environment, load, load_listening,
};
pub(crate) use self::openid::OpenIdConfig;
use crate::key_file::KeyFileSecrets;
use crate::sources::OsSecrets;
use crate::{Failure, key_file, secret_file};

/// A configuration file with every key, its default and a comment.
pub const DEFAULT_FILE: &str = include_str!("default.toml");

/// The values of all keys; `default.toml` explains them. Has no `Debug`, because the URL of the database may contain a
/// password.
pub struct Config {
    pub(crate) listen: SocketAddr,
    pub(crate) metrics_listen: Option<SocketAddr>,
    /// `None`: the console is at the address of the interface.
    pub(crate) console_listen: Option<SocketAddr>,
    /// Set when browsers reach the console at another origin than its address.
    pub(crate) console_url: ConsoleOrigin,
    /// The values in the pages at `/docs`; `None` turns the pages off.
    pub(crate) docs: Option<DocsSettings>,
    /// The demo that the page at `/` describes. No key sets it.
    pub(crate) demo: Option<DemoPage>,
    pub(crate) trusted_proxies: TrustedProxies,
    pub http: HttpLimits,
    pub(crate) database: DatabaseConfig,
    /// The file with the master keys; empty for none.
    pub(crate) key_file: PathBuf,
    pub(crate) cache: ServiceLimits,
    pub(crate) jobs: JobsConfig,
    pub(crate) webhooks: WebhooksConfig,
    pub(crate) openid: OpenIdConfig,
    pub(crate) backup: BackupConfig,
    pub(crate) log: LogConfig,
}

/// Scheduled backups of a SQLite database.
#[derive(Debug, Clone)]
pub(crate) struct BackupConfig {
    /// The folder of the backups; empty for none.
    pub(crate) folder: PathBuf,
    pub(crate) every_minutes: u64,
    /// How many backups are kept.
    pub(crate) keep: usize,
}

pub(crate) struct JobsConfig {
    pub(crate) poll_interval_ms: u64,
    pub(crate) lease_seconds: u32,
}

/// Whether and to which addresses webhooks are sent, besides global ones over https.
#[derive(Debug, Clone)]
pub(crate) struct WebhooksConfig {
    /// Whether this process delivers events. Requests that manage or test webhooks work anyway.
    pub(crate) deliver: bool,
    pub(crate) allow_networks: AllowedNetworks,
    pub(crate) allow_http_to_loopback: bool,
}

/// Networks, displayed with commas between them.
#[derive(Debug, Clone, Default)]
pub(crate) struct AllowedNetworks(pub(crate) Vec<Network>);

impl fmt::Display for AllowedNetworks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let networks: Vec<_> = self.0.iter().map(Network::to_string).collect();
        f.write_str(&networks.join(","))
    }
}

impl Default for WebhooksConfig {
    fn default() -> Self {
        Self { deliver: true, allow_networks: AllowedNetworks::default(), allow_http_to_loopback: false }
    }
}

impl WebhooksConfig {
    /// The sender of requests to webhooks.
    ///
    /// # Errors
    /// When TLS cannot be set up.
    pub(crate) fn outbox(&self) -> Result<Arc<Outbox>, Failure> {
        let policy = AddressPolicy::new(self.allow_networks.0.clone());
        let policy = if self.allow_http_to_loopback { policy.with_http_to_loopback() } else { policy };
        let outbox = Outbox::open(policy);
        outbox.map(Arc::new).map_err(|error| Failure::trouble("cannot send webhooks", &error))
    }
}

pub(crate) struct LogConfig {
    /// `info`, or by module: `info,pointbook_http=debug`.
    pub(crate) level: String,
    pub(crate) format: LogFormat,
    /// Whether the server logs each request.
    pub(crate) access: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Text on a terminal, otherwise JSON.
    Auto,
    Text,
    Json,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            // Off, because two servers on one machine would need the same second address.
            metrics_listen: None,
            console_listen: None,
            console_url: ConsoleOrigin::default(),
            docs: Some(DocsSettings::default()),
            demo: None,
            trusted_proxies: TrustedProxies::default(),
            http: HttpLimits::default(),
            database: DatabaseConfig::default(),
            key_file: PathBuf::new(),
            cache: ServiceLimits {
                principal_max_age_seconds: 10,
                principal_max_age_when_away_seconds: 300,
                catalogue_bytes: 2 * 1024 * 1024 * 1024,
                refresh_interval_ms: 500,
            },
            backup: BackupConfig { folder: PathBuf::new(), every_minutes: 60, keep: 24 },
            webhooks: WebhooksConfig::default(),
            openid: OpenIdConfig::default(),
            jobs: JobsConfig { poll_interval_ms: 2_000, lease_seconds: 300 },
            log: LogConfig { level: "info".to_owned(), format: LogFormat::Auto, access: true },
        }
    }
}

impl Config {
    /// The source of secrets of a server. Reads the key file once, so that an invalid one is reported at the start, and logs a
    /// warning when every user of the machine can read it.
    ///
    /// # Errors
    /// When the key file cannot be read or is invalid.
    pub(crate) fn secrets(&self) -> Result<Arc<dyn SecretSource>, Failure> {
        if self.key_file.as_os_str().is_empty() {
            return Ok(Arc::new(OsSecrets));
        }
        let refused = |KeyFileError(problem)| {
            Failure::input(format!("POINTBOOK_MASTER_KEY_FILE (or master_key.file): {problem}"))
        };
        key_file::read(&self.key_file).map_err(refused)?;
        if let Some(warning) = secret_file::warning(&self.key_file) {
            tracing::warn!("{warning}");
        }
        Ok(Arc::new(KeyFileSecrets(self.key_file.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_file_has_every_key_with_its_default() {
        let given: toml::Table = DEFAULT_FILE.parse().unwrap();
        let expected: toml::Table = Config::default().to_toml().parse().unwrap();
        assert_eq!(given, expected);
    }
}
