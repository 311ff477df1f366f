//! Which database a server or a command uses.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::commands::Failure;
use crate::secret_file;
use crate::wiring::DatabaseUrl;

/// The database of all commands but `demo`, unless one is given.
pub(super) const DEFAULT_URL: &str = "sqlite:pointbook.db";

/// The variables that give a URL, or a file with one. The last two are those of the keys.
const VARIABLES: [(&str, Form); 4] = [
    ("POINTBOOK_DATABASE", Form::Url),
    ("POINTBOOK_DATABASE_FILE", Form::File),
    ("POINTBOOK_DATABASE_URL", Form::Url),
    ("POINTBOOK_DATABASE_URL_FILE", Form::File),
];

#[derive(Debug, Clone, Copy)]
enum Form {
    Url,
    File,
}

/// How a database on a server is used, and where it is.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseConfig {
    /// Its URL; without a meaning where there is a file.
    pub url: String,
    /// A file that holds its URL alone; empty where there is none.
    pub url_file: PathBuf,
    /// The most connections to PostgreSQL that requests use at once.
    pub max_connections: usize,
    /// The configuration file, where its `url` holds a password.
    pub(super) secret_in: Option<PathBuf>,
}

impl Default for DatabaseConfig {
    fn default() -> Self {
        Self { url: DEFAULT_URL.to_owned(), url_file: PathBuf::new(), max_connections: 16, secret_in: None }
    }
}

/// Without the password in the URL.
impl fmt::Debug for DatabaseConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { url: _, url_file, max_connections, secret_in: _ } = self;
        f.debug_struct("DatabaseConfig")
            .field("url", &self.shown_url())
            .field("url_file", url_file)
            .field("max_connections", max_connections)
            .finish()
    }
}

impl DatabaseConfig {
    /// Notes that the configuration came from this file, whose `url` may hold a password.
    pub(super) fn note_file(&mut self, file: &Path) {
        let has_password = DatabaseUrl::parse(&self.url).is_ok_and(|url| url.has_password());
        self.secret_in = has_password.then(|| file.to_owned());
    }

    /// Takes what the environment says in place of what the file says.
    pub(super) fn take_environment(&mut self, environment: &BTreeMap<String, String>) -> Result<(), String> {
        let mut given =
            VARIABLES.iter().filter_map(|(name, form)| Some((name, form, environment.get(*name)?)));
        let Some((name, form, value)) = given.next() else { return Ok(()) };
        if let Some((other, ..)) = given.next() {
            return Err(format!("variables {name} and {other} both name the database: set one of them"));
        }
        let default = Self::default();
        (self.url, self.url_file) = match form {
            Form::Url => (value.clone(), default.url_file),
            Form::File => (default.url, value.into()),
        };
        Ok(())
    }

    /// Refuses a file that gives both.
    pub(super) fn check(&self) -> Result<(), String> {
        if self.url != DEFAULT_URL && self.has_file() {
            return Err(
                "database.url and database.url_file both name the database: give one of them".to_owned()
            );
        }
        Ok(())
    }

    /// Whether a file holds the URL.
    pub fn has_file(&self) -> bool {
        !self.url_file.as_os_str().is_empty()
    }

    /// The database, and what to warn of.
    ///
    /// # Errors
    /// [`Failure`] when the URL or its file is refused; it does not repeat the URL.
    pub fn chosen(&self) -> Result<(DatabaseUrl, Option<String>), Failure> {
        if !self.has_file() {
            let warning = self.secret_in.as_deref().and_then(secret_file::warning);
            return Ok((DatabaseUrl::parse(&self.url)?, warning));
        }
        let option = "POINTBOOK_DATABASE_FILE (or database.url_file)";
        let url = secret_file::read(option, &self.url_file)?;
        let option = format!("the URL in {}", self.url_file.display());
        Ok((DatabaseUrl::parse_option(&option, &url)?, secret_file::warning(&self.url_file)))
    }

    /// The URL as it may be shown.
    pub(super) fn shown_url(&self) -> String {
        if self.url.starts_with("sqlite:") {
            return self.url.clone();
        }
        DatabaseUrl::parse(&self.url).map_or_else(|_| "(refused)".to_owned(), |url| url.to_string())
    }
}

/// Whether a variable names the database.
pub(super) fn is_variable(name: &str) -> bool {
    VARIABLES.iter().any(|(known, _)| *known == name)
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
    fn the_environment_takes_the_place_of_the_file() {
        assert_eq!(taken(&[]), Ok((DEFAULT_URL.to_owned(), "of-the-file".into())));
        assert_eq!(taken(&[("POINTBOOK_DATABASE", "sqlite:a")]), Ok(("sqlite:a".to_owned(), PathBuf::new())));
        assert_eq!(taken(&[("POINTBOOK_DATABASE_FILE", "b")]), Ok((DEFAULT_URL.to_owned(), "b".into())));
    }

    #[test]
    fn two_variables_are_one_too_many() {
        let refused = taken(&[("POINTBOOK_DATABASE", "sqlite:a"), ("POINTBOOK_DATABASE_URL_FILE", "b")]);
        assert!(refused.unwrap_err().contains("POINTBOOK_DATABASE and POINTBOOK_DATABASE_URL_FILE"));
    }

    #[test]
    fn a_password_is_not_printed() {
        for url in ["postgres://ann:hidden@db/points", "mysql://ann:hidden@db/points"] {
            let database = DatabaseConfig { url: url.to_owned(), ..DatabaseConfig::default() };
            let printed = format!("{database:?}");
            assert!(!printed.contains("hidden") && printed.contains("max_connections"), "{printed}");
        }
    }
}
