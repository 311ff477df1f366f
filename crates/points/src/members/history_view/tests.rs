//! The body with its groups and transactions.

use std::cmp::Reverse;
use std::sync::Arc;

use http::HeaderMap;
use pointbook_domain::history::{ReadRow, group_by_day};
use pointbook_domain::texts::Texts;
use pointbook_domain::{
    Activity, ActivityType, Bonuses, HistoryRows, PageNumber, PageRequest, PageSize, SourceId, Timestamp,
    Transaction, TransactionId,
};
use pointbook_testkit::build;

use super::*;
use crate::earning::view::TransactionView;

const NOON: i64 = 1_709_208_000_000_000;

fn transaction(id: &str, kind: &str, points: i64, seconds: i64, bonuses: Vec<Bonus>) -> Transaction {
    let activity = Activity {
        kind: ActivityType::new(kind).unwrap(),
        source_id: SourceId::new(id).unwrap(),
        points: Points::new(points).unwrap(),
        bonuses: Bonuses::new(bonuses).unwrap(),
        title: format!("Title {id}"),
        subtitle: format!("Subtitle {id}"),
        created_at: Timestamp::from_micros(NOON + seconds * 1_000_000).unwrap(),
        attributes: pointbook_domain::Attributes::NONE,
    };
    Transaction {
        id: TransactionId::new(id).unwrap(),
        activity,
        bonus_origin: pointbook_domain::BonusOrigin::Undecided,
    }
}

fn body(mut transactions: Vec<Transaction>, locale: &str) -> String {
    transactions.sort_by_key(|row| Reverse((row.activity.created_at, row.id.clone())));
    let mut rows = HistoryRows::default();
    for transaction in &transactions {
        rows.push(transaction.into()).unwrap();
    }
    body_of(rows, locale)
}

fn body_of(rows: HistoryRows, locale: &str) -> String {
    let grouped = group_by_day(rows);
    let days = grouped.days().count() as u64;
    let window = PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT }.window(days);
    let history = PointHistory { grouped, window, user_points: Points::new(1_234).unwrap() };
    String::from_utf8(point_history_body(&history, &texts_in(locale))).unwrap()
}

fn lines(body: &str) -> String {
    body.replace("},{", "},\n{")
        .replace(":[{", ":[\n{")
        .replace("}],", "}],\n")
        .replace(",\"meta\"", ",\n\"meta\"")
}

#[test]
fn a_history_has_the_documented_keys_in_order() {
    let bonus = |kind: &str, points| Bonus {
        kind: kind.to_owned(),
        points: Points::new(points).unwrap(),
        title: format!("{kind} bonus"),
    };
    let body = body(
        vec![
            transaction("a", "code", 10, 0, vec![bonus("birthday", 5), bonus("campaign", 2)]),
            transaction("b", "code", 20, 1, vec![bonus("campaign", 0)]),
            transaction("c", "order", -100, 2, vec![]),
            transaction("d", "quiz", 7, -86_400, vec![]),
        ],
        "en",
    );
    insta::assert_snapshot!(lines(&body), @r#"
    {"data":{"2024-02-29":[
    {"type":"order","groupTitle":"Gift store order","groupSubtitle":"Subtitle c","totalPoints":-100,"totalBonusPoints":0,"data":[
    {"type":"order","points":-100,"bonus_points":0,"title":"Title c","subtitle":"Subtitle c","created_at":"2024-02-29T12:00:02.000000Z"}]},
    {"type":"code","groupTitle":"QR code scan","groupSubtitle":"2 codes scanned","totalPoints":30,"totalBonusPoints":7,"data":[
    {"type":"code","points":20,"bonus_points":0,"title":"Title b","subtitle":"Subtitle b","created_at":"2024-02-29T12:00:01.000000Z"},
    {"type":"code","points":10,"bonus_points":7,"title":"Title a","subtitle":"Subtitle a","created_at":"2024-02-29T12:00:00.000000Z","bonus_breakdown":[
    {"type":"birthday","points":5,"title":"birthday bonus"},
    {"type":"campaign","points":2,"title":"campaign bonus"}]}]}],
    "2024-02-28":[
    {"type":"quiz","groupTitle":"Quiz answered","groupSubtitle":"Subtitle d","totalPoints":7,"totalBonusPoints":0,"data":[
    {"type":"quiz","points":7,"bonus_points":0,"title":"Title d","subtitle":"Subtitle d","created_at":"2024-02-28T12:00:00.000000Z"}]}]},
    "meta":{"current_page":1,"per_page":15,"last_page":1,"total":2},"user_points":1234}
    "#);
}

#[test]
fn a_transaction_is_written_as_the_back_office_sees_it() {
    let bonus = |points| Bonus {
        kind: "\"birthday\"".to_owned(),
        points: Points::new(points).unwrap(),
        title: "か\u{3099}\n".to_owned(),
    };
    for bonuses in [vec![], vec![bonus(0)], vec![bonus(3), bonus(0)]] {
        let mut transaction = transaction("a", "check-in_2", -5, 1, bonuses);
        transaction.activity.title = " \\ \u{1}\u{7f}\u{1f600}".to_owned();
        let view = serde_json::to_string(&TransactionView::from(&transaction)).unwrap();
        let body = body(vec![transaction], "en");
        assert!(body.contains(&format!(r#""data":[{view}]"#)), "{body} has not {view}");
    }
}

/// The subtitle of a group of orders with these points.
fn orders(points: &[i64], locale: &str) -> String {
    let order = |(place, points): (usize, &i64)| {
        let id = if *points == 0 && place > 0 { "free:refund".to_owned() } else { place.to_string() };
        transaction(&id, "order", *points, 0, vec![])
    };
    let body = body(points.iter().enumerate().map(order).collect(), locale);
    let body: serde_json::Value = serde_json::from_str(&body).unwrap();
    body["data"]["2024-02-29"][0]["groupSubtitle"].as_str().unwrap().to_owned()
}

#[test]
fn a_text_with_something_to_escape_is_written_beside_plain_ones() {
    let mut odd = transaction("a", "odd", 1, 1, vec![]);
    odd.activity.subtitle = "か\"\\\n".to_owned();
    let sent = [odd, transaction("b", "plain", 2, 0, vec![])];
    let body: serde_json::Value = serde_json::from_str(&body(sent.to_vec(), "en")).unwrap();
    let groups = body["data"]["2024-02-29"].as_array().unwrap();
    for Transaction { activity, .. } in sent {
        let group = groups.iter().find(|group| group["type"] == activity.kind.as_str()).unwrap();
        assert_eq!(group["groupSubtitle"], activity.subtitle);
        assert_eq!(group["data"][0]["subtitle"], activity.subtitle);
        assert_eq!(group["data"][0]["title"], activity.title);
    }
}

#[test]
fn a_refund_is_counted_apart_from_the_orders() {
    assert_eq!(orders(&[-100, 100], "en"), "1 order, 1 refund");
    assert_eq!(orders(&[0, 0], "en"), "1 order, 1 refund");
    assert_eq!(orders(&[-100, -50], "en"), "2 orders");
    assert_eq!(orders(&[100, 50], "en"), "2 refunds");
    assert_eq!(orders(&[-100, 100, 50, -50, -7], "en"), "3 orders, 2 refunds");
    assert_eq!(orders(&[-100, 100], "de"), "1 Bestellung, 1 Erstattung");
    assert_eq!(orders(&[100, 50], "de"), "2 Erstattungen");
    assert_eq!(orders(&[-100, 100], "ja"), "注文1件、返還1件");
    assert_eq!(orders(&[-100, 100], "tr"), "1 sipariş, 1 iade");
}

#[test]
fn a_refund_alone_shows_its_item() {
    assert_eq!(orders(&[100], "en"), "Subtitle 0");
}

#[test]
fn an_order_of_this_store_alone_shows_the_product() {
    let subtitle = |points, is_own_order, title: &str| {
        let mut order = transaction("o1", "order", points, 0, vec![]);
        order.activity.title = title.to_owned();
        let mut rows = HistoryRows::default();
        rows.push(ReadRow { is_own_order, ..ReadRow::from(&order) }).unwrap();
        let body: serde_json::Value = serde_json::from_str(&body_of(rows, "en")).unwrap();
        body["data"]["2024-02-29"][0]["groupSubtitle"].as_str().unwrap().to_owned()
    };
    assert_eq!(subtitle(-100, true, "Mug"), "Mug");
    assert_eq!(subtitle(100, true, "Mug"), "Mug");
    assert_eq!(subtitle(-100, true, ""), "Subtitle o1");
    assert_eq!(subtitle(-100, false, "Mug"), "Subtitle o1");
}

#[test]
fn no_days_are_an_empty_object() {
    assert_eq!(
        body(vec![], "en"),
        r#"{"data":{},"meta":{"current_page":1,"per_page":15,"last_page":1,"total":0},"user_points":1234}"#
    );
}

#[test]
fn one_transaction_shows_its_item_and_more_are_counted() {
    let subtitle = |transactions: Vec<Transaction>| {
        let body: serde_json::Value = serde_json::from_str(&body(transactions, "de")).unwrap();
        body["data"]["2024-02-29"][0]["groupSubtitle"].as_str().unwrap().to_owned()
    };
    let one = || transaction("a", "video", 1, 0, vec![]);
    assert_eq!(subtitle(vec![one()]), "Subtitle a");
    assert_eq!(subtitle(vec![one(), transaction("b", "video", 1, 1, vec![])]), "2 Videos angesehen");

    let mut no_subtitle = one();
    no_subtitle.activity.subtitle.clear();
    assert_eq!(subtitle(vec![no_subtitle.clone()]), "Title a");
    no_subtitle.activity.title.clear();
    assert_eq!(subtitle(vec![no_subtitle]), "1 Video angesehen");
}

/// The shipped texts of a language.
fn texts_in(locale: &str) -> Arc<LocaleTexts> {
    let tenant = pointbook_domain::Tenant {
        locale: pointbook_domain::Locale::new(locale).unwrap(),
        ..build::tenant("acme")
    };
    Texts::default().of(&tenant).choose(&HeaderMap::new()).texts.clone()
}
