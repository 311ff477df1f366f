//! A user of one tenant.

use crate::{Day, Locale, Points, Timestamp, UserId};

/// A user with a balance. Only the back office sees the fields that the interface does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// The sum of all transactions of the user.
    pub balance: Points,
    pub birth_date: Option<Day>,
    /// When the birth date was set or changed last. `None` counts as long ago.
    pub birth_date_set_at: Option<Timestamp>,
    pub locale: Option<Locale>,
    /// When the user was disabled. `None` while enabled.
    pub disabled_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

impl User {
    /// The user with this birth date, which is set now if it is another one.
    #[must_use]
    pub fn with_birth_date(&self, birth_date: Option<Day>, now: Timestamp) -> Self {
        let is_same = self.birth_date == birth_date;
        let birth_date_set_at = if is_same { self.birth_date_set_at } else { Some(now) };
        Self { birth_date, birth_date_set_at, ..self.clone() }
    }
}

impl User {
    /// A new user, of whom only the id is known.
    pub fn new(id: &UserId, now: Timestamp) -> Self {
        Self {
            id: id.clone(),
            balance: Points::ZERO,
            birth_date: None,
            locale: None,
            disabled_at: None,
            created_at: now,
            birth_date_set_at: None,
        }
    }
}
