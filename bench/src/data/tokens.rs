//! Access tokens of a database, issued once and kept beside it.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::Path;
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};
use serde_json::json;
use xtask::operate::http_client::{Call, Connection};
use xtask::operate::pointbook::{Pointbook, Server};

use super::base_path;

/// The name of the back office among the users.
pub(crate) const BACK_OFFICE: &str = "(back office)";
/// The most ordinary users with a token.
const USERS_MAX: u32 = 2_000;
/// How many connections issue tokens at once, so that the writes share commits.
const CONNECTIONS: usize = 16;

type OfTenant = BTreeMap<String, String>;

/// Tokens by tenant and user.
#[derive(Debug, PartialEq)]
pub(crate) struct Tokens(BTreeMap<String, OfTenant>);

impl Tokens {
    /// The token of a user.
    ///
    /// # Errors
    /// When the user has no token.
    pub(crate) fn of(&self, tenant: &str, user: &str) -> Result<&str> {
        let token = self.0.get(tenant).and_then(|users| users.get(user));
        token.map(String::as_str).with_context(|| format!("no token for {user} of {tenant}"))
    }

    /// The tokens of a tenant's ordinary users.
    pub(crate) fn ordinary(&self, tenant: &str) -> Vec<&str> {
        let users = self.0.get(tenant).into_iter().flatten();
        users.filter(|(user, _)| user.starts_with("user-")).map(|(_, token)| token.as_str()).collect()
    }

    /// Issues tokens over HTTP, which is much faster than one command per token.
    pub(super) fn issue(pointbook: &Pointbook, customers: &[(&str, Vec<String>)]) -> Result<Self> {
        let (server, mut tokens) = (pointbook.serve()?, BTreeMap::new());
        for (tenant, users) in customers {
            let issued = pointbook.quiet(&["token", "issue", "--tenant", tenant, "--super-user"])?;
            let back_office = issued.trim().to_owned();
            let mut of_tenant = issue_all(&server, tenant, &back_office, users)?;
            of_tenant.insert(BACK_OFFICE.to_owned(), back_office);
            tokens.insert((*tenant).to_owned(), of_tenant);
        }
        Ok(Self(tokens))
    }

    /// Reads the tokens from the file beside a database.
    pub(crate) fn read(database: &Path) -> Result<Self> {
        Ok(Self(serde_json::from_slice(&fs::read(database.with_extension("tokens"))?)?))
    }

    /// Writes the tokens to a file beside a database.
    pub(super) fn write(&self, database: &Path) -> Result<()> {
        Ok(serde_json::to_writer(File::create(database.with_extension("tokens"))?, &self.0)?)
    }
}

/// Numbers of users: all of them, or some at regular distances.
pub(super) fn spread(users: u32) -> impl Iterator<Item = u32> {
    let step = users.div_ceil(USERS_MAX).max(1);
    (0..users).step_by(step as usize)
}

fn issue_all(server: &Server, tenant: &str, back_office: &str, users: &[String]) -> Result<OfTenant> {
    let issue_part = |users: &[String]| {
        let mut connection = Connection::new(server.address);
        users
            .iter()
            .map(|user| issue_one(&mut connection, tenant, back_office, user))
            .collect::<Result<Vec<_>>>()
    };
    thread::scope(|scope| {
        let parts = users.chunks(users.len().div_ceil(CONNECTIONS).max(1));
        let issuing: Vec<_> = parts.map(|users| scope.spawn(move || issue_part(users))).collect();
        let issued = issuing.into_iter().map(|part| part.join().map_err(|_| anyhow!("a client panicked"))?);
        Ok(issued.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    })
}

fn issue_one(
    connection: &mut Connection,
    tenant: &str,
    back_office: &str,
    user: &str,
) -> Result<(String, String)> {
    let (path, body) = (format!("{}/v1/auth/token", base_path(tenant)), Some(json!({"user_id": user})));
    let answer = connection.send(&Call { method: "POST", path, token: back_office, key: None, body })?;
    ensure!(answer.status == 201, "no token for {user}: {}", answer.text());
    let token = answer.json()?["data"]["token"].as_str().context("a response without a token")?.to_owned();
    Ok((user.to_owned(), token))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_spread_over_all_users() {
        assert_eq!(spread(0).count(), 0);
        assert_eq!(spread(1_000).count(), 1_000);
        assert_eq!(spread(20_000).collect::<Vec<_>>()[..3], [0, 10, 20]);
        assert_eq!(spread(20_000).count(), 2_000);
    }

    #[test]
    fn tokens_are_kept_beside_the_database() {
        let folder = tempfile::tempdir().unwrap();
        let users = [(BACK_OFFICE, "s"), ("heavy", "h"), ("user-3", "u")];
        let users = users.map(|(user, token)| (user.to_owned(), token.to_owned())).into();
        let tokens = Tokens([("bench".to_owned(), users)].into());
        tokens.write(&folder.path().join("a.db")).unwrap();
        let read = Tokens::read(&folder.path().join("a.db")).unwrap();
        assert_eq!(read, tokens);
        assert_eq!((read.of("bench", "heavy").unwrap(), read.ordinary("bench")), ("h", vec!["u"]));
        assert!(read.of("other", "heavy").is_err());
    }
}
