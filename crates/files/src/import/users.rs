//! Imports users: each row creates a user or replaces the profile. Balance and history stay.

use pointbook_app::ports::UserProfile;
use pointbook_app::{Context, ImportUsers, StoreResult};
use pointbook_domain::{Day, Locale, Timestamp, UserId};

use super::Kind;
use super::cell::Cell;
use super::fields::Fields;
use super::kind::{Columns, RowKind, RowOutcome, Target};
use super::problems::Problems;

pub(crate) const USER_COLUMNS: [&str; 3] = ["user_id", "birth_date", "locale"];

pub(super) struct Users;

impl RowKind for Users {
    type Item = UserProfile;

    const KIND: Kind = Kind::Users;
    const COLUMNS: Columns = Columns { known: &USER_COLUMNS, required: &["user_id"] };
    const BATCH_ROWS: usize = 5_000;

    fn check(mut fields: Fields<'_>, now: Timestamp) -> Result<UserProfile, Problems> {
        let id = fields.required("user_id", |cell| cell.parse(UserId::new));
        let birth_date = fields.optional("birth_date", |cell| birth_date(cell, now.day()));
        let locale = fields.optional("locale", |cell| cell.parse(Locale::new));
        fields.finish(|| Some(UserProfile { id: id?, birth_date, locale }))
    }

    async fn store(&mut self, target: Target<'_>, items: Vec<UserProfile>) -> StoreResult<Vec<RowOutcome>> {
        let context: Context = target.context();
        let outcomes = context.write(ImportUsers { profiles: items, now: context.now }).await?;
        Ok(outcomes.into_iter().map(Ok).collect())
    }
}

fn birth_date(cell: Cell<'_>, today: Day) -> Result<Day, String> {
    let day = cell.day()?;
    if day > today { Err("must not be in the future".to_owned()) } else { Ok(day) }
}
