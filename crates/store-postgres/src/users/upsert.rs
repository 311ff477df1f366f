//! Profiles as a back office imports them: with three statements, however many they are.

use std::collections::BTreeMap;

use pointbook_app::ports::{UpsertOutcome, UserProfile};
use pointbook_domain::ledger::CHAIN_START;
use pointbook_domain::{Day, Locale, Timestamp};

use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::row::Record;

/// A profile as it is stored.
#[derive(PartialEq, Eq)]
struct Stored {
    birth_date: Option<i32>,
    locale: Option<String>,
}

impl Stored {
    fn of(profile: &UserProfile) -> Self {
        let UserProfile { id: _, birth_date, locale } = profile;
        let locale = locale.as_ref().map(|locale: &Locale| locale.as_str().to_owned());
        Self { birth_date: birth_date.map(Day::as_days), locale }
    }
}

/// Creates each user, or replaces the profile.
pub(super) async fn profiles(
    database: &Transaction,
    tenant: &str,
    profiles: &[UserProfile],
    now: Timestamp,
) -> Outcome<Vec<UpsertOutcome>> {
    let known = hold(database, tenant, profiles).await?;
    let mut changed: BTreeMap<&str, Stored> = BTreeMap::new();
    let mut outcomes = Vec::with_capacity(profiles.len());
    for profile in profiles {
        let (id, given) = (profile.id.as_str(), Stored::of(profile));
        let outcome = match changed.get(id).or_else(|| known.get(id)) {
            None => UpsertOutcome::Created,
            Some(before) if *before == given => UpsertOutcome::Unchanged,
            Some(_) => UpsertOutcome::Replaced,
        };
        if outcome != UpsertOutcome::Unchanged {
            changed.insert(id, given);
        }
        outcomes.push(outcome);
    }
    let (replaced, new) = changed.into_iter().partition(|(id, _)| known.contains_key(*id));
    insert(database, tenant, Columns::of(new), now).await?;
    update(database, tenant, Columns::of(replaced)).await?;
    Ok(outcomes)
}

/// Those of the users who are known. Nobody else changes them before this transaction ends; the order
/// keeps two imports from waiting for each other.
async fn hold(
    database: &Transaction,
    tenant: &str,
    profiles: &[UserProfile],
) -> Outcome<BTreeMap<String, Stored>> {
    let ids: Vec<&str> = profiles.iter().map(|profile| profile.id.as_str()).collect();
    let rows = database
        .rows(
            "SELECT id, birth_date, locale FROM users WHERE tenant_id = $1 AND id = ANY ($2::text[])
             ORDER BY id FOR UPDATE",
            &[&tenant, &ids],
        )
        .await?;
    let mut known = BTreeMap::new();
    for row in &rows {
        let record = Record::new("users", 1, row);
        known.insert(record.get(0)?, Stored { birth_date: record.get(1)?, locale: record.get(2)? });
    }
    Ok(known)
}

/// Profiles by column, in the order of ids.
#[derive(Default)]
struct Columns<'p> {
    ids: Vec<&'p str>,
    birth_dates: Vec<Option<i32>>,
    locales: Vec<Option<String>>,
}

impl<'p> Columns<'p> {
    fn of(profiles: BTreeMap<&'p str, Stored>) -> Self {
        let mut columns = Self::default();
        for (id, Stored { birth_date, locale }) in profiles {
            columns.ids.push(id);
            columns.birth_dates.push(birth_date);
            columns.locales.push(locale);
        }
        columns
    }

    /// Whoever was faster with one of the rows decided upon another profile.
    fn expect_all(&self, written: u64) -> Outcome<()> {
        if written == self.ids.len() as u64 { Ok(()) } else { Err(StoreFailure::Overtaken) }
    }
}

async fn insert(database: &Transaction, tenant: &str, new: Columns<'_>, now: Timestamp) -> Outcome<()> {
    if new.ids.is_empty() {
        return Ok(());
    }
    let inserted = database
        .execute(
            "INSERT INTO users (tenant_id, id, balance, day_count, last_seq, last_hash, birth_date, locale, created_at)
             SELECT $1, id, 0, 0, 0, $2, birth_date, locale, $3
             FROM unnest($4::text[], $5::integer[], $6::text[]) AS given (id, birth_date, locale)
             ON CONFLICT (tenant_id, id) DO NOTHING",
            &[
                &tenant,
                &CHAIN_START.as_slice(),
                &now.as_micros(),
                &new.ids,
                &new.birth_dates,
                &new.locales,
            ],
        )
        .await?;
    new.expect_all(inserted)
}

async fn update(database: &Transaction, tenant: &str, replaced: Columns<'_>) -> Outcome<()> {
    if replaced.ids.is_empty() {
        return Ok(());
    }
    let updated = database
        .execute(
            "UPDATE users SET birth_date = given.birth_date, locale = given.locale
             FROM unnest($2::text[], $3::integer[], $4::text[]) AS given (id, birth_date, locale)
             WHERE users.tenant_id = $1 AND users.id = given.id",
            &[&tenant, &replaced.ids, &replaced.birth_dates, &replaced.locales],
        )
        .await?;
    replaced.expect_all(updated)
}
