//! A user, for the back office and for the user.

use pointbook_domain::expiry::Lots;
use pointbook_domain::{Locale, Points, User};
use pointbook_http::describe::{Sample, Schema};
use pointbook_http::view;
use pointbook_http::views::values::{DateTimeView, DayView};

view! {
    #[derive(Debug)]
    pub struct UserView<'u> as "User" {
        id: &'u str => Schema::id(),
        /// The balance: the sum of all transactions.
        user_points: i64 => Schema::points(),
        birth_date: Option<DayView>,
        /// A language tag, such as `de-AT`.
        locale: Option<&'u str>,
        /// Whether the user's tokens are refused.
        disabled: bool,
        created_at: DateTimeView,
        /// What ends when, the next 12 days on which points end, the first one first. Absent while points of the tenant never end.
        #[serde(skip_serializing_if = "Option::is_none")]
        expiring: Option<Vec<ExpiringView>>,
        /// The points of activities that wait until they are released. Absent for a user who never had any.
        #[serde(skip_serializing_if = "Option::is_none")]
        pending_points: Option<i64> => Schema::price(),
    }

    /// Points that end.
    #[derive(Debug)]
    pub struct ExpiringView as "Expiring" {
        points: i64 => Schema::points(),
        /// The last day on which they can be spent, in the time zone of the tenant.
        on: DayView,
    }
}

/// How many days with points that end a user shows.
const EXPIRING_SHOWN: usize = 12;

impl Sample for UserView<'_> {
    const SAMPLE: &'static str = include_str!("user.json");
}

impl<'u> From<&'u User> for UserView<'u> {
    fn from(user: &'u User) -> Self {
        let User {
            id,
            balance,
            birth_date,
            locale,
            disabled_at,
            created_at,
            birth_date_set_at: _,
            lots,
            pending,
        } = user;
        let expiring = |lots: &Lots| {
            let ending = lots.ending().take(EXPIRING_SHOWN);
            ending.map(|(on, points)| ExpiringView { points, on: DayView(on) }).collect()
        };
        Self {
            id: id.as_str(),
            user_points: balance.get(),
            birth_date: birth_date.map(DayView),
            locale: locale.as_ref().map(Locale::as_str),
            disabled: disabled_at.is_some(),
            created_at: DateTimeView(*created_at),
            expiring: lots.as_ref().map(expiring),
            pending_points: pending.map(Points::get),
        }
    }
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{Day, Points, Timestamp, UserId};

    use super::*;

    #[test]
    fn what_is_not_known_of_a_user_is_null() {
        let created_at = Timestamp::from_micros(0).unwrap();
        let mut user = User {
            id: UserId::new("u1").unwrap(),
            balance: Points::new(120).unwrap(),
            birth_date: Some(created_at.day()),
            locale: Some(Locale::new("de").unwrap()),
            disabled_at: None,
            created_at,
            birth_date_set_at: None,
            lots: None,
            pending: None,
        };
        let json = |user: &User| serde_json::to_string(&UserView::from(user)).unwrap();
        assert_eq!(
            json(&user),
            r#"{"id":"u1","user_points":120,"birth_date":"1970-01-01","locale":"de","disabled":false,"created_at":"1970-01-01T00:00:00.000000Z"}"#
        );
        let lots = (1..=13).map(|month| (Day::from_days(20_000 + 31 * month).unwrap(), i64::from(month)));
        let never = (pointbook_domain::expiry::never(), 5);
        let debt = (pointbook_domain::expiry::owed(), -3);
        user.lots = Some(lots.chain([never, debt]).collect());
        let shown = UserView::from(&user).expiring.unwrap();
        assert_eq!((shown.len(), shown[0].points, shown[11].points), (12, 1, 12));
        user.lots = None;
        (user.birth_date, user.locale, user.disabled_at) = (None, None, Some(created_at));
        assert_eq!(
            json(&user),
            r#"{"id":"u1","user_points":120,"birth_date":null,"locale":null,"disabled":true,"created_at":"1970-01-01T00:00:00.000000Z"}"#
        );
    }
}
