//! Tokens that commands hold, store and revoke.

use std::collections::BTreeSet;

use futures_util::future::try_join_all;
use pointbook_app::commands::{Facts, OwnedToken};
use pointbook_domain::{Timestamp, TokenHash, TokenKind, TokenLabel, TokenRecord, UserId};
use tokio_postgres::Row;

use super::accounts::Hold;
use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::row::{Record, hash, timestamp};
use crate::tokens::{CUSTOMER, SUPER_USER};

/// Those of the tokens that are not revoked. No other transaction changes them before this one ends.
pub(super) async fn hold(
    database: &Transaction,
    tenant: &str,
    hashes: &BTreeSet<TokenHash>,
    hold: Hold,
) -> Outcome<Vec<Row>> {
    if hashes.is_empty() {
        return Ok(Vec::new());
    }
    let hashes: Vec<&[u8]> = hashes.iter().map(|hash| hash.0.as_slice()).collect();
    let select = match hold {
        Hold::Waiting => {
            "SELECT user_id, hash, expires_at FROM tokens
             WHERE tenant_id = $1 AND hash = ANY ($2::bytea[]) AND revoked_at IS NULL ORDER BY hash FOR UPDATE"
        }
        Hold::Skipping => {
            "SELECT user_id, hash, expires_at FROM tokens
             WHERE tenant_id = $1 AND hash = ANY ($2::bytea[]) AND revoked_at IS NULL ORDER BY hash
             FOR UPDATE SKIP LOCKED"
        }
    };
    database.rows(select, &[&tenant, &hashes]).await
}

/// Puts the rows of [`hold`] among the facts.
pub(super) fn put(rows: &[Row], facts: &mut Facts) -> Outcome<()> {
    for row in rows {
        let token = read(row)?;
        facts.put_token(token.hash, Some(token));
    }
    Ok(())
}

/// The tokens of these owners that are not revoked, owner by owner. Held in the same way; back offices alone ask for
/// them, and wait.
pub(super) async fn hold_those_of(
    database: &Transaction,
    tenant: &str,
    owners: &BTreeSet<TokenKind>,
) -> Outcome<Vec<Vec<Row>>> {
    try_join_all(owners.iter().map(|owner| hold_all_of(database, tenant, owner))).await
}

async fn hold_all_of(database: &Transaction, tenant: &str, owner: &TokenKind) -> Outcome<Vec<Row>> {
    match owner {
        TokenKind::Customer(user) => {
            let select = "SELECT user_id, hash, expires_at FROM tokens
                          WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL ORDER BY hash FOR UPDATE";
            database.rows(select, &[&tenant, &user.as_str()]).await
        }
        TokenKind::SuperUser => {
            let select = "SELECT user_id, hash, expires_at FROM tokens
                          WHERE tenant_id = $1 AND user_id IS NULL AND revoked_at IS NULL ORDER BY hash FOR UPDATE";
            database.rows(select, &[&tenant]).await
        }
    }
}

/// Puts the rows of [`hold_those_of`] among the facts.
pub(super) fn put_those_of(
    owners: &BTreeSet<TokenKind>,
    rows: &[Vec<Row>],
    facts: &mut Facts,
) -> Outcome<()> {
    for (owner, rows) in owners.iter().zip(rows) {
        facts.put_tokens_of(owner.clone(), rows.iter().map(read).collect::<Outcome<_>>()?);
    }
    Ok(())
}

fn read(row: &Row) -> Outcome<OwnedToken> {
    let record = Record::new("tokens", 1, row);
    Ok(OwnedToken { hash: TokenHash(record.read(1, hash)?), expires_at: record.read_optional(2, timestamp)? })
}

/// Stores tokens, each in place of one with the same hash.
pub(super) async fn store(database: &Transaction, tenant: &str, tokens: &[TokenRecord]) -> Outcome<()> {
    for TokenRecord { hash, kind, created_at, expires_at, revoked_at, label } in tokens {
        let name = match kind {
            TokenKind::Customer(_) => CUSTOMER,
            TokenKind::SuperUser => SUPER_USER,
        };
        database
            .execute(
                "INSERT INTO tokens (tenant_id, hash, kind, user_id, created_at, expires_at, revoked_at, label)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                 ON CONFLICT (tenant_id, hash) DO UPDATE SET kind = excluded.kind, user_id = excluded.user_id,
                     created_at = excluded.created_at, expires_at = excluded.expires_at,
                     revoked_at = excluded.revoked_at, label = excluded.label",
                &[
                    &tenant,
                    &hash.0.as_slice(),
                    &name,
                    &kind.user().map(UserId::as_str),
                    &created_at.as_micros(),
                    &expires_at.map(Timestamp::as_micros),
                    &revoked_at.map(Timestamp::as_micros),
                    &label.as_ref().map(TokenLabel::as_str),
                ],
            )
            .await?;
    }
    Ok(())
}

/// Revokes tokens that are held and not revoked.
pub(super) async fn revoke(
    database: &Transaction,
    tenant: &str,
    revoked: &[(TokenHash, Timestamp)],
) -> Outcome<()> {
    if revoked.is_empty() {
        return Ok(());
    }
    let hashes: Vec<&[u8]> = revoked.iter().map(|(hash, _)| hash.0.as_slice()).collect();
    let times: Vec<i64> = revoked.iter().map(|(_, at)| at.as_micros()).collect();
    let update = "UPDATE tokens SET revoked_at = given.revoked_at
                  FROM unnest($2::bytea[], $3::bigint[]) AS given (hash, revoked_at)
                  WHERE tokens.tenant_id = $1 AND tokens.hash = given.hash AND tokens.revoked_at IS NULL";
    let updated = database.execute(update, &[&tenant, &hashes, &times]).await?;
    if updated == revoked.len() as u64 { Ok(()) } else { Err(StoreFailure::Overtaken) }
}
