//! Reading the configuration; every problem is named at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

use super::Config;
use super::database::{self, DatabaseConfig};
use super::keys::{KEYS, Key};
use crate::commands::Failure;

/// The defaults, the file over them, and the environment over both.
///
/// # Errors
/// [`Failure`] names every key that is unknown or refused, and where it stands.
pub fn load(file: Option<&Path>) -> Result<Config, Failure> {
    let text = match file {
        Some(path) => Some(std::fs::read_to_string(path).map_err(|error| {
            Failure::input(format!("cannot read the configuration {}: {error}", path.display()))
        })?),
        None => None,
    };
    let origin = file.map(|path| path.display().to_string()).unwrap_or_default();
    let file = text.as_deref().map(|text| (origin.as_str(), text));
    merge(file, &environment()).map_err(Failure::inputs)
}

/// What the environment alone says of the database, for a command that has no configuration.
///
/// # Errors
/// [`Failure`] when it says two things.
pub fn database_of_environment(default_url: &str) -> Result<DatabaseConfig, Failure> {
    let mut database = DatabaseConfig { url: default_url.to_owned(), ..DatabaseConfig::default() };
    database.take_environment(&environment()).map_err(Failure::input)?;
    Ok(database)
}

/// The configuration file that the environment names.
#[expect(clippy::disallowed_methods, reason = "this is where the environment is read")]
pub(crate) fn file_of_environment() -> Option<PathBuf> {
    std::env::var_os("POINTBOOK_CONFIG").map(PathBuf::from)
}

/// What the configuration says of the database.
///
/// # Errors
/// [`Failure`] with every problem of the configuration.
pub fn configured_database(file: Option<&Path>) -> Result<DatabaseConfig, Failure> {
    let of_environment = file_of_environment();
    Ok(load(file.or(of_environment.as_deref()))?.database)
}

/// What the environment says. A value that is no Unicode is refused like any other wrong value.
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
        apply_file(&mut config, origin, text, &mut problems);
        config.database.note_file(Path::new(origin));
    }
    problems.extend(
        config
            .database
            .check()
            .err()
            .map(|rule| format!("{}: {rule}", file.map_or("the configuration", |(origin, _)| origin))),
    );
    problems.extend(config.database.take_environment(environment).err());
    for key in KEYS.iter().filter(|key| !database::is_variable(&key.variable())) {
        let variable = key.variable();
        if let Some(Err(rule)) = environment.get(&variable).map(|value| (key.set)(&mut config, value)) {
            problems.push(format!("variable {variable} {rule}"));
        }
    }
    problems.extend(misspelt(environment));
    if problems.is_empty() { Ok(config) } else { Err(problems) }
}

/// Variables that look like a key but are none. Others that begin with `POINTBOOK_` are let be, and
/// so are those that a cluster sets for every service in it, also for one called pointbook-cache.
fn misspelt(environment: &BTreeMap<String, String>) -> Vec<String> {
    let is_misspelt = |(name, value): &(&String, &String)| {
        !database::is_variable(name)
            && KEYS.iter().any(|key| is_of_section(name, value, key))
            && !KEYS.iter().any(|key| key.variable() == **name)
    };
    let variables = environment.iter().filter(is_misspelt);
    variables
        .map(|(name, _)| {
            format!("variable {name}: there is no such key; see `pointbook config show --default`")
        })
        .collect()
}

fn is_of_section(name: &str, value: &str, key: &Key) -> bool {
    let rest = name.strip_prefix(&format!("POINTBOOK_{}", key.parts().0.to_uppercase()));
    rest.is_some_and(|rest| match rest.strip_prefix('_') {
        Some(rest) => !is_of_cluster(rest, value),
        None => rest.is_empty(),
    })
}

/// Whether a cluster sets such a variable for a service: `SERVICE_HOST`, `SERVICE_PORT`,
/// `SERVICE_PORT_HTTP`, `PORT` with an address, `PORT_80_TCP` and what follows that. `PORT` with a
/// number is what a person would set.
fn is_of_cluster(rest: &str, value: &str) -> bool {
    if let Some(rest) = rest.strip_prefix("PORT") {
        let of_port = rest.strip_prefix('_').and_then(|number| number.chars().next());
        return of_port.is_some_and(|first| first.is_ascii_digit())
            || ["tcp://", "udp://"].iter().any(|scheme| value.starts_with(scheme));
    }
    rest == "SERVICE_HOST" || rest == "SERVICE_PORT" || rest.starts_with("SERVICE_PORT_")
}

fn apply_file(config: &mut Config, origin: &str, text: &str, problems: &mut Vec<String>) {
    let table: Table = match text.parse() {
        Ok(table) => table,
        Err(error) => {
            problems.push(format!("{origin}: {}", error.to_string().trim_end()));
            return;
        }
    };
    for (section, value) in &table {
        let Value::Table(keys) = value else {
            problems.push(unknown(origin, section));
            continue;
        };
        for (name, value) in keys {
            if let Err(problem) = apply_value(config, origin, &format!("{section}.{name}"), value) {
                problems.push(problem);
            }
        }
    }
}

fn apply_value(config: &mut Config, origin: &str, name: &str, value: &Value) -> Result<(), String> {
    let key = KEYS.iter().find(|key| key.name == name).ok_or_else(|| unknown(origin, name))?;
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        // A list of strings is the same as its items with commas between them.
        Value::Array(items) => {
            items.iter().map(item).collect::<Option<Vec<_>>>().unwrap_or_default().join(",")
        }
        // No key takes a fraction or a date: the key's own rule says what it takes.
        Value::Float(_) | Value::Datetime(_) | Value::Table(_) => String::new(),
    };
    (key.set)(config, &text).map_err(|rule| format!("{origin}: {name} {rule}"))
}

fn item(value: &Value) -> Option<&str> {
    value.as_str()
}

fn unknown(origin: &str, name: &str) -> String {
    format!("{origin}: there is no key {name}; see `pointbook config show --default`")
}

#[cfg(test)]
mod tests {
    use super::super::LogFormat;
    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn the_environment_wins_over_the_file_and_the_file_over_the_defaults() {
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
    fn every_problem_is_named_with_its_place() {
        let file = "colour = 1\n[log]\nlevel = \"loud\"\nfoo = 1\n[cache]\nrefresh_interval_ms = 1.5\n";
        let environment =
            variables(&[("POINTBOOK_LISTEN_ADDRESS", ":8080"), ("POINTBOOK_LOG_LEVLE", "info")]);
        let problems = merge(Some(("a.toml", file)), &environment).unwrap_err();
        let parts = [
            "a.toml: cache.refresh_interval_ms must be an integer from 10 to 900",
            "a.toml: there is no key colour",
            "a.toml: there is no key log.foo",
            "a.toml: log.level",
            "variable POINTBOOK_LISTEN_ADDRESS must be an IP address",
            "variable POINTBOOK_LOG_LEVLE: there is no such key",
        ];
        assert_eq!(problems.len(), parts.len(), "{problems:#?}");
        for part in parts {
            assert!(problems.iter().any(|problem| problem.starts_with(part)), "{part}: {problems:#?}");
        }
    }

    #[test]
    fn variables_of_a_cluster_are_let_be() {
        let cluster = variables(&[
            ("POINTBOOK_SERVICE_HOST", "10.0.0.1"),
            ("POINTBOOK_PORT", "tcp://10.0.0.1:80"),
            ("POINTBOOK_CACHE_SERVICE_HOST", "10.0.0.2"),
            ("POINTBOOK_CACHE_SERVICE_PORT", "6379"),
            ("POINTBOOK_CACHE_SERVICE_PORT_REDIS", "6379"),
            ("POINTBOOK_CACHE_PORT", "udp://10.0.0.2:6379"),
            ("POINTBOOK_CACHE_PORT_6379_TCP", "tcp://10.0.0.2:6379"),
            ("POINTBOOK_CACHE_PORT_6379_TCP_PORT", "6379"),
        ]);
        assert_eq!(merge(None, &cluster), Ok(Config::default()));
    }

    #[test]
    fn a_variable_that_no_key_has_is_refused() {
        for (name, value) in [
            ("POINTBOOK_LISTEN", "[::]:80"),
            ("POINTBOOK_LISTEN_PORT", "9000"),
            ("POINTBOOK_LISTEN_PORTS", "9000"),
            ("POINTBOOK_LISTEN_PORT_HTTP", "9000"),
            ("POINTBOOK_CACHE_SERVICE_NAME", "points"),
        ] {
            let problems = merge(None, &variables(&[(name, value)])).unwrap_err();
            assert_eq!(problems.len(), 1, "{name}");
            assert!(
                problems[0].starts_with(&format!("variable {name}: there is no such key")),
                "{problems:?}"
            );
        }
    }

    #[test]
    fn a_file_that_is_no_toml_is_refused_with_its_line() {
        let problems = merge(Some(("a.toml", "[log]\nlevel\n")), &BTreeMap::new()).unwrap_err();
        assert!(problems[0].starts_with("a.toml: TOML parse error at line 2"), "{problems:?}");
    }

    #[test]
    fn what_is_shown_can_be_read_again() {
        let mut config = Config::default();
        config.log.level = "info,pointbook_http=debug".to_owned();
        config.metrics_listen = Some(config.listen);
        assert_eq!(merge(Some(("a.toml", &config.to_toml())), &BTreeMap::new()), Ok(config));
    }
}
