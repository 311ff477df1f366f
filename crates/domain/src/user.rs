//! A user of one tenant.

use crate::{Day, Locale, Points, Timestamp, UserId};

/// Who holds points. Fields that the interface does not show are the back office's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// The sum of all their transactions.
    pub balance: Points,
    pub birth_date: Option<Day>,
    pub locale: Option<Locale>,
    /// Since when the user is shut out; none while enabled.
    pub disabled_at: Option<Timestamp>,
    pub created_at: Timestamp,
}
