//! Facts of reading a history, beside those of the history model.

use std::sync::Arc;

use pointbook_domain::page::MAX_PAGE_NUMBER;
use pointbook_domain::{Activity, ActivityType};
use pointbook_store::ports::{Database, HistoryRead, NewTransaction};

use super::{add_tenant, record_all, whole_history};
use crate::build;
use crate::build::{activity, recorded};

/// A transaction of a user, this many microseconds after noon.
fn moment(user: &str, source: &str, micros: i64) -> NewTransaction {
    recorded(user, Activity { created_at: build::at(micros), ..activity(source, 1) })
}

fn on_day(source: &str, day: i64) -> NewTransaction {
    moment("u1", source, day * build::DAY_MICROS)
}

/// This is not an error, because a token may come before the first activity.
pub async fn an_unknown_user_has_an_empty_history(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    assert_eq!(whole_history(&data, "stranger").await, HistoryRead::default());
    assert_eq!(data.users_after(None, 10).await.unwrap(), []);
}

/// Every field survives, and bonuses keep their order.
pub async fn a_transaction_is_read_back_in_full(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let mut bonuses = build::bonuses(&[30, 0, 5]).breakdown().to_vec();
    bonuses[0].kind = "birthday \"\u{1f600}\"".into();
    bonuses[2].title = "Früh\\jahr\n".into();
    let full = Activity {
        kind: ActivityType::new("check-in_2").unwrap(),
        points: build::points(-5),
        bonuses: pointbook_domain::Bonuses::new(bonuses).unwrap(),
        title: String::new(),
        subtitle: " 100 % か\u{3099}\r\n".into(),
        created_at: build::at(-7),
        ..activity("s/1 \u{1f600}", 0)
    };
    let new = recorded("u/1", full);
    record_all(&data, std::slice::from_ref(&new)).await;
    assert_eq!(whole_history(&data, "u/1").await.rows, build::history_rows([&new.transaction]));
    assert_eq!(data.entries_after(None, 1).await.unwrap()[0].transaction, new.transaction);
}

/// A day lasts from its first to its last microsecond, also before 1970.
pub async fn a_day_is_the_utc_date(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    for first in [build::noon().day(), pointbook_domain::Day::from_days(-1).unwrap()] {
        let user = first.to_string();
        let (start, end) = (first.start().as_micros(), first.end().as_micros());
        let rows: Vec<_> = [start - 1, start, end, end + 1]
            .map(|micros| moment(&user, &micros.to_string(), micros - build::NOON_MICROS))
            .into();
        record_all(&data, &rows).await;
        let middle = data.history_page(&build::user_id(&user), build::page(2, 1)).await.unwrap();
        assert_eq!(middle.day_count, 3);
        let times: Vec<_> = middle.rows.iter().map(|row| row.created_at.as_micros()).collect();
        assert_eq!(times, [end, start]);
    }
}

/// This holds up to the largest page number.
pub async fn a_page_beyond_the_last_keeps_days_and_balance(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    record_all(&data, &[on_day("a", 0), on_day("b", 1)]).await;
    for (number, size) in [(2, 2), (3, 1), (MAX_PAGE_NUMBER, 1_000)] {
        let read = data.history_page(&build::user_id("u1"), build::page(number, size)).await.unwrap();
        let expected = HistoryRead { user_points: build::points(2), day_count: 2, ..HistoryRead::default() };
        assert_eq!(read, expected, "page {number} of size {size}");
    }
}

/// A store may read long pages in another way.
pub async fn a_page_of_thousands_of_rows_is_whole(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let rows: Vec<_> = (0..2_500).map(|row| moment("u1", &format!("s{row}"), i64::from(row % 50))).collect();
    record_all(&data, &rows).await;
    record_all(&data, &[on_day("other", -1)]).await;
    let read = data.history_page(&build::user_id("u1"), build::page(1, 1)).await.unwrap();
    assert_eq!((read.user_points.get(), read.day_count), (2_501, 2));
    assert_eq!(read.rows, build::history_rows(rows.iter().map(|row| &row.transaction)));
}

/// Ids are compared byte for byte.
pub async fn a_user_does_not_see_a_user_with_a_similar_id(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let similar = ["u1", "U1", "u1 ", "u10", "u", "u%", "u_", "ü1"];
    let of = |user: &str| recorded(user, Activity { title: user.to_owned(), ..activity("s1", 1) });
    let rows: Vec<_> = similar.into_iter().map(of).collect();
    record_all(&data, &rows).await;
    for (user, row) in similar.iter().zip(rows) {
        let expected = build::history_rows([&row.transaction]);
        assert_eq!(whole_history(&data, user).await.rows, expected, "{user:?}");
    }
}
