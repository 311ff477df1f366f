//! Facts of the user store.

use std::sync::Arc;

use pointbook_domain::{Day, Locale, User};
use pointbook_points::members::put::ImportUsers;
use pointbook_store::ports::UpsertOutcome::{Created, Replaced, Unchanged};
use pointbook_store::ports::{Database, UserProfile};

use super::{add_tenant, record_all, whole_history};
use crate::build;

fn full_profile(id: &str) -> UserProfile {
    let birth_date = Day::from_days(-3_650);
    UserProfile { birth_date, locale: Some(Locale::new("de-AT").unwrap()), ..build::profile(id) }
}

/// A profile may also lose fields.
pub async fn profiles_are_created_replaced_or_unchanged(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let (full, empty) = (full_profile("u1"), build::profile("u1"));
    for (profile, outcome) in
        [(&full, Created), (&full, Unchanged), (&empty, Replaced), (&empty, Unchanged), (&full, Replaced)]
    {
        let outcomes = data.write(build::import([profile.clone()])).await.unwrap();
        assert_eq!(outcomes, [outcome]);
        let users = data.users_after(None, 10).await.unwrap();
        assert_eq!(users.len(), 1);
        assert_eq!((users[0].birth_date, &users[0].locale), (profile.birth_date, &profile.locale));
    }
}

/// The last profile is kept.
pub async fn the_same_user_twice_is_taken_in_order(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let profiles = [build::profile("u1"), full_profile("u2"), full_profile("u1"), full_profile("u1")];
    let outcomes = data.write(build::import(profiles.clone())).await.unwrap();
    assert_eq!(outcomes, [Created, Created, Replaced, Unchanged]);
    assert_eq!(data.users_after(None, 10).await.unwrap()[0].birth_date, full_profile("u1").birth_date);
}

/// Profiles of a back office do not contain balances.
pub async fn a_profile_leaves_balance_and_creation_alone(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    record_all(&data, &[build::recorded("u1", build::activity("s1", 7))]).await;
    let history = whole_history(&data, "u1").await;
    let profile = full_profile("u1");
    data.write(ImportUsers { profiles: vec![profile.clone()], now: build::on_day(9) }).await.unwrap();
    let UserProfile { id, birth_date, locale } = profile;
    let balance = build::points(7);
    let user = User {
        lots: None,
        pending: None,
        id,
        balance,
        birth_date,
        locale,
        disabled_at: None,
        created_at: build::noon(),
        birth_date_set_at: Some(build::on_day(9)),
    };
    assert_eq!(data.users_after(None, 10).await.unwrap(), [user]);
    assert_eq!(whole_history(&data, "u1").await, history);
}

/// The order is by code point, independent of the collation of the database.
pub async fn users_are_paged_by_id(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let sorted = ["1", "10", "2", "A b", "Z", "a", "a/%_", "é", "か", "\u{ff21}", "\u{1f600}"];
    let profiles: Vec<_> = sorted.iter().rev().map(|id| build::profile(id)).collect();
    data.write(build::import(profiles.clone())).await.unwrap();
    let mut seen: Vec<User> = Vec::new();
    loop {
        let page = data.users_after(seen.last().map(|user| &user.id), 3).await.unwrap();
        assert!(page.len() <= 3);
        if page.is_empty() {
            break;
        }
        seen.extend(page);
    }
    assert!(seen.iter().map(|user| user.id.as_str()).eq(sorted));
}
