//! Every key: its name, how its value is read from text and written as text.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use pointbook_http::DocsSettings;
use pointbook_http_kernel::TrustedProxies;

use super::{Config, LogFormat, parse_address};
use crate::telemetry;

/// One thing that can be set.
pub(super) struct Key {
    /// `section.name`, as in the file.
    pub(super) name: &'static str,
    /// Sets the value, or says the rule that the text breaks.
    pub(super) set: fn(&mut Config, &str) -> Result<(), String>,
    /// The value in a form that [`Key::set`] takes.
    pub(super) get: fn(&Config) -> String,
}

impl Key {
    /// Section and name.
    pub(super) fn parts(&self) -> (&'static str, &'static str) {
        self.name.split_once('.').unwrap_or((self.name, ""))
    }

    /// The variable of the environment that sets it.
    pub(super) fn variable(&self) -> String {
        format!("POINTBOOK_{}", self.name.replace('.', "_").to_uppercase())
    }
}

/// A key of a whole number within bounds.
macro_rules! number {
    ($name:literal, $($field:ident).+, $range:expr) => {
        Key {
            name: $name,
            set: |config, text| {
                config.$($field).+ = integer(text, $range)?;
                Ok(())
            },
            get: |config| config.$($field).+.to_string(),
        }
    };
}

/// No wait is longer than this, in milliseconds.
const HOUR_MS: u64 = 3_600_000;

/// All keys, by section.
pub(super) const KEYS: &[Key] = &[
    Key {
        name: "listen.address",
        set: |config, text| {
            config.listen = parse_address(text)?;
            Ok(())
        },
        get: |config| config.listen.to_string(),
    },
    Key {
        name: "listen.metrics",
        set: |config, text| {
            config.metrics_listen = if text == "off" { None } else { Some(parse_address(text)?) };
            Ok(())
        },
        get: |config| config.metrics_listen.map_or_else(|| "off".to_owned(), |address| address.to_string()),
    },
    Key {
        name: "listen.docs",
        set: |config, text| {
            config.docs = boolean(text)?.then(DocsSettings::default);
            Ok(())
        },
        get: |config| config.docs.is_some().to_string(),
    },
    Key {
        name: "listen.compression",
        set: |config, text| {
            config.http.compresses_answers = boolean(text)?;
            Ok(())
        },
        get: |config| config.http.compresses_answers.to_string(),
    },
    Key {
        name: "listen.trusted_proxies",
        set: |config, text| {
            config.trusted_proxies = TrustedProxies::parse(text).map_err(|part| {
                format!("must be IP addresses and networks, such as 10.0.0.0/8 or ::1, got {part:?}")
            })?;
            Ok(())
        },
        get: |config| config.trusted_proxies.to_string(),
    },
    number!("limits.max_uri_bytes", http.max_uri_bytes, 64..=60_000),
    number!("limits.max_header_bytes", http.max_header_bytes, 8_192..=1_048_576),
    number!("limits.max_headers", http.max_headers, 16..=1_000),
    number!("limits.max_body_bytes", http.max_body_bytes, 0..=1_073_741_824),
    number!("limits.max_import_body_bytes", http.max_import_body_bytes, 0..=1_073_741_824),
    number!("limits.max_connections", http.max_connections, 1..=1_000_000),
    number!("limits.max_concurrent_requests", http.max_concurrent_requests, 1..=1_000_000),
    number!("limits.max_arriving_bodies", http.max_arriving_bodies, 1..=1_000_000),
    number!("limits.max_arriving_bodies_per_tenant", http.max_arriving_bodies_per_tenant, 1..=1_000_000),
    number!(
        "limits.max_arriving_bodies_per_principal",
        http.max_arriving_bodies_per_principal,
        1..=1_000_000
    ),
    number!("limits.max_body_memory_bytes", http.max_body_memory_bytes, 1_048_576..=1_099_511_627_776),
    number!("limits.body_read_timeout_ms", http.body_read_timeout_ms, 1..=HOUR_MS),
    number!("limits.request_timeout_ms", http.request_timeout_ms, 1..=HOUR_MS),
    number!("limits.header_read_timeout_ms", http.header_read_timeout_ms, 1..=HOUR_MS),
    number!("limits.write_stall_ms", http.write_stall_ms, 1..=HOUR_MS),
    number!("limits.keep_alive_idle_ms", http.keep_alive_idle_ms, 1..=HOUR_MS),
    number!("limits.readiness_timeout_ms", http.readiness_timeout_ms, 1..=HOUR_MS),
    number!("limits.unready_before_close_ms", http.unready_before_close_ms, 0..=HOUR_MS),
    number!("limits.drain_timeout_ms", http.drain_timeout_ms, 0..=HOUR_MS),
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
    number!("database.max_connections", database.max_connections, 2..=1_000),
    number!("cache.catalogue_bytes", cache.catalogue_bytes, 0..=usize::MAX),
    number!("cache.principal_max_age_seconds", cache.principal_max_age_seconds, 0..=3_600),
    number!(
        "cache.principal_max_age_when_away_seconds",
        cache.principal_max_age_when_away_seconds,
        0..=86_400
    ),
    // More than a second would break the promise that a change elsewhere is seen within one.
    number!("cache.refresh_interval_ms", cache.refresh_interval_ms, 10..=900),
    number!("jobs.poll_interval_ms", jobs.poll_interval_ms, 10..=HOUR_MS),
    number!("jobs.lease_seconds", jobs.lease_seconds, 1..=3_600),
    Key {
        name: "log.level",
        set: |config, text| {
            telemetry::check_level(text)?;
            text.clone_into(&mut config.log.level);
            Ok(())
        },
        get: |config| config.log.level.clone(),
    },
    Key {
        name: "log.format",
        set: |config, text| {
            config.log.format = format(text)?;
            Ok(())
        },
        get: |config| format_name(config.log.format).to_owned(),
    },
    Key {
        name: "log.access",
        set: |config, text| {
            config.log.access = boolean(text)?;
            Ok(())
        },
        get: |config| config.log.access.to_string(),
    },
];

impl Config {
    /// Every key with its value, as a file that could be read again.
    pub fn to_toml(&self) -> String {
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

/// A value as TOML writes it: numbers and booleans bare, everything else quoted.
fn to_toml(value: &str) -> String {
    if value.parse::<i64>().is_ok() || value.parse::<bool>().is_ok() {
        value.to_owned()
    } else {
        format!("\"{}\"", value.escape_default())
    }
}

fn integer<T: FromStr + PartialOrd + Display>(text: &str, range: RangeInclusive<T>) -> Result<T, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("must be an integer from {} to {}", range.start(), range.end()))
}

fn boolean(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "must be true or false".to_owned())
}

fn format(text: &str) -> Result<LogFormat, String> {
    [LogFormat::Auto, LogFormat::Text, LogFormat::Json]
        .into_iter()
        .find(|&format| format_name(format) == text)
        .ok_or_else(|| "must be auto, text or json".to_owned())
}

fn format_name(format: LogFormat) -> &'static str {
    match format {
        LogFormat::Auto => "auto",
        LogFormat::Text => "text",
        LogFormat::Json => "json",
    }
}
