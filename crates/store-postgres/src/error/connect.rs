//! Why a database cannot be used.

use super::{NoConnection, StoreFailure};

/// Why a database cannot be used. Never tells a password.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// The URL is none of PostgreSQL's.
    #[error("it must be postgres://USER:PASSWORD@HOST:PORT/NAME, with an @ or / of a password as %40 or %2F")]
    Url,
    /// An option of the URL is unknown, has no such value, or does not go with another one.
    #[error("{0}")]
    Option(String),
    #[error("the database holds tables of another program")]
    Foreign,
    #[error(
        "the database has schema {found}, and this pointbook needs schema {known}: run `pointbook migrate`"
    )]
    OlderSchema {
        /// 0 for an empty database.
        found: u32,
        known: u32,
    },
    #[error(
        "the database has schema {found}, but this pointbook knows schemas up to {known}: use a newer pointbook"
    )]
    NewerSchema { found: u32, known: u32 },
    #[error("the role {role} cannot be the service's: {why}")]
    Role { role: String, why: &'static str },
    /// A policy that is not pointbook's shows the rows of a table to more than their tenant.
    #[error("the policy {policy} of the table {table} lets through what pointbook's own holds back: drop it")]
    Policy { table: &'static str, policy: String },
    #[error("there is no such database: {0}; create it with `createdb`")]
    NoDatabase(String),
    #[error("the database cannot be used: {0}")]
    Failed(String),
}

impl From<StoreFailure> for ConnectError {
    fn from(failure: StoreFailure) -> Self {
        match failure {
            StoreFailure::Unusable(why) => why,
            StoreFailure::NoConnection(NoConnection::NoHost(hosts)) if hosts.lacks_database() => {
                Self::NoDatabase(hosts.to_string())
            }
            failure => Self::Failed(described(&failure)),
        }
    }
}

/// An error with what led to it: those of the driver say little themselves.
fn described(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}
