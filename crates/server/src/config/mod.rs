//! The configuration: a file overrides the defaults, and the environment overrides both.

mod database;
mod keys;
mod load;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use pointbook_app::{KeyFileError, SecretSource, ServiceLimits};
use pointbook_http::DocsSettings;
use pointbook_http_kernel::{HttpLimits, TrustedProxies};
use pointbook_web::DemoPage;

pub(crate) use self::database::DatabaseConfig;
pub(crate) use self::keys::parse_address;
pub(crate) use self::load::{configured_database, configured_key_file, database_of_environment, load};

use crate::key_file::{self, KeyFileSecrets};
use crate::sources::OsSecrets;
use crate::{Failure, secret_file};

/// A configuration file with every key, its default and a comment.
pub const DEFAULT_FILE: &str = include_str!("default.toml");

/// The values of all keys; `default.toml` explains them. Has no `Debug`, because the URL of the database may contain a
/// password.
pub struct Config {
    pub(crate) listen: SocketAddr,
    pub(crate) metrics_listen: Option<SocketAddr>,
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
