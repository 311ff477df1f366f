//! How the program is set: a file, then the environment over it. A password in the URL of the database is the only
//! secret here; [`Config::to_toml`] leaves it out.

mod address;
mod database;
mod keys;
mod load;
mod log;

use std::net::SocketAddr;

use pointbook_app::ServiceLimits;
use pointbook_http::DocsSettings;
use pointbook_http_kernel::{HttpLimits, TrustedProxies};

use crate::wiring::DatabaseClient;

pub use self::address::parse_address;
pub use self::database::DatabaseConfig;
pub use self::load::{configured_database, database_of_environment, load};
pub use self::log::{LogConfig, LogFormat};

/// Every key with its default and what it is for.
pub const DEFAULT_FILE: &str = include_str!("default.toml");

/// Everything that can be set.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Where requests are answered.
    pub listen: SocketAddr,
    /// Where metrics are given out; none for nowhere.
    pub metrics_listen: Option<SocketAddr>,
    /// What the pages at `/docs` are filled in with; none where there are no pages.
    pub docs: Option<DocsSettings>,
    /// The proxies that are believed when they say whom they ask for.
    pub trusted_proxies: TrustedProxies,
    /// Bounds on requests and connections.
    pub http: HttpLimits,
    /// Which database is used, and how.
    pub database: DatabaseConfig,
    /// Bounds on what is kept in memory.
    pub cache: CacheConfig,
    /// Background jobs.
    pub jobs: JobsConfig,
    /// What is logged, and how.
    pub log: LogConfig,
}

/// What is kept in memory, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CacheConfig {
    /// For how long a token is taken as good without asking the database, in seconds.
    pub principal_max_age_seconds: u32,
    /// The same while the database is away, in seconds.
    pub principal_max_age_when_away_seconds: u32,
    /// How much memory the catalogues of all tenants may take together, in bytes.
    pub catalogue_bytes: usize,
    /// How often changes made by other processes are looked for, in milliseconds.
    pub refresh_interval_ms: u64,
}

/// Background jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobsConfig {
    /// How often jobs that are due are looked for, in milliseconds.
    pub poll_interval_ms: u64,
    /// How long one run of a job may take, in seconds.
    pub lease_seconds: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            // Two servers on one machine would ask for the same second address.
            metrics_listen: None,
            docs: Some(DocsSettings::default()),
            trusted_proxies: TrustedProxies::default(),
            http: HttpLimits::default(),
            database: DatabaseConfig::default(),
            cache: CacheConfig {
                principal_max_age_seconds: 10,
                principal_max_age_when_away_seconds: 300,
                catalogue_bytes: 2 * 1024 * 1024 * 1024,
                refresh_interval_ms: 500,
            },
            jobs: JobsConfig { poll_interval_ms: 2_000, lease_seconds: 300 },
            log: LogConfig { level: "info".to_owned(), format: LogFormat::Auto, access: true },
        }
    }
}

impl Config {
    /// What the service is bounded by.
    pub fn service_limits(&self) -> ServiceLimits {
        ServiceLimits {
            principal_max_age_seconds: self.cache.principal_max_age_seconds,
            principal_max_age_when_away_seconds: self.cache.principal_max_age_when_away_seconds,
            refresh_interval_ms: self.cache.refresh_interval_ms,
            catalogue_bytes: self.cache.catalogue_bytes,
        }
    }

    /// How requests use the database.
    pub fn database_client(&self) -> DatabaseClient {
        DatabaseClient::Requests { max_connections: self.database.max_connections }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commented_file_holds_every_key_with_its_default() {
        let given: toml::Table = DEFAULT_FILE.parse().unwrap();
        let expected: toml::Table = Config::default().to_toml().parse().unwrap();
        assert_eq!(given, expected);
    }
}
