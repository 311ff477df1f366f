//! The configuration keys: how each value is parsed from a string and formatted as a string.

use std::fmt::Display;
use std::net::{Ipv4Addr, SocketAddr};
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::ValueEnum;
use pointbook_domain::Network;
use pointbook_http::kernel::TrustedProxies;
use pointbook_http::root::DocsSettings;
use tracing_subscriber::filter::{LevelFilter, Targets};

use super::addresses::console_url;
use super::openid::{issuer, issuer_name};
use super::{AllowedNetworks, Config, LogFormat};

/// A configuration key.
pub(super) struct Key {
    /// `section.name`, as in the file.
    pub(super) name: &'static str,
    /// Parses and sets the value, or returns the rule that the string breaks.
    pub(super) set: fn(&mut Config, &str) -> Result<(), String>,
    /// The value as a string that `set` can parse.
    pub(super) get: fn(&Config) -> String,
}

impl Key {
    /// Section and name.
    pub(super) fn parts(&self) -> (&'static str, &'static str) {
        self.name.split_once('.').unwrap_or((self.name, ""))
    }

    /// The environment variable that sets it.
    pub(super) fn variable(&self) -> String {
        format!("POINTBOOK_{}", self.name.replace('.', "_").to_uppercase())
    }
}

/// A key whose field `$read` parses from a string. `$argument`s follow the string.
macro_rules! key {
    ($name:literal, $($field:ident).+, $read:ident $(, $argument:expr)*) => {
        Key {
            name: $name,
            set: |config, text| $read(text $(, $argument)*).map(|value| config.$($field).+ = value),
            get: |config| config.$($field).+.to_string(),
        }
    };
}

/// The maximum of every duration, in milliseconds.
const HOUR_MS: u64 = 3_600_000;

/// All keys, by section.
pub(super) const KEYS: &[Key] = &[
    key!("listen.address", listen, parse_address),
    Key {
        name: "listen.metrics",
        set: |config, text| optional_address(text).map(|address| config.metrics_listen = address),
        get: |config| shown_address(config.metrics_listen),
    },
    Key {
        name: "listen.console",
        set: |config, text| optional_address(text).map(|address| config.console_listen = address),
        get: |config| shown_address(config.console_listen),
    },
    key!("listen.console_url", console_url, console_url),
    Key {
        name: "listen.docs",
        set: |config, text| boolean(text).map(|docs| config.docs = docs.then(DocsSettings::default)),
        get: |config| config.docs.is_some().to_string(),
    },
    key!("listen.compression", http.compresses_answers, boolean),
    key!("listen.trusted_proxies", trusted_proxies, proxies),
    key!("limits.max_uri_bytes", http.max_uri_bytes, integer, 64..=60_000),
    key!("limits.max_header_bytes", http.max_header_bytes, integer, 8_192..=1_048_576),
    key!("limits.max_headers", http.max_headers, integer, 16..=1_000),
    key!("limits.max_body_bytes", http.max_body_bytes, integer, 0..=1_073_741_824),
    key!("limits.max_import_body_bytes", http.max_import_body_bytes, integer, 0..=1_073_741_824),
    key!("limits.max_connections", http.max_connections, integer, 1..=1_000_000),
    key!("limits.max_concurrent_requests", http.max_concurrent_requests, integer, 1..=1_000_000),
    key!("limits.max_arriving_bodies", http.max_arriving_bodies, integer, 1..=1_000_000),
    key!(
        "limits.max_arriving_bodies_per_tenant",
        http.max_arriving_bodies_per_tenant,
        integer,
        1..=1_000_000
    ),
    key!(
        "limits.max_arriving_bodies_per_principal",
        http.max_arriving_bodies_per_principal,
        integer,
        1..=1_000_000
    ),
    key!("limits.max_body_memory_bytes", http.max_body_memory_bytes, integer, 1_048_576..=1_099_511_627_776),
    key!("limits.body_read_timeout_ms", http.body_read_timeout_ms, integer, 1..=HOUR_MS),
    key!("limits.request_timeout_ms", http.request_timeout_ms, integer, 1..=HOUR_MS),
    key!("limits.header_read_timeout_ms", http.header_read_timeout_ms, integer, 1..=HOUR_MS),
    key!("limits.write_stall_ms", http.write_stall_ms, integer, 1..=HOUR_MS),
    key!("limits.keep_alive_idle_ms", http.keep_alive_idle_ms, integer, 1..=HOUR_MS),
    key!("limits.readiness_timeout_ms", http.readiness_timeout_ms, integer, 1..=HOUR_MS),
    key!("limits.unready_before_close_ms", http.unready_before_close_ms, integer, 0..=HOUR_MS),
    key!("limits.drain_timeout_ms", http.drain_timeout_ms, integer, 0..=HOUR_MS),
    Key {
        name: "database.url",
        set: |config, text| {
            text.clone_into(&mut config.database.url);
            Ok(())
        },
        get: |config| config.database.shown_url(),
    },
    Key {
        name: "database.url_file",
        set: |config, text| {
            config.database.url_file = text.into();
            Ok(())
        },
        get: |config| config.database.url_file.display().to_string(),
    },
    key!("database.max_connections", database.max_connections, integer, 2..=1_000),
    Key {
        name: "master_key.file",
        set: |config, text| {
            config.key_file = text.into();
            Ok(())
        },
        get: |config| config.key_file.display().to_string(),
    },
    key!("cache.catalogue_bytes", cache.catalogue_bytes, integer, 0..=usize::MAX),
    key!("cache.principal_max_age_seconds", cache.principal_max_age_seconds, integer, 0..=3_600),
    key!(
        "cache.principal_max_age_when_away_seconds",
        cache.principal_max_age_when_away_seconds,
        integer,
        0..=86_400
    ),
    // The documentation promises that instances apply changes within a second.
    key!("cache.refresh_interval_ms", cache.refresh_interval_ms, integer, 10..=900),
    key!("jobs.poll_interval_ms", jobs.poll_interval_ms, integer, 10..=HOUR_MS),
    key!("jobs.lease_seconds", jobs.lease_seconds, integer, 1..=3_600),
    key!("webhooks.deliver", webhooks.deliver, boolean),
    key!("webhooks.allow_networks", webhooks.allow_networks, networks),
    key!("webhooks.allow_http_to_loopback", webhooks.allow_http_to_loopback, boolean),
    Key {
        name: "openid.issuer",
        set: |config, text| issuer(text).map(|issuer| config.openid.issuer = issuer),
        get: |config| config.openid.issuer.as_ref().map(ToString::to_string).unwrap_or_default(),
    },
    Key {
        name: "openid.client_id",
        set: |config, text| {
            text.clone_into(&mut config.openid.client_id);
            Ok(())
        },
        get: |config| config.openid.client_id.clone(),
    },
    Key {
        name: "openid.client_secret_file",
        set: |config, text| {
            config.openid.client_secret_file = text.into();
            Ok(())
        },
        get: |config| config.openid.client_secret_file.display().to_string(),
    },
    key!("openid.name", openid.name, issuer_name),
    Key {
        name: "backup.folder",
        set: |config, text| {
            config.backup.folder = text.into();
            Ok(())
        },
        get: |config| config.backup.folder.display().to_string(),
    },
    key!("backup.every_minutes", backup.every_minutes, integer, 1..=525_600),
    key!("backup.keep", backup.keep, integer, 1..=100_000),
    key!("log.level", log.level, level),
    Key {
        name: "log.format",
        set: |config, text| {
            let format = LogFormat::from_str(text, false).map_err(|_| "must be auto, text or json")?;
            config.log.format = format;
            Ok(())
        },
        get: |config| format!("{:?}", config.log.format).to_lowercase(),
    },
    key!("log.access", log.access, boolean),
];

/// Parses `IP:PORT`, `localhost:PORT` or `PORT`; the last two listen on 127.0.0.1. Refuses `:PORT`: for other programs
/// it means all addresses, and a typo must not open a server to the network.
pub(crate) fn parse_address(text: &str) -> Result<SocketAddr, String> {
    const RULE: &str = "must be an IP address and a port, such as 127.0.0.1:8080 or [::]:8080; localhost:8080 and 8080 \
                        mean 127.0.0.1:8080";
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    // `parse` alone would take a sign, too.
    if port.bytes().all(|byte| byte.is_ascii_digit())
        && let Ok(port) = port.parse()
    {
        return Ok((Ipv4Addr::LOCALHOST, port).into());
    }
    text.parse().map_err(|_| RULE.to_owned())
}

fn optional_address(text: &str) -> Result<Option<SocketAddr>, String> {
    if text == "off" { Ok(None) } else { parse_address(text).map(Some) }
}

fn shown_address(address: Option<SocketAddr>) -> String {
    address.map_or_else(|| "off".to_owned(), |address| address.to_string())
}

fn proxies(text: &str) -> Result<TrustedProxies, String> {
    TrustedProxies::parse(text)
        .map_err(|part| format!("must be IP addresses and networks, such as 10.0.0.0/8 or ::1, got {part:?}"))
}

fn networks(text: &str) -> Result<AllowedNetworks, String> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    let rule =
        |part: &str| format!("must be IP addresses and networks, such as 10.0.0.0/8 or ::1, got {part:?}");
    let networks = parts.map(|part| Network::parse(part).ok_or_else(|| rule(part)));
    networks.collect::<Result<_, _>>().map(AllowedNetworks)
}

fn integer<T: FromStr + PartialOrd + Display>(text: &str, range: RangeInclusive<T>) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("must be an integer from {} to {}", range.start(), range.end()))
}

fn boolean(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "must be true or false".to_owned())
}

/// Returns the string when it is a log level: `LEVEL`, optionally followed by `,MODULE=LEVEL`.
fn level(text: &str) -> Result<String, String> {
    let is_level = |part: &str| {
        let name = part.rsplit('=').next().unwrap_or_default();
        !name.is_empty() && name.parse::<LevelFilter>().is_ok()
    };
    if text.split(',').all(is_level) && text.parse::<Targets>().is_ok() {
        Ok(text.to_owned())
    } else {
        Err("must be off, error, warn, info, debug or trace, also by module, such as info,pointbook_http=debug"
            .to_owned())
    }
}

impl Config {
    /// Every key with its value, as a configuration file. Leaves out the password of a URL.
    pub(crate) fn to_toml(&self) -> String {
        let mut text = String::new();
        let mut open = "";
        for key in KEYS {
            let (section, name) = key.parts();
            if section != open {
                let gap = if open.is_empty() { "" } else { "\n" };
                text.extend([gap, "[", section, "]\n"]);
                open = section;
            }
            text.extend([name, " = ", &to_toml(&(key.get)(self)), "\n"]);
        }
        text
    }
}

/// A value in TOML: numbers and booleans as they are, everything else in quotes.
fn to_toml(value: &str) -> String {
    if value.parse::<i64>().is_ok() || value.parse::<bool>().is_ok() {
        value.to_owned()
    } else {
        format!("\"{}\"", value.escape_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_alone_is_on_127_0_0_1() {
        for (text, address) in [
            ("8080", "127.0.0.1:8080"),
            ("localhost:0", "127.0.0.1:0"),
            ("[::]:80", "[::]:80"),
            ("0.0.0.0:80", "0.0.0.0:80"),
        ] {
            assert_eq!(parse_address(text), Ok(address.parse().unwrap()), "{text}");
        }
        for bad in ["", ":8080", "localhost", "localhost:", "here:80", "65536", "+80", "127.0.0.1", "::1"] {
            assert!(parse_address(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn levels_are_parsed_with_and_without_modules() {
        for good in ["info", "off", "warn,pointbook_http=debug"] {
            assert_eq!(level(good).as_deref(), Ok(good));
        }
        for bad in ["", "loud", "info,", "info,pointbook_http", "pointbook_http=loud"] {
            assert!(level(bad).is_err(), "{bad}");
        }
    }
}
