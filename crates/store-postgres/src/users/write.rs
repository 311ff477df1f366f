//! Writing users and their profiles, however many, by one statement each.

use pointbook_domain::ledger::CHAIN_START;
use pointbook_domain::{Day, Locale, Timestamp, User};

use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};

/// Users by column.
#[derive(Default)]
struct Columns<'u> {
    ids: Vec<&'u str>,
    birth_dates: Vec<Option<i32>>,
    locales: Vec<Option<&'u str>>,
    disabled_at: Vec<Option<i64>>,
    created_at: Vec<i64>,
}

impl<'u> Columns<'u> {
    fn of(users: &'u [User]) -> Self {
        let mut columns = Self::default();
        for User { id, balance: _, birth_date, locale, disabled_at, created_at } in users {
            columns.ids.push(id.as_str());
            columns.birth_dates.push(birth_date.map(Day::as_days));
            columns.locales.push(locale.as_ref().map(Locale::as_str));
            columns.disabled_at.push(disabled_at.map(Timestamp::as_micros));
            columns.created_at.push(created_at.as_micros());
        }
        columns
    }

    /// Another writer was faster with one of the rows.
    fn expect_all(&self, written: u64) -> Outcome<()> {
        if written == self.ids.len() as u64 { Ok(()) } else { Err(StoreFailure::Overtaken) }
    }
}

/// Adds users without a history, who were looked for and not found.
pub(crate) async fn insert(database: &Transaction, tenant: &str, users: &[User]) -> Outcome<()> {
    if users.is_empty() {
        return Ok(());
    }
    let columns = Columns::of(users);
    let Columns { ids, birth_dates, locales, disabled_at, created_at } = &columns;
    let inserted = database
        .execute(
            "INSERT INTO users (tenant_id, id, balance, day_count, last_seq, last_hash, birth_date, locale,
                 disabled_at, created_at)
             SELECT $1, id, 0, 0, 0, $2, birth_date, locale, disabled_at, created_at
             FROM unnest($3::text[], $4::integer[], $5::text[], $6::bigint[], $7::bigint[])
                 AS given (id, birth_date, locale, disabled_at, created_at)
             ON CONFLICT (tenant_id, id) DO NOTHING",
            &[&tenant, &CHAIN_START.as_slice(), ids, birth_dates, locales, disabled_at, created_at],
        )
        .await?;
    columns.expect_all(inserted)
}

/// Writes the profiles of users who are held.
pub(crate) async fn update(database: &Transaction, tenant: &str, users: &[User]) -> Outcome<()> {
    if users.is_empty() {
        return Ok(());
    }
    let columns = Columns::of(users);
    let Columns { ids, birth_dates, locales, disabled_at, .. } = &columns;
    let updated = database
        .execute(
            "UPDATE users SET birth_date = given.birth_date, locale = given.locale,
                 disabled_at = given.disabled_at
             FROM unnest($2::text[], $3::integer[], $4::text[], $5::bigint[])
                 AS given (id, birth_date, locale, disabled_at)
             WHERE users.tenant_id = $1 AND users.id = given.id",
            &[&tenant, ids, birth_dates, locales, disabled_at],
        )
        .await?;
    columns.expect_all(updated)
}
