//! Imports users: each row creates a user or replaces the profile. Balance and history stay.

use std::hash::Hash;

use pointbook_domain::{Day, Locale, Timestamp, UserId};
use pointbook_points::earning::dry_run::try_users;
use pointbook_points::members::put::ImportUsers;
use pointbook_store::ports::{UpsertOutcome, UserProfile};
use pointbook_store::{Context, StoreResult};

use super::cell::Cell;
use super::dry_run::{Tried, TriedRows};
use super::fields::Fields;
use super::kind::{Columns, RowKind, RowOutcome, Target};
use super::problems::Problems;
use super::{Kind, NewUsers, Rule};

/// The columns of users, in the order of an export.
pub const USER_COLUMNS: [&str; 3] = ["user_id", "birth_date", "locale"];

pub(super) struct Users {
    /// `None` unless the import only tries the rows.
    tried: Option<TriedRows<UserProfile>>,
    /// Those of a dry run.
    pub(super) new_users: NewUsers,
}

impl Users {
    pub(super) fn new(is_dry: bool) -> Self {
        Self { tried: is_dry.then(TriedRows::default), new_users: NewUsers::default() }
    }
}

impl Tried for UserProfile {
    fn key(&self) -> impl Hash {
        &self.id
    }

    fn after(&self, is_same: bool) -> RowOutcome {
        Ok(if is_same { UpsertOutcome::Unchanged } else { UpsertOutcome::Replaced })
    }
}

impl RowKind for Users {
    type Item = UserProfile;

    const KIND: Kind = Kind::Users;
    const COLUMNS: Columns = Columns { known: &USER_COLUMNS, required: &["user_id"] };
    const CLEARED_WITHOUT_COLUMN: &'static [&'static str] = &["birth_date", "locale"];
    const BATCH_ROWS: usize = 5_000;

    fn check(mut fields: Fields<'_>, now: Timestamp) -> Result<UserProfile, Problems> {
        let id = fields.required("user_id", |cell| cell.new_id(UserId::new));
        let birth_date = fields.optional("birth_date", |cell| birth_date(cell, now.day()));
        let locale = fields
            .optional("locale", |cell| cell.parse(|text| Locale::new(text).map_err(|_| Rule::NotALocale)));
        fields.finish(|| Some(UserProfile { id: id?, birth_date, locale }))
    }

    async fn store(&mut self, target: Target<'_>, items: Vec<UserProfile>) -> StoreResult<Vec<RowOutcome>> {
        if let Some(tried) = &mut self.tried {
            let (known, new) = tried.split(items);
            let outcomes = try_users(&target.context::<()>(), new.clone()).await?;
            let created =
                new.iter().zip(&outcomes).filter(|(_, outcome)| **outcome == UpsertOutcome::Created);
            created.for_each(|(profile, _)| self.new_users.note(profile.id.clone()));
            return Ok(tried.join(known, &new, outcomes.into_iter().map(Ok)));
        }
        let context: Context = target.context();
        let outcomes = context.write(ImportUsers { profiles: items, now: context.now }).await?;
        Ok(outcomes.into_iter().map(Ok).collect())
    }
}

fn birth_date(cell: Cell<'_>, today: Day) -> Result<Day, Rule> {
    let day = cell.day()?;
    if day > today { Err(Rule::Future) } else { Ok(day) }
}
