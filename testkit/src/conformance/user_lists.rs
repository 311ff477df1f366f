//! Facts of listing users.

use std::sync::Arc;

use pointbook_points::members::put::ChangeUser;
use pointbook_store::ports::{Database, TenantData, UserChange, UserFilter};

use super::add_tenant;
use crate::build;
use crate::build::user_change;

const SORTED: [&str; 9] = ["10%", "ANNA", "a_b", "anna@x", "axb", "bob", "É", "é", "\u{1f600}"];

/// The users of [`SORTED`]. bob and axb are disabled.
async fn nine_users(database: &Arc<dyn Database>) -> Arc<dyn TenantData> {
    let data = add_tenant(database, "acme").await;
    for id in SORTED.iter().rev() {
        let disabled = Some(["bob", "axb"].contains(id));
        data.write(ChangeUser { change: UserChange { disabled, ..user_change(id) }, now: build::noon() })
            .await
            .unwrap();
    }
    data
}

async fn listed(data: &Arc<dyn TenantData>, filter: &UserFilter, number: u32, size: u32) -> (String, u64) {
    let page = data.users(filter, build::page(number, size)).await.unwrap();
    let ids: Vec<_> = page.items.iter().map(|user| user.id.as_str()).collect();
    (ids.join(" "), page.total)
}

fn search(part: &str) -> UserFilter {
    UserFilter { search: Some(part.to_owned()), ..UserFilter::default() }
}

/// The order is by code point. Each user equals a single read.
pub async fn users_are_listed_by_id(database: Arc<dyn Database>) {
    let data = nine_users(&database).await;
    let page = data.users(&UserFilter::default(), build::page(1, 20)).await.unwrap();
    assert_eq!(page.total, 9);
    assert!(page.items.iter().map(|user| user.id.as_str()).eq(SORTED));
    for user in page.items {
        assert_eq!(data.user(&user.id).await.unwrap(), Some(user));
    }
}

/// The part may be anywhere. Letters are compared without case, and no character is a wildcard.
pub async fn users_are_found_by_a_part_of_their_id(database: Arc<dyn Database>) {
    let data = nine_users(&database).await;
    for (part, expected, total) in [
        ("NN", "ANNA anna@x", 2),
        ("nna", "ANNA anna@x", 2),
        ("x", "anna@x axb", 2),
        ("_", "a_b", 1),
        ("%", "10%", 1),
        ("é", "É é", 2),
        ("É", "É é", 2),
        ("\u{1f600}", "\u{1f600}", 1),
        ("stranger", "", 0),
        ("\0", "", 0),
        ("\\", "", 0),
        ("'", "", 0),
    ] {
        assert_eq!(listed(&data, &search(part), 1, 20).await, (expected.to_owned(), total), "{part:?}");
    }
}

/// Checks disabled users, enabled users, and both with a part of the id.
pub async fn users_are_filtered_by_disabled(database: Arc<dyn Database>) {
    let data = nine_users(&database).await;
    let of = |disabled| UserFilter { disabled: Some(disabled), search: None };
    assert_eq!(listed(&data, &of(true), 1, 20).await, ("axb bob".into(), 2));
    assert_eq!(listed(&data, &of(false), 1, 20).await.1, 7);
    let both = UserFilter { disabled: Some(false), ..search("x") };
    assert_eq!(listed(&data, &both, 1, 20).await, ("anna@x".into(), 1));
}

/// Each page has the total of the filter, also the last one and those beyond it.
pub async fn users_come_in_pages(database: Arc<dyn Database>) {
    let data = nine_users(&database).await;
    let all = UserFilter::default();
    let last = pointbook_domain::page::MAX_PAGE_NUMBER;
    assert_eq!(listed(&data, &all, 1, 4).await, ("10% ANNA a_b anna@x".into(), 9));
    assert_eq!(listed(&data, &all, 3, 4).await, ("\u{1f600}".into(), 9));
    for (number, size) in [(4, 4), (2, 9), (last, 1_000)] {
        assert_eq!(listed(&data, &all, number, size).await, (String::new(), 9));
    }
    assert_eq!(listed(&data, &search("a"), 2, 3).await, ("axb".into(), 4));
    assert_eq!(listed(&data, &search("a"), 3, 3).await, (String::new(), 4));
}
