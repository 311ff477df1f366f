//! Reads the configuration and reports all problems at once.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use pointbook_access::sessions::ConsoleOrigin;
use toml::{Table, Value};

use super::Config;
use super::database::{DatabaseConfig, VARIABLES};
use super::keys::{KEYS, Key};
use crate::Failure;

/// Reads the file and the environment. The failure lists every unknown key and invalid value, with its origin.
pub(crate) fn load(file: Option<&Path>) -> Result<Config, Failure> {
    load_listening(file, None)
}

/// The same of a server that listens on this address, if there is one, in place of `listen.address`.
pub(crate) fn load_listening(file: Option<&Path>, listen: Option<SocketAddr>) -> Result<Config, Failure> {
    let mut config = read(file)?;
    config.listen = listen.unwrap_or(config.listen);
    let problems = config.address_problems();
    if problems.is_empty() { Ok(config) } else { Err(Failure::inputs(problems)) }
}

/// `serve --listen` may still replace an address.
fn read(file: Option<&Path>) -> Result<Config, Failure> {
    let Some(path) = file else { return merge(None, &environment()).map_err(Failure::inputs) };
    let origin = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("cannot read the configuration file {origin}: {error}")))?;
    merge(Some((&origin, &text)), &environment()).map_err(Failure::inputs)
}

/// The database of the environment, for a command that reads no configuration file.
pub(crate) fn database_of_environment(default_url: &str) -> Result<DatabaseConfig, Failure> {
    let mut database = DatabaseConfig { url: default_url.to_owned(), ..DatabaseConfig::default() };
    database.take_environment(&environment()).map_err(Failure::input)?;
    Ok(database)
}

/// The database of the configuration. Reads this file, or the one that `POINTBOOK_CONFIG` names.
pub(crate) fn configured_database(file: Option<&Path>) -> Result<DatabaseConfig, Failure> {
    Ok(read(file.or(file_of_environment().as_deref()))?.database)
}

/// The key file of the configuration; empty for none. Reads the file that `POINTBOOK_CONFIG` names.
pub(crate) fn configured_key_file() -> Result<PathBuf, Failure> {
    Ok(read(file_of_environment().as_deref())?.key_file)
}

/// The lease of a job in the configuration, in seconds. Reads the file that `POINTBOOK_CONFIG` names.
pub(crate) fn configured_lease_seconds() -> Result<u32, Failure> {
    Ok(read(file_of_environment().as_deref())?.jobs.lease_seconds)
}

#[expect(clippy::disallowed_methods, reason = "this module reads the environment for all others")]
fn file_of_environment() -> Option<PathBuf> {
    std::env::var_os("POINTBOOK_CONFIG").map(PathBuf::from)
}

/// The origin of the console in the configuration. Reads the file that `POINTBOOK_CONFIG` names.
pub(crate) fn configured_console() -> Result<ConsoleOrigin, Failure> {
    let config = read(file_of_environment().as_deref())?;
    let unknown = "listen.console has the port 0, so the address of the console is known only to the server: set listen.console_url";
    config.console_origin(config.console_listen).ok_or_else(|| Failure::input(unknown))
}

/// All variables that begin with `POINTBOOK_`. A value that is not Unicode fails later, like any other invalid value.
#[expect(clippy::disallowed_methods, reason = "this module reads the environment for all others")]
fn environment() -> BTreeMap<String, String> {
    let ours = std::env::vars_os().filter_map(|(name, value)| {
        let name = name.into_string().ok().filter(|name| name.starts_with("POINTBOOK_"))?;
        Some((name, value.to_string_lossy().into_owned()))
    });
    ours.collect()
}

fn merge(file: Option<(&str, &str)>, environment: &BTreeMap<String, String>) -> Result<Config, Vec<String>> {
    let mut config = Config::default();
    let mut problems = Vec::new();
    if let Some((origin, text)) = file {
        problems
            .extend(apply_file(&mut config, text).into_iter().map(|problem| format!("{origin}: {problem}")));
        problems.extend(config.database.check(Path::new(origin)).err());
    }
    problems.extend(config.database.take_environment(environment).err());
    for (name, value) in environment.iter().filter(|(name, _)| !VARIABLES.contains(&name.as_str())) {
        if let Some(key) = KEYS.iter().find(|key| key.variable() == *name) {
            let refused = (key.set)(&mut config, value).err();
            problems.extend(refused.map(|rule| format!("variable {name} {rule}")));
        } else if is_misspelt(name, value) {
            problems.push(format!(
                "variable {name} names no key; `pointbook config show --default` lists all keys"
            ));
        }
    }
    if problems.is_empty() { Ok(config) } else { Err(problems) }
}

/// Whether a variable without a key begins with the name of a section. Other `POINTBOOK_` variables are allowed. So are
/// those that Kubernetes sets for every service, such as a service named `pointbook-cache`.
fn is_misspelt(name: &str, value: &str) -> bool {
    let name = name.strip_prefix("POINTBOOK_").unwrap_or(name);
    let is_of_key = |key: &Key| {
        let rest = name.strip_prefix(&key.parts().0.to_uppercase());
        let rest = rest.and_then(|rest| if rest.is_empty() { Some(rest) } else { rest.strip_prefix('_') });
        rest.is_some_and(|rest| !is_of_kubernetes(rest, value))
    };
    KEYS.iter().any(is_of_key)
}

/// Whether Kubernetes sets such a variable for a service: `SERVICE_HOST`, `SERVICE_PORT`, `SERVICE_PORT_HTTP`, `PORT` with
/// a URL, `PORT_80_TCP` and longer names. A person would set `PORT` to a number.
fn is_of_kubernetes(rest: &str, value: &str) -> bool {
    if let Some(rest) = rest.strip_prefix("PORT") {
        return rest
            .strip_prefix('_')
            .is_some_and(|port| port.starts_with(|first: char| first.is_ascii_digit()))
            || ["tcp://", "udp://"].iter().any(|scheme| value.starts_with(scheme));
    }
    rest == "SERVICE_HOST" || rest == "SERVICE_PORT" || rest.starts_with("SERVICE_PORT_")
}

/// Sets every key of the file. Returns the problems.
fn apply_file(config: &mut Config, text: &str) -> Vec<String> {
    let table: Table = match text.parse() {
        Ok(table) => table,
        Err(error) => return vec![error.to_string().trim_end().to_owned()],
    };
    let mut problems = Vec::new();
    for (section, value) in &table {
        let Value::Table(keys) = value else {
            problems.push(unknown(section));
            continue;
        };
        for (name, value) in keys {
            problems.extend(apply_value(config, &format!("{section}.{name}"), value).err());
        }
    }
    problems
}

fn apply_value(config: &mut Config, name: &str, value: &Value) -> Result<(), String> {
    let key = KEYS.iter().find(|key| key.name == name).ok_or_else(|| unknown(name))?;
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        // A list of strings equals its items joined by commas.
        Value::Array(items) => {
            items.iter().map(Value::as_str).collect::<Option<Vec<_>>>().unwrap_or_default().join(",")
        }
        // No key takes a fraction, a date or a table. Keys refuse the empty string with their own rule.
        Value::Float(_) | Value::Datetime(_) | Value::Table(_) => String::new(),
    };
    (key.set)(config, &text).map_err(|rule| format!("{name} {rule}"))
}

fn unknown(name: &str) -> String {
    format!("unknown key {name}; `pointbook config show --default` lists all keys")
}

#[cfg(test)]
mod tests {
    use super::super::LogFormat;
    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn environment_overrides_file_and_file_overrides_defaults() {
        let file = "[log]\nformat = \"json\"\naccess = false\n[cache]\nrefresh_interval_ms = 100\n";
        let environment =
            variables(&[("POINTBOOK_LOG_FORMAT", "text"), ("POINTBOOK_LISTEN_METRICS", "127.0.0.1:9090")]);
        let config = merge(Some(("a.toml", file)), &environment).unwrap();
        assert_eq!(config.log.format, LogFormat::Text);
        assert!(!config.log.access);
        assert_eq!(config.cache.refresh_interval_ms, 100);
        assert_eq!(config.metrics_listen.unwrap().port(), 9090);
        assert_eq!(config.listen, Config::default().listen);
    }

    #[test]
    fn every_problem_is_reported_with_its_origin() {
        let file = "colour = 1\n[log]\nlevel = \"loud\"\nfoo = 1\n[cache]\nrefresh_interval_ms = 1.5\n";
        let environment =
            variables(&[("POINTBOOK_LISTEN_ADDRESS", ":8080"), ("POINTBOOK_LOG_LEVLE", "info")]);
        let problems = merge(Some(("a.toml", file)), &environment).err().unwrap();
        let parts = [
            "a.toml: cache.refresh_interval_ms must be an integer from 10 to 900",
            "a.toml: unknown key colour",
            "a.toml: unknown key log.foo",
            "a.toml: log.level",
            "variable POINTBOOK_LISTEN_ADDRESS must be an IP address",
            "variable POINTBOOK_LOG_LEVLE names no key",
        ];
        assert_eq!(problems.len(), parts.len(), "{problems:#?}");
        for part in parts {
            assert!(problems.iter().any(|problem| problem.starts_with(part)), "{part}: {problems:#?}");
        }
    }

    #[tokio::test]
    async fn listed_networks_are_those_that_webhooks_reach() {
        let reaches =
            async |config: Config, url: &str| config.webhooks.outbox().unwrap().check(url).await.is_ok();
        let file = "[webhooks]\nallow_networks = [\"10.1.0.0/16\", \"::1\"]\n";
        let listed = || merge(Some(("a.toml", file)), &BTreeMap::new()).unwrap();
        for (url, is_reached) in
            [("https://10.1.2.3/", true), ("https://[::1]/", true), ("https://10.2.0.1/", false)]
        {
            assert_eq!(reaches(listed(), url).await, is_reached, "{url}");
            assert!(!reaches(Config::default(), url).await, "{url}");
        }
        let environment = variables(&[
            ("POINTBOOK_WEBHOOKS_ALLOW_NETWORKS", "10.2.0.0/16, 192.168.1.7"),
            ("POINTBOOK_WEBHOOKS_DELIVER", "false"),
        ]);
        let other = || merge(Some(("a.toml", file)), &environment).unwrap();
        assert!(
            reaches(other(), "https://192.168.1.7/").await && !reaches(other(), "https://10.1.2.3/").await
        );
        assert!(!other().webhooks.deliver);
        let bad = merge(None, &variables(&[("POINTBOOK_WEBHOOKS_ALLOW_NETWORKS", "10.0.0.0/33")]));
        let expected = "variable POINTBOOK_WEBHOOKS_ALLOW_NETWORKS must be IP addresses and networks, such as 10.0.0.0/8 or ::1, \
                        got \"10.0.0.0/33\"";
        assert_eq!(bad.err().unwrap(), [expected]);
    }

    #[test]
    fn variables_of_kubernetes_are_ignored() {
        let kubernetes = variables(&[
            ("POINTBOOK_SERVICE_HOST", "10.0.0.1"),
            ("POINTBOOK_PORT", "tcp://10.0.0.1:80"),
            ("POINTBOOK_CACHE_SERVICE_HOST", "10.0.0.2"),
            ("POINTBOOK_CACHE_SERVICE_PORT", "6379"),
            ("POINTBOOK_CACHE_SERVICE_PORT_REDIS", "6379"),
            ("POINTBOOK_CACHE_PORT", "udp://10.0.0.2:6379"),
            ("POINTBOOK_CACHE_PORT_6379_TCP", "tcp://10.0.0.2:6379"),
            ("POINTBOOK_CACHE_PORT_6379_TCP_PORT", "6379"),
        ]);
        assert!(merge(None, &kubernetes).is_ok());
    }

    #[test]
    fn variable_of_a_section_without_key_is_refused() {
        for (name, value) in [
            ("POINTBOOK_LISTEN", "[::]:80"),
            ("POINTBOOK_LISTEN_PORT", "9000"),
            ("POINTBOOK_LISTEN_PORTS", "9000"),
            ("POINTBOOK_LISTEN_PORT_HTTP", "9000"),
            ("POINTBOOK_CACHE_SERVICE_NAME", "points"),
            ("POINTBOOK_MASTER_KEY", "keys"),
            ("POINTBOOK_MASTER_KEY_FIEL", "keys"),
        ] {
            let problems = merge(None, &variables(&[(name, value)])).err().unwrap();
            assert_eq!(problems.len(), 1, "{name}");
            assert!(problems[0].starts_with(&format!("variable {name} names no key")), "{problems:?}");
        }
    }

    #[test]
    fn invalid_toml_is_refused_with_its_line() {
        let problems = merge(Some(("a.toml", "[log]\nlevel\n")), &BTreeMap::new()).err().unwrap();
        assert!(problems[0].starts_with("a.toml: TOML parse error at line 2"), "{problems:?}");
    }

    #[test]
    fn shown_configuration_can_be_read_again() {
        let mut config = Config::default();
        config.log.level = "info,pointbook_http=debug".to_owned();
        config.metrics_listen = "127.0.0.1:9090".parse().ok();
        config.console_listen = "[::1]:8081".parse().ok();
        config.console_url = ConsoleOrigin::parse("https://console.example.com").unwrap();
        let read = merge(Some(("a.toml", &config.to_toml())), &BTreeMap::new());
        assert_eq!(read.map(|read| read.to_toml()), Ok(config.to_toml()));
    }
}
