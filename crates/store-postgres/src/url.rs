//! Where a database is.

use std::fmt;
use std::str::FromStr;

use tokio_postgres::Config;

use crate::error::ConnectError;

/// The URL of a PostgreSQL database: `postgres://USER:PASSWORD@HOST:PORT/NAME`. Shown without the password.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl {
    whole: String,
    shown: String,
}

impl PostgresUrl {
    /// Reads a URL as PostgreSQL's own programs do.
    ///
    /// # Errors
    /// [`ConnectError::Url`] tells the rule, and nothing of the URL: a password may stand anywhere in one
    /// that is wrong.
    pub fn parse(text: &str) -> Result<Self, ConnectError> {
        let (scheme, rest) = text.split_once("://").ok_or(ConnectError::Url)?;
        // A second @ comes of a password that was not encoded: what follows the first is no host then.
        if !matches!(scheme, "postgres" | "postgresql") || rest.matches('@').count() > 1 {
            return Err(ConnectError::Url);
        }
        Config::from_str(text).map_err(|_| ConnectError::Url)?;
        let (credentials, place) = rest.split_once('@').unwrap_or(("", rest));
        let (user, place) = (before(credentials, ':'), before(place, '?'));
        let at = if user.is_empty() { "" } else { "@" };
        Ok(Self { whole: text.to_owned(), shown: format!("{scheme}://{user}{at}{place}") })
    }

    /// What the driver makes of it.
    pub(crate) fn config(&self) -> Result<Config, ConnectError> {
        Config::from_str(&self.whole).map_err(|_| ConnectError::Url)
    }
}

/// The part before the first of a mark, or all.
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
    use super::*;

    #[test]
    fn a_url_is_shown_without_its_password() {
        for (text, shown) in [
            ("postgres://me:hush@db:5433/points", "postgres://me@db:5433/points"),
            ("postgresql://me:hu%40sh@db1,db2/points", "postgresql://me@db1,db2/points"),
            ("postgres://me:hu?sh@db/points", "postgres://me@db/points"),
            ("postgres://me@%2Frun%2Fpg/points?connect_timeout=3", "postgres://me@%2Frun%2Fpg/points"),
            ("postgres://db/points?user=me&password=hush", "postgres://db/points"),
            ("postgres:///points", "postgres:///points"),
        ] {
            let url = PostgresUrl::parse(text).unwrap();
            assert_eq!(url.to_string(), shown);
            assert_eq!(format!("{url:?}"), format!("PostgresUrl({shown})"));
        }
    }

    #[test]
    fn a_url_that_is_wrong_is_not_repeated() {
        for wrong in [
            "postgres:hush",
            "mysql://me:hush@db/points",
            "postgres://me:hu@sh@db/points",
            "postgres://me:hush@db:port/points",
            "postgres://db/points?pass=hush",
        ] {
            let error = PostgresUrl::parse(wrong).unwrap_err();
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains("hush") && !shown.contains("sh@"), "{shown}");
        }
    }
}
