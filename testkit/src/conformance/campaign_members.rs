//! Facts of campaigns that ask for a user's earlier activities or birthday.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::FieldChange::Set;
use pointbook_domain::{Activity, ActivityType, CivilDate, Day, Locale, Timestamp};
use pointbook_points::audit::ledger::audit_ledger;
use pointbook_points::earning::bonuses::Earning;
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::members::put::{ChangeUser, ImportUsers};
use pointbook_store::ports::{Database, TenantData, UserChange, UserProfile};
use serde_json::json;

use super::add_tenant;
use super::campaign_helpers::{active, awards, bonus, earning};
use super::order_steps::step;
use super::orders::placed;
use crate::build;
use crate::build::{activity, noon, on_day, recorded, user_id};

fn of_type(kind: &str, source: &str, points: i64) -> Activity {
    Activity { kind: ActivityType::new(kind).unwrap(), ..activity(source, points) }
}

/// The first of a type gives 1 point, every third of its type 10, and every third of all 100.
fn counting(holder: &str) -> Earning {
    let campaign = |id, points, ordinal: &serde_json::Value| {
        active(&json!({"id": id, "reward": {"points": points}, "conditions": {"ordinal": ordinal}}))
    };
    earning(
        holder,
        [
            campaign("first", 1, &json!({"first": true})),
            campaign("third", 10, &json!({"every": 3})),
            campaign("third-of-all", 100, &json!({"every": 3, "of": "all"})),
        ],
    )
}

/// Ordinals count the activities with base points above 0 that are no orders, with any bonuses, in the order of recording. Each of these
/// happened a day before the one that was recorded before it.
pub async fn ordinals_count_what_earned_points(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    data.write(UpsertProducts(vec![build::upsert(build::product("mug"))])).await.unwrap();
    let rules = counting("a");
    let earned = async |user: &str, kind: &str, source: &str, points: i64, days_before: i64| {
        let new = Activity { created_at: on_day(-days_before), ..of_type(kind, source, points) };
        bonus(&data, &rules, user, new).await
    };
    assert_eq!(earned("u1", "code", "c1", 500, 0).await, 1);
    assert_eq!(earned("u1", "code", "c2", 0, 1).await, 0);
    assert_eq!(earned("u1", "code", "c3", -5, 2).await, 0);
    placed(&data, &build::order("o1", "u1", "mug")).await;
    // The points of its refund are above 0.
    step(&data, "o1", &build::cancel("o1")).await;
    let imported = vec![recorded("u1", of_type("code", "c4", 50)), recorded("u1", of_type("quiz", "q0", -1))];
    data.write(RecordHistory::new(imported, noon())).await.unwrap();
    assert_eq!(earned("u1", "quiz", "q1", 50, 3).await, 101, "the third of all, and the first that earned");
    assert_eq!(earned("u1", "quiz", "q2", 50, 4).await, 0);
    assert_eq!(earned("u1", "code", "c5", 50, 5).await, 10);
    assert_eq!(earned("u1", "quiz", "q3", 50, 6).await, 110);
    assert_eq!(earned("u2", "code", "c1", 50, 7).await, 1);
    assert_eq!(audit_ledger(&*data, |_| {}).await.unwrap().differences, 0);
}

/// Activities of few users at the same time, of two types. One of them is the first of its type, and a third are the third.
pub async fn ordinals_of_activities_at_once_have_no_gap(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let writers = (0..120).map(|writer: usize| {
        let (data, rules) = (data.clone(), counting(["a", "b"][writer % 2]));
        let kind = ["code", "quiz"][usize::from(writer.is_multiple_of(5))];
        let new = of_type(kind, &format!("s{writer}"), 50);
        let user = format!("u{}", writer % 3);
        tokio::spawn(async move { bonus(&data, &rules, &user, new).await })
    });
    // Each user has 32 codes and 8 quizzes.
    let bonuses: i64 = join_all(writers).await.into_iter().map(Result::unwrap).sum();
    assert_eq!(bonuses, 3 * (2 + (10 + 2) * 10 + 13 * 100));
    assert_eq!(audit_ledger(&*data, |_| {}).await.unwrap().differences, 0);
}

fn day(year: u32, month: u32, day: u32) -> Day {
    CivilDate { year, month, day }.to_day().unwrap()
}

fn noon_of(day: Day) -> Timestamp {
    Timestamp::from_micros(day.start().as_micros() + build::DAY_MICROS / 2).unwrap()
}

async fn set_birth_date(data: &Arc<dyn TenantData>, user: &str, birth_date: Option<Day>, now: Timestamp) {
    let change = UserChange { birth_date: Set(birth_date), ..build::user_change(user) };
    data.write(ChangeUser { change, now }).await.unwrap();
}

fn birthdays() -> Earning {
    let birthday = json!({"kind": "birthday", "reward": {"percent": 100}, "conditions": {"birthday": {}}});
    earning("a", [active(&birthday)])
}

async fn birthday_bonus(data: &Arc<dyn TenantData>, user: &str, source: &str, day: Day) -> i64 {
    let new = Activity { created_at: noon_of(day), ..activity(source, 40) };
    bonus(data, &birthdays(), user, new).await
}

/// A member who moves the birth date gains nothing for 330 days.
pub async fn a_birthday_is_paid_once_in_330_days(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    set_birth_date(&data, "u1", Some(day(1992, 2, 29)), on_day(-300)).await;
    let leap_day = day(2024, 2, 29);
    assert_eq!(birthday_bonus(&data, "u1", "s1", leap_day).await, 40);
    set_birth_date(&data, "u1", Some(day(1992, 1, 23)), on_day(50)).await;
    assert_eq!(birthday_bonus(&data, "u1", "s2", day(2025, 1, 23)).await, 0, "after 329 days");
    set_birth_date(&data, "u1", Some(day(1992, 2, 28)), on_day(330)).await;
    assert_eq!(birthday_bonus(&data, "u1", "s3", day(2025, 2, 28)).await, 40);
    let birthdays: Vec<_> = awards(&data).await.iter().map(|award| award.birthday).collect();
    assert_eq!(birthdays, [Some(leap_day), Some(day(2025, 2, 28))]);
}

/// It must have been set 30 days before. A user of an import has had it for as long as the import says nothing else.
pub async fn a_new_birth_date_does_not_pay(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let born = day(1990, 5, 1);
    for (user, days_before, expected) in [("u1", 29, 0), ("u2", 30, 40)] {
        let birthday = noon_of(day(2024, 5, 1));
        let set_at = birthday.as_micros() - days_before * build::DAY_MICROS;
        set_birth_date(&data, user, None, noon()).await;
        set_birth_date(&data, user, Some(born), Timestamp::from_micros(set_at).unwrap()).await;
        assert_eq!(birthday_bonus(&data, user, "s1", day(2024, 5, 1)).await, expected, "{user}");
    }
    assert_eq!(birthday_bonus(&data, "unknown", "s1", day(2024, 5, 1)).await, 0);
}

/// A change of something else, or to the same birth date, keeps the time.
pub async fn the_time_of_a_birth_date_is_that_of_its_change(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let id = user_id("u1");
    let set_at = async || data.user(&id).await.unwrap().map(|user| user.birth_date_set_at);
    let (one, other) = (Some(day(1990, 5, 1)), Some(day(1990, 5, 2)));
    let locale = Locale::new("de").ok();
    let put = async |birth_date: Option<Day>, on| set_birth_date(&data, "u1", birth_date, on_day(on)).await;
    let import = async |birth_date: Option<Day>, locale: Option<Locale>, on| {
        let profiles = vec![UserProfile { birth_date, locale, ..build::profile("u1") }];
        data.write(ImportUsers { profiles, now: on_day(on) }).await.unwrap();
    };
    put(None, 0).await;
    assert_eq!(set_at().await, Some(None));
    put(one, 1).await;
    assert_eq!(set_at().await, Some(Some(on_day(1))));
    put(one, 2).await;
    let change = UserChange { locale: Set(locale.clone()), disabled: Some(true), ..build::user_change("u1") };
    data.write(ChangeUser { change, now: on_day(3) }).await.unwrap();
    import(one, locale.clone(), 4).await;
    import(one, None, 5).await;
    data.write(RecordHistory::new(vec![recorded("u1", activity("s1", 5))], on_day(6))).await.unwrap();
    assert_eq!(set_at().await, Some(Some(on_day(1))));
    import(other, None, 7).await;
    assert_eq!(set_at().await, Some(Some(on_day(7))));
    put(one, 8).await;
    assert_eq!(set_at().await, Some(Some(on_day(8))));
    put(None, 9).await;
    assert_eq!(set_at().await, Some(Some(on_day(9))));
}
