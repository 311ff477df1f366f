//! Facts of creating, changing and disabling users.

use std::sync::Arc;

use pointbook_domain::FieldChange::{Keep, Set};
use pointbook_domain::{Day, Locale, Points, Timestamp, User};
use pointbook_points::members::put::{ChangeUser, ImportUsers};
use pointbook_store::ports::UpsertOutcome::{Created, Replaced, Unchanged};
use pointbook_store::ports::{Database, PutUser, TenantData, UpsertOutcome, UserChange};

use super::{add_tenant, record_all, whole_history};
use crate::build;
use crate::build::{activity, recorded, user_change, user_id};

/// Puts a user on this day. Panics unless the returned user equals a later read.
async fn put(data: &Arc<dyn TenantData>, change: &UserChange, day: i64) -> (User, UpsertOutcome) {
    let PutUser { user, outcome } =
        data.write(ChangeUser { change: change.clone(), now: build::on_day(day) }).await.unwrap();
    assert_eq!(data.user(&change.id).await.unwrap().as_ref(), Some(&user));
    (user, outcome)
}

fn disabled(id: &str, disabled: bool) -> UserChange {
    UserChange { disabled: Some(disabled), ..user_change(id) }
}

fn new_user(id: &str, created_at: Timestamp) -> User {
    let id = user_id(id);
    User {
        lots: None,
        pending: None,
        id,
        balance: Points::ZERO,
        birth_date: None,
        locale: None,
        disabled_at: None,
        created_at,
        birth_date_set_at: None,
    }
}

/// The change may have no fields or all fields.
pub async fn a_change_creates_an_unknown_user(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    assert_eq!(data.user(&user_id("u1")).await.unwrap(), None);
    let expected = new_user("u1", build::on_day(1));
    assert_eq!(put(&data, &user_change("u1"), 1).await, (expected, Created));
    let (birth_date, locale) = (Day::from_days(-3_650), Some(Locale::new("de-AT").unwrap()));
    let full = UserChange {
        birth_date: Set(birth_date),
        locale: Set(locale.clone()),
        disabled: Some(true),
        ..user_change("か")
    };
    let now = build::on_day(2);
    let birth_date_set_at = Some(now);
    let disabled_at = Some(now);
    let expected = User { birth_date, birth_date_set_at, locale, disabled_at, ..new_user("か", now) };
    assert_eq!(put(&data, &full, 2).await, (expected, Created));
    let cleared = UserChange { birth_date: Set(None), disabled: Some(false), ..user_change("u3") };
    assert_eq!(put(&data, &cleared, 2).await, (new_user("u3", now), Created));
}

/// Checks each field alone, with a value and with none.
pub async fn change_changes_only_the_named_fields(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let (day, locale) = (Day::from_days(7), Locale::new("pt-BR").ok());
    let change = |birth_date, locale| UserChange { birth_date, locale, ..user_change("u1") };
    put(&data, &user_change("u1"), 0).await;
    for (round, (change, outcome, birth_date, expected_locale)) in [
        (change(Set(day), Keep), Replaced, day, None),
        (change(Keep, Set(locale.clone())), Replaced, day, locale.clone()),
        (change(Keep, Keep), Unchanged, day, locale.clone()),
        (change(Set(day), Set(locale.clone())), Unchanged, day, locale.clone()),
        (change(Set(None), Keep), Replaced, None, locale.clone()),
        (change(Set(None), Set(None)), Replaced, None, None),
        (change(Set(None), Set(None)), Unchanged, None, None),
    ]
    .into_iter()
    .enumerate()
    {
        let (locale, birth_date_set_at) = (expected_locale, Some(build::on_day(5)));
        let expected = User { birth_date, birth_date_set_at, locale, ..new_user("u1", build::noon()) };
        assert_eq!(put(&data, &change, 5).await, (expected, outcome), "round {round}");
    }
}

/// Disabling a disabled user keeps the first time.
pub async fn first_disabling_sets_the_time(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    put(&data, &user_change("u1"), 0).await;
    for (change, day, outcome, since) in [
        (disabled("u1", true), 1, Replaced, Some(1)),
        (disabled("u1", true), 2, Unchanged, Some(1)),
        (UserChange { birth_date: Set(Day::from_days(1)), ..user_change("u1") }, 3, Replaced, Some(1)),
        (disabled("u1", false), 4, Replaced, None),
        (disabled("u1", false), 5, Unchanged, None),
        (disabled("u1", true), 6, Replaced, Some(6)),
    ] {
        let (user, was) = put(&data, &change, day).await;
        assert_eq!((user.disabled_at, was), (since.map(build::on_day), outcome), "day {day}");
    }
}

/// Only transactions change points.
pub async fn a_change_leaves_points_and_history_alone(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    record_all(&data, &[recorded("u1", activity("s1", 7))]).await;
    let before = whole_history(&data, "u1").await;
    let (user, outcome) = put(&data, &disabled("u1", true), 3).await;
    assert_eq!((user.balance.get(), user.created_at, outcome), (7, build::noon(), Replaced));
    assert_eq!(whole_history(&data, "u1").await, before);
}

/// An import of profiles does not have this field.
pub async fn profile_keeps_a_user_disabled(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    put(&data, &disabled("u1", true), 1).await;
    data.write(ImportUsers { profiles: vec![build::profile("u1")], now: build::on_day(2) }).await.unwrap();
    let user = data.user(&user_id("u1")).await.unwrap().unwrap();
    assert_eq!(user.disabled_at, Some(build::on_day(1)));
}
