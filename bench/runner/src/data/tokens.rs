//! Access tokens of a generated database, issued once and kept beside it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;

use anyhow::{Context, Result, anyhow, ensure};
use pointbook_operate::http_client::{Call, Connection};
use pointbook_operate::pointbook::{Pointbook, Server};
use serde_json::json;

use super::Dataset;
use crate::writers::issue;
use crate::{BASE_PATH, OTHER_BASE_PATH, OTHER_TENANT, TENANT};

/// The most ordinary users with a token. They are spread over all users.
const USERS_MAX: u32 = 2_000;
/// How many connections issue tokens at once, so that the writes share commits.
const CONNECTIONS: usize = 16;
const BACK_OFFICE: &str = "(back office)";
const OTHER_USER: &str = "(other tenant)";

/// Tokens by user id.
pub(crate) struct Tokens(BTreeMap<String, String>);

impl Tokens {
    /// The token of a user.
    ///
    /// # Errors
    /// When the user has no token.
    pub(crate) fn of(&self, user: &str) -> Result<&str> {
        self.0.get(user).map(String::as_str).with_context(|| format!("no token for {user}"))
    }

    /// The token of the back office.
    pub(crate) fn back_office(&self) -> Result<&str> {
        self.of(BACK_OFFICE)
    }

    /// The token of a customer of the second tenant.
    pub(crate) fn other_tenant(&self) -> Result<&str> {
        self.of(OTHER_USER)
    }

    /// The tokens of ordinary users.
    pub(crate) fn ordinary(&self) -> Vec<&str> {
        let users = self.0.iter().filter(|(user, _)| user.starts_with("user-"));
        users.map(|(_, token)| token.as_str()).collect()
    }

    /// Issues tokens over HTTP, which is much faster than one command per token.
    pub(super) fn issue(pointbook: &Pointbook, dataset: Dataset) -> Result<Self> {
        let back_office = issue(pointbook, TENANT, &["--super-user"])?;
        let server = pointbook.serve()?;
        let mut users: Vec<String> = spread(dataset.users()).map(|user| format!("user-{user}")).collect();
        users.extend(dataset.specials().iter().map(|special| special.user.to_owned()));
        let mut tokens = issue_all(&server, BASE_PATH, &back_office, &users)?;
        if dataset == Dataset::Tenants {
            let back_office = issue(pointbook, OTHER_TENANT, &["--super-user"])?;
            let user = ["user-0".to_owned()];
            let other = issue_all(&server, OTHER_BASE_PATH, &back_office, &user)?;
            tokens.extend(other.into_values().map(|token| (OTHER_USER.to_owned(), token)));
        }
        tokens.insert(BACK_OFFICE.to_owned(), back_office);
        Ok(Self(tokens))
    }

    /// Reads the tokens from the file beside a database.
    pub(super) fn read(database: &Path) -> Result<Self> {
        let text = fs::read_to_string(database.with_extension("tokens"))?;
        let pairs = text.lines().filter_map(|line| line.rsplit_once(' '));
        Ok(Self(pairs.map(|(user, token)| (user.to_owned(), token.to_owned())).collect()))
    }

    /// Writes the tokens to a file beside a database.
    pub(super) fn write(&self, database: &Path) -> Result<()> {
        let lines: Vec<String> = self.0.iter().map(|(user, token)| format!("{user} {token}\n")).collect();
        Ok(fs::write(database.with_extension("tokens"), lines.concat())?)
    }
}

/// Numbers of users: all of them, or some at regular distances. Includes the first user even without a ledger.
fn spread(users: u32) -> impl Iterator<Item = u32> {
    let step = users.div_ceil(USERS_MAX).max(1);
    (0..users.max(1)).step_by(step as usize)
}

fn issue_all(
    server: &Server,
    base_path: &str,
    back_office: &str,
    users: &[String],
) -> Result<BTreeMap<String, String>> {
    let part = users.len().div_ceil(CONNECTIONS);
    let issue_part = |users: &[String]| {
        let mut connection = Connection::new(server.address);
        let token = |user: &String| issue_over(&mut connection, base_path, back_office, user);
        users.iter().map(token).collect::<Result<Vec<_>>>()
    };
    thread::scope(|scope| {
        let issuing: Vec<_> =
            users.chunks(part).map(|users| scope.spawn(move || issue_part(users))).collect();
        let issued = issuing.into_iter().map(|part| part.join().map_err(|_| anyhow!("a client panicked"))?);
        Ok(issued.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    })
}

fn issue_over(
    connection: &mut Connection,
    base_path: &str,
    back_office: &str,
    user: &str,
) -> Result<(String, String)> {
    let body = Some(json!({"user_id": user}));
    let path = format!("{base_path}/v1/auth/token");
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
        assert_eq!(spread(0).collect::<Vec<_>>(), [0]);
        assert_eq!(spread(1_000).count(), 1_000);
        assert_eq!(spread(20_000).collect::<Vec<_>>()[..3], [0, 10, 20]);
        assert_eq!(spread(20_000).count(), 2_000);
    }

    #[test]
    fn tokens_are_kept_beside_the_database() {
        let folder = tempfile::tempdir().unwrap();
        let database = folder.path().join("a.db");
        let tokens = [(BACK_OFFICE, "s"), ("heavy", "h"), ("user-3", "u")];
        let tokens = Tokens(tokens.map(|(user, token)| (user.to_owned(), token.to_owned())).into());
        tokens.write(&database).unwrap();
        let read = Tokens::read(&database).unwrap();
        assert_eq!(
            (read.back_office().unwrap(), read.of("heavy").unwrap(), read.ordinary()),
            ("s", "h", vec!["u"])
        );
        assert!(read.other_tenant().is_err());
    }
}
