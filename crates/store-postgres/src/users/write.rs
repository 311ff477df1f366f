//! Writing users and their profiles, however many, by one statement each.

use pointbook_domain::{Day, Locale, Timestamp, User, UserId};
use pointbook_schema::rows::NewUser;
use pointbook_schema::{Dialect, OnConflict, Statement, statement};

use crate::connection::Transaction;
use crate::error::Outcome;

/// Adds users, who were looked for and not found.
pub(crate) async fn insert(database: &Transaction, tenant: &str, users: &[NewUser<'_>]) -> Outcome<()> {
    let insert = statement!(Statement::insert::<NewUser<'_>>(Dialect::Postgres, OnConflict::Keep));
    database.write_all(insert, tenant, users).await
}

/// What a profile is made of.
type Profile<'u> = (&'u UserId, Option<Day>, Option<&'u Locale>, Option<Timestamp>);

/// Writes the profiles of users who are held.
pub(crate) async fn update(database: &Transaction, tenant: &str, users: &[User]) -> Outcome<()> {
    let update = statement!(Statement::of_arrays::<Profile<'_>>(
        "UPDATE users SET birth_date = given.birth_date, locale = given.locale,
             disabled_at = given.disabled_at
         FROM unnest({arrays}) AS given (id, birth_date, locale, disabled_at)
         WHERE users.tenant_id = $1 AND users.id = given.id"
    ));
    let profiles: Vec<Profile<'_>> = users.iter().map(profile).collect();
    database.write_all(update, tenant, &profiles).await
}

fn profile(user: &User) -> Profile<'_> {
    let User { id, balance: _, birth_date, locale, disabled_at, created_at: _ } = user;
    (id, *birth_date, locale.as_ref(), *disabled_at)
}
