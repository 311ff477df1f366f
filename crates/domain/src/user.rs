//! A user of one tenant.

use crate::expiry::Lots;
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
    /// The balance, by the last day of the points. `None` when no lots are kept.
    pub lots: Option<Lots>,
    /// The points of activities that wait. `None` for a user who never had any.
    pub pending: Option<Points>,
}

impl User {
    /// The user on this local day: without points that ended before it and are still in the ledger.
    #[must_use]
    pub fn on(self, today: Day) -> Self {
        let Some(lots) = &self.lots else { return self };
        let ended: Vec<Day> = lots.due(today).map(|(last_day, _)| last_day).collect();
        let mut lots = lots.clone();
        let moved: i64 = ended.into_iter().map(|last_day| lots.end(last_day).total()).sum();
        let balance = Points::new(self.balance.get().saturating_add(moved)).unwrap_or(self.balance);
        Self { balance, lots: Some(lots), ..self }
    }

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
            lots: None,
            pending: None,
        }
    }
}
