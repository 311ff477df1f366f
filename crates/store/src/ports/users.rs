use pointbook_domain::{Day, FieldChange, Locale, PageRequest, Timestamp, User, UserId};

use super::rows::{read_all, read_one, read_page};
use super::{PageOf, StoreResult, TenantData, UpsertOutcome};
use crate::schema::Query;

/// What a back office says of a user.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UserProfile {
    /// The operator's own id.
    pub id: UserId,
    /// Date of birth, when known.
    pub birth_date: Option<Day>,
    /// Preferred language, when known.
    pub locale: Option<Locale>,
}

/// What a back office changes about a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserChange {
    pub id: UserId,
    pub birth_date: FieldChange<Day>,
    /// Preferred language.
    pub locale: FieldChange<Locale>,
    /// Whether the user is shut out; none to leave that.
    pub disabled: Option<bool>,
}

impl UserChange {
    /// The user with this change, made at `now`.
    pub fn applied_to(&self, before: &User, now: Timestamp) -> User {
        let Self { id: _, birth_date, locale, disabled } = self;
        let birth_date = birth_date.applied_to(before.birth_date.as_ref());
        User {
            locale: locale.applied_to(before.locale.as_ref()),
            disabled_at: match disabled {
                None => before.disabled_at,
                Some(true) => before.disabled_at.or(Some(now)),
                Some(false) => None,
            },
            ..before.with_birth_date(birth_date, now)
        }
    }
}

/// A user after a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PutUser {
    pub user: User,
    /// Whether the user is new or changed.
    pub outcome: UpsertOutcome,
}

/// Which users are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserFilter {
    /// Those whose id has this part; the case of letters does not matter.
    pub search: Option<String>,
    /// Those who are shut out, or those who are not.
    pub disabled: Option<bool>,
}

impl UserFilter {
    /// The users of the list, in its order.
    pub fn query(&self) -> Query {
        let Self { search, disabled } = self;
        Query::of::<User>("users", &["id"])
            .has_part(&["id"], search.as_deref())
            .null("disabled_at", disabled.map(|disabled| !disabled))
    }
}

/// The users of one tenant.
impl dyn TenantData + '_ {
    pub async fn user(&self, id: &UserId) -> StoreResult<Option<User>> {
        read_one(self, Query::of::<User>("user", &[]).equal("id", Some(id))).await
    }

    /// A page of users, by id.
    pub async fn users(&self, filter: &UserFilter, page: PageRequest) -> StoreResult<PageOf<User>> {
        read_page(self, filter.query(), page).await
    }

    /// At most `limit` users with an id above `after`, by id.
    pub async fn users_after(&self, after: Option<&UserId>, limit: u32) -> StoreResult<Vec<User>> {
        read_all(self, Query::of::<User>("users_after", &["id"]).after(after).limit(limit)).await
    }
}
