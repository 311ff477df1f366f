//! Tokens that commands hold, store and revoke.

use std::collections::BTreeSet;

use futures_util::future::try_join_all;
use pointbook_app::commands::{Facts, OwnedToken};
use pointbook_domain::{Timestamp, TokenHash, TokenKind, TokenRecord};
use pointbook_schema::rows::HeldToken;
use pointbook_schema::{Dialect, OnConflict, Statement, select, statement};
use tokio_postgres::Row;

use super::hold::{Hold, locking};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::row;

/// Those of the tokens that are not revoked. No other transaction changes them before this one ends.
pub(super) async fn hold(
    database: &Transaction,
    tenant: &str,
    hashes: &BTreeSet<TokenHash>,
    hold: Hold,
) -> Outcome<Vec<Row>> {
    let select = locking!(
        HeldToken,
        "WHERE tenant_id = $1 AND hash = ANY ($2::bytea[]) AND revoked_at IS NULL ORDER BY hash FOR UPDATE"
    );
    hold.rows(database, tenant, select, hashes.iter().map(|hash| hash.0.as_slice()).collect()).await
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
            let select = select!(
                HeldToken,
                "WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL ORDER BY hash FOR UPDATE"
            );
            database.rows(select, &[&tenant, &user.as_str()]).await
        }
        TokenKind::SuperUser => {
            let select = select!(
                HeldToken,
                "WHERE tenant_id = $1 AND user_id IS NULL AND revoked_at IS NULL ORDER BY hash FOR UPDATE"
            );
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
    row::read::<HeldToken>(row).map(OwnedToken::from)
}

/// Stores tokens, each in place of one with the same hash, which may be one of them.
pub(super) async fn store(database: &Transaction, tenant: &str, tokens: &[TokenRecord]) -> Outcome<()> {
    let upsert = statement!(Statement::insert::<TokenRecord>(Dialect::Postgres, OnConflict::Replace));
    for token in tokens {
        database.write(upsert, tenant, &[token]).await?;
    }
    Ok(())
}

/// Revokes tokens that are held and not revoked.
pub(super) async fn revoke(
    database: &Transaction,
    tenant: &str,
    revoked: &[(TokenHash, Timestamp)],
) -> Outcome<()> {
    let update = statement!(Statement::of_arrays::<(TokenHash, Timestamp)>(
        "UPDATE tokens SET revoked_at = given.revoked_at FROM unnest({arrays}) AS given (hash, revoked_at)
         WHERE tokens.tenant_id = $1 AND tokens.hash = given.hash AND tokens.revoked_at IS NULL"
    ));
    database.write_all(update, tenant, revoked).await
}
