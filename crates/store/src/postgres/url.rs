//! The URL of a database and its connection options.

mod hosts;
mod options;

use std::fmt;
use std::str::FromStr;

use tokio_postgres::config::TargetSessionAttrs;
use tokio_postgres::{Config, config};
use tokio_postgres_rustls::MakeRustlsConnect;

use self::options::OwnOptions;
pub(crate) use self::options::{RootCertificates, SslMode};
use crate::postgres::error::ConnectError;
use crate::postgres::tls;

/// The driver options that apply unless the URL sets them. The times are in seconds. A silent peer is probed after four
/// seconds and dropped after ten, and so is a peer that does not acknowledge data.
const DEFAULTS: [&str; 5] = [
    "application_name=pointbook",
    "tcp_user_timeout=10",
    "keepalives_idle=4",
    "keepalives_interval=2",
    "keepalives_retries=3",
];

/// The URL of a PostgreSQL database, `postgres://USER:PASSWORD@HOST:PORT/NAME?OPTION=VALUE`, with the rules of PostgreSQL's
/// own programs. One more option, `prepared_statements=off`, is for a pooler that gives each transaction another
/// connection. Display and Debug leave out the password.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl {
    before_options: String,
    /// The options for the driver.
    options: String,
    own: OwnOptions,
    shown: String,
}

impl PostgresUrl {
    /// # Errors
    /// [`ConnectError::Url`] or [`ConnectError::Option`] states the rule. They do not quote the URL, because an invalid URL
    /// may contain the password anywhere.
    pub fn parse(text: &str) -> Result<Self, ConnectError> {
        let (scheme, rest) = text.split_once("://").ok_or(ConnectError::Url)?;
        // A second @ means that the password is not percent-encoded. Then the string after the first @ is not the host.
        if !matches!(scheme, "postgres" | "postgresql") || rest.matches('@').count() > 1 {
            return Err(ConnectError::Url);
        }
        let (credentials, location) = rest.split_once('@').unwrap_or(("", rest));
        // With an @ in the options, the string before it would be displayed as the user.
        if credentials.contains('/') {
            return Err(ConnectError::Url);
        }
        let (location, options) = location.split_once('?').unwrap_or((location, ""));
        let (own, options) = OwnOptions::take(options)?;
        let with = |user: &str| {
            let at = if user.is_empty() { "" } else { "@" };
            format!("{scheme}://{user}{at}{location}")
        };
        let (before_options, shown) = (with(credentials), with(before(credentials, ':')));
        let url = Self { before_options, options, own, shown };
        url.config()?;
        Ok(url)
    }

    /// The configuration of the driver. With several hosts, it requires the one that accepts writes, which can change.
    pub(crate) fn config(&self) -> Result<Config, ConnectError> {
        let defaults = DEFAULTS.into_iter().filter(|option| !self.gives(before(option, '=')));
        let options: Vec<&str> = defaults.chain([self.options.as_str()]).collect();
        let mut config = Config::from_str(&format!("{}?{}", self.before_options, options.join("&")))
            .map_err(|error| self.refusal(&error))?;
        hosts::check(&config, self.own.ssl_mode)?;
        hosts::name_addresses(&mut config);
        if config.get_hosts().len() > 1 && !self.gives("target_session_attrs") {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        config.ssl_mode(match self.own.ssl_mode {
            _ if hosts::are_local(&config) => config::SslMode::Disable,
            SslMode::Disable => config::SslMode::Disable,
            SslMode::Prefer => config::SslMode::Prefer,
            SslMode::Require | SslMode::VerifyCa | SslMode::VerifyFull => config::SslMode::Require,
        });
        Ok(config)
    }

    /// Why the driver refuses the URL. If the URL is valid without its options, an option is the reason.
    fn refusal(&self, error: &tokio_postgres::Error) -> ConnectError {
        match Config::from_str(&self.before_options) {
            Ok(_) => options::refused_by_driver(&self.options, error),
            Err(_) => ConnectError::Url,
        }
    }

    fn gives(&self, option: &str) -> bool {
        self.options.split('&').any(|given| before(given, '=') == option)
    }

    /// Whether a connection over a network may be unencrypted, because the server decides.
    pub fn may_be_in_the_open(&self) -> bool {
        let leaves = || self.config().is_ok_and(|config| !hosts::are_of_this_machine(&config));
        self.own.ssl_mode == SslMode::Prefer && leaves()
    }

    /// Whether the URL has a password, before the host or as an option.
    pub fn has_password(&self) -> bool {
        self.config().is_ok_and(|config| config.get_password().is_some())
    }

    pub(crate) fn prepares_statements(&self) -> bool {
        self.own.prepares_statements
    }

    /// The TLS connector for the driver, which uses it as [`Self::config`] requires.
    pub(crate) fn tls(&self) -> Result<MakeRustlsConnect, ConnectError> {
        let is_used = self.config()?.get_ssl_mode() != config::SslMode::Disable;
        tls::connector(self.own.ssl_mode, self.own.roots.as_ref().filter(|_| is_used))
    }
}

fn before(text: &str, mark: char) -> &str {
    text.split_once(mark).map_or(text, |(before, _)| before)
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PostgresUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn config(url: &str) -> Config {
        PostgresUrl::parse(url).unwrap().config().unwrap()
    }

    #[test]
    fn several_hosts_require_the_one_that_accepts_writes() {
        for (url, wanted) in [
            ("postgres://me@a,b/points", TargetSessionAttrs::ReadWrite),
            ("postgres://me@a/points", TargetSessionAttrs::Any),
            ("postgres://me@a,b/points?target_session_attrs=any", TargetSessionAttrs::Any),
        ] {
            assert_eq!(config(url).get_target_session_attrs(), wanted, "{url}");
        }
    }

    #[test]
    fn dead_peer_is_detected_within_ten_seconds() {
        let config = config("postgres://me@a/points");
        let probes = config.get_keepalives_interval().unwrap() * config.get_keepalives_retries().unwrap();
        let ten_seconds = Duration::from_secs(10);
        assert!(config.get_keepalives());
        assert_eq!(config.get_keepalives_idle() + probes, ten_seconds);
        assert_eq!(config.get_tcp_user_timeout(), Some(&ten_seconds));
    }

    #[test]
    fn url_options_override_defaults() {
        let config =
            config("postgres://me@a,b/points?connect_timeout=1&application_name=x&keepalives_idle=60");
        assert_eq!(config.get_connect_timeout(), Some(&Duration::from_secs(1)));
        assert_eq!(config.get_application_name(), Some("x"));
        assert_eq!(config.get_keepalives_idle(), Duration::from_mins(1));
    }

    #[test]
    fn url_is_displayed_without_password() {
        for (text, shown) in [
            ("postgres://me:hush@db:5433/points", "postgres://me@db:5433/points"),
            ("postgresql://me:hu%40sh@db1,db2/points", "postgresql://me@db1,db2/points"),
            ("postgres://me:hu?sh@db/points", "postgres://me@db/points"),
            ("postgres://me@%2Frun%2Fpg/points?connect_timeout=3", "postgres://me@%2Frun%2Fpg/points"),
            ("postgres://db/points?user=me&password=hush", "postgres://db/points"),
            ("postgres:///points", "postgres:///points"),
            ("postgres://me@db/points?sslmode=require", "postgres://me@db/points"),
        ] {
            let url = PostgresUrl::parse(text).unwrap();
            assert_eq!(url.to_string(), shown);
            assert_eq!(format!("{url:?}"), format!("PostgresUrl({shown})"));
        }
    }

    #[test]
    fn only_network_host_without_ssl_mode_may_be_unencrypted() {
        for (text, may_be) in [
            ("postgres://db/points", true),
            ("postgres://localhost,db/points", true),
            ("postgres://db/points?sslmode=prefer", true),
            ("postgres:///points?hostaddr=192.0.2.1", true),
            ("postgres://db/points?sslmode=disable", false),
            ("postgres://db/points?sslrootcert=system", false),
            ("postgres://localhost,127.0.0.1/points", false),
            ("postgres://%2Frun%2Fpg/points", false),
            ("postgres:///points", false),
        ] {
            assert_eq!(PostgresUrl::parse(text).unwrap().may_be_in_the_open(), may_be, "{text}");
        }
    }

    #[test]
    fn refused_option_is_named() {
        for (options, expected) in [
            ("pool_max=4", "pool_max is not a supported parameter of a PostgreSQL URL"),
            ("connect_timeout=3&sslcert=/a.pem", "sslcert is not a supported parameter of a PostgreSQL URL"),
            ("connect_timeout=soon", "the value of connect_timeout is invalid"),
            ("hostaddr=db1", "the value of hostaddr is invalid"),
        ] {
            let error = PostgresUrl::parse(&format!("postgres://me:hush@db/points?{options}")).unwrap_err();
            let error = error.to_string();
            assert!(error.starts_with(expected) && !error.contains("password"), "{error}");
        }
        // An option after a password may be the rest of a password with an unencoded &.
        let error = PostgresUrl::parse("postgres://db/points?password=a&word=b").unwrap_err().to_string();
        assert!(error.contains("an & in a password as %26") && !error.contains("word="), "{error}");
        let error =
            PostgresUrl::parse("postgres://db/points?password=ab?secret=xy&bogus=1").unwrap_err().to_string();
        assert!(!error.contains("secret"), "{error}");
    }

    #[test]
    fn error_does_not_quote_invalid_url() {
        for wrong in [
            "postgres:hush",
            "mysql://me:hush@db/points",
            "postgres://me:hu@sh@db/points",
            "postgres://me:hush@db:port/points",
            "postgres://db/points?pass=hush",
            "postgres://db/points?hush",
            "postgres://db/points?password=a&hush=b",
            "postgres://db/points?port=hush",
            "postgres://db/points?user=me&password=hush@sh",
            "postgres://db:5432/points?password=hush@sh",
            "postgres://me:hush@db/points?sslmode=hush",
        ] {
            let error = PostgresUrl::parse(wrong).unwrap_err();
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains("hush") && !shown.contains("sh@"), "{shown}");
        }
    }
}
