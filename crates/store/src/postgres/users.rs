//! Reads and writes users for commands, any number of them in one statement.

use std::collections::BTreeSet;

use pointbook_domain::{Day, Locale, Timestamp, User, UserId};
use tokio_postgres::Row;

use crate::postgres::commands::{Hold, locking};
use crate::postgres::connection::Transaction;
use crate::postgres::error::Outcome;
use crate::schema::rows::NewUser;
use crate::schema::{Dialect, OnConflict, Statement};
use crate::{select, statement};

/// Finds and locks the known users until the transaction ends. The order of ids prevents deadlocks.
pub(crate) async fn hold(
    database: &Transaction,
    tenant: &str,
    ids: &BTreeSet<UserId>,
    hold: Hold,
) -> Outcome<Vec<Row>> {
    let select = locking!(User, "WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE");
    hold.rows(database, tenant, select, ids.iter().map(UserId::as_str).collect()).await
}

/// Inserts users that an earlier statement did not find.
pub(crate) async fn insert(database: &Transaction, tenant: &str, users: &[NewUser<'_>]) -> Outcome<()> {
    let insert = statement!(Statement::insert::<NewUser<'_>>(Dialect::Postgres, OnConflict::Keep));
    database.write_all(insert, tenant, users).await
}

/// The id, birth date, when it was set, locale and time of disabling.
type Profile<'u> = (&'u UserId, Option<Day>, Option<Timestamp>, Option<&'u Locale>, Option<Timestamp>);

/// Updates the profiles of locked users.
pub(crate) async fn update(database: &Transaction, tenant: &str, users: &[User]) -> Outcome<()> {
    let update = statement!(Statement::of_arrays::<Profile<'_>>(
        "UPDATE users SET birth_date = given.birth_date, birth_date_set_at = given.birth_date_set_at,
             locale = given.locale, disabled_at = given.disabled_at
         FROM unnest({arrays}) AS given (id, birth_date, birth_date_set_at, locale, disabled_at)
         WHERE users.tenant_id = $1 AND users.id = given.id"
    ));
    let profiles: Vec<Profile<'_>> = users.iter().map(profile).collect();
    database.write_all(update, tenant, &profiles).await
}

fn profile(user: &User) -> Profile<'_> {
    let User { id, balance: _, birth_date, birth_date_set_at, locale, disabled_at, created_at: _ } = user;
    (id, *birth_date, *birth_date_set_at, locale.as_ref(), *disabled_at)
}
