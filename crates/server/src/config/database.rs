//! Chooses the database of a server or a command.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::secret_file::Warning;
use crate::wiring::DatabaseUrl;
use crate::{Failure, secret_file};

/// The default database of all commands but `demo`.
const DEFAULT_URL: &str = "sqlite:pointbook.db";

/// The variables that give a URL or, with `_FILE`, a file with one. The last two follow the names of the keys.
pub(super) const VARIABLES: [&str; 4] = [
    "POINTBOOK_DATABASE",
    "POINTBOOK_DATABASE_FILE",
    "POINTBOOK_DATABASE_URL",
    "POINTBOOK_DATABASE_URL_FILE",
];

pub(crate) struct DatabaseConfig {
    /// Has no effect when `url_file` is set.
    pub(crate) url: String,
    /// A file that contains only the URL; empty for none.
    pub(crate) url_file: PathBuf,
    /// How many connections to PostgreSQL requests use at most.
    pub(crate) max_connections: usize,
    /// The configuration file, when its `url` contains a password.
    pub(super) secret_in: Option<PathBuf>,
}

impl Default for DatabaseConfig {
    fn default() -> Self {
        Self { url: DEFAULT_URL.to_owned(), url_file: PathBuf::new(), max_connections: 16, secret_in: None }
    }
}

impl DatabaseConfig {
    /// Checks the values of the configuration file.
    pub(super) fn check(&mut self, file: &Path) -> Result<(), String> {
        let has_password = DatabaseUrl::parse(&self.url).is_ok_and(|url| url.has_password());
        self.secret_in = has_password.then(|| file.to_owned());
        if self.url != DEFAULT_URL && self.has_file() {
            return Err(format!(
                "{}: database.url and database.url_file are both set: set only one of them",
                file.display()
            ));
        }
        Ok(())
    }

    /// Replaces the database of the file with the one of the environment.
    pub(super) fn take_environment(&mut self, environment: &BTreeMap<String, String>) -> Result<(), String> {
        let given: Vec<_> = VARIABLES.iter().filter_map(|name| environment.get_key_value(*name)).collect();
        match given.as_slice() {
            [] => {}
            [(name, file)] if name.ends_with("_FILE") => {
                (self.url, self.url_file) = (DEFAULT_URL.to_owned(), PathBuf::from(file));
            }
            [(_, url)] => (self.url, self.url_file) = (String::clone(url), PathBuf::new()),
            [(name, _), (other, _), ..] => {
                return Err(format!("variables {name} and {other} are both set: set only one of them"));
            }
        }
        Ok(())
    }

    fn has_file(&self) -> bool {
        !self.url_file.as_os_str().is_empty()
    }

    /// The database, and a warning when every user of the machine can read the file with its password. The failure does
    /// not repeat the URL.
    pub(crate) fn chosen(&self) -> Result<(DatabaseUrl, Option<Warning>), Failure> {
        if !self.has_file() {
            let warning = self.secret_in.as_deref().and_then(secret_file::warning);
            return Ok((DatabaseUrl::parse(&self.url)?, warning));
        }
        let url = secret_file::read("POINTBOOK_DATABASE_FILE (or database.url_file)", &self.url_file)?;
        let option = format!("the URL in {}", self.url_file.display());
        Ok((DatabaseUrl::parse_option(&option, &url)?, secret_file::warning(&self.url_file)))
    }

    /// The URL without its password.
    pub(super) fn shown_url(&self) -> String {
        if self.url.starts_with("sqlite:") {
            return self.url.clone();
        }
        DatabaseUrl::parse(&self.url).map_or_else(|_| "(refused)".to_owned(), |url| url.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(variables: &[(&str, &str)]) -> Result<(String, PathBuf), String> {
        let environment = variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        let mut database = DatabaseConfig { url_file: "of-the-file".into(), ..DatabaseConfig::default() };
        database.take_environment(&environment.collect()).map(|()| (database.url, database.url_file))
    }

    #[test]
    fn environment_replaces_the_file() {
        assert_eq!(taken(&[]), Ok((DEFAULT_URL.to_owned(), "of-the-file".into())));
        assert_eq!(taken(&[("POINTBOOK_DATABASE", "sqlite:a")]), Ok(("sqlite:a".to_owned(), PathBuf::new())));
        assert_eq!(taken(&[("POINTBOOK_DATABASE_FILE", "b")]), Ok((DEFAULT_URL.to_owned(), "b".into())));
    }

    #[test]
    fn two_variables_are_refused() {
        let refused = taken(&[("POINTBOOK_DATABASE", "sqlite:a"), ("POINTBOOK_DATABASE_URL_FILE", "b")]);
        assert!(refused.unwrap_err().contains("POINTBOOK_DATABASE and POINTBOOK_DATABASE_URL_FILE"));
    }
}
