//! A user of one tenant.

use crate::{Day, Locale, Points, Timestamp, UserId};

/// A user with a balance. Only the back office sees the fields that the interface does not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// The sum of all transactions of the user.
    pub balance: Points,
    pub birth_date: Option<Day>,
    pub locale: Option<Locale>,
    /// When the user was disabled. `None` while enabled.
    pub disabled_at: Option<Timestamp>,
    pub created_at: Timestamp,
}
