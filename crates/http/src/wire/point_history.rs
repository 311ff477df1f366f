//! The body of `GET /v1/user/point-history`, serialised straight from the domain's types.

use std::borrow::Cow;

use pointbook_app::PointHistory;
use pointbook_domain::{Activity, ActivityGroup, Bonus, HistoryDay, PageWindow, Points, Transaction};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::time::{DateTimeView, DayView};
use crate::texts::{LocaleTexts, Tally};

/// Room for one transaction in the body, in bytes.
const TRANSACTION_BYTES: usize = 256;

/// The documented history with the display texts of one language.
pub fn point_history_body(history: &PointHistory, texts: &LocaleTexts) -> Vec<u8> {
    let PointHistory { days, window, user_points } = history;
    let view = PointHistoryView {
        data: DaysView { days, texts },
        meta: MetaView::from(window),
        user_points: user_points.get(),
    };
    let groups = days.iter().flat_map(|day| &day.groups);
    let transactions: usize = groups.map(|group| group.transactions.len()).sum();
    let mut body = Vec::with_capacity((transactions + 1) * TRANSACTION_BYTES);
    // Maps with text keys, texts and integers always serialise, and a vector takes every byte.
    if serde_json::to_writer(&mut body, &view).is_err() {
        body.clear();
    }
    body
}

#[derive(Serialize)]
struct PointHistoryView<'h> {
    data: DaysView<'h>,
    meta: MetaView,
    user_points: i64,
}

#[derive(Serialize)]
struct MetaView {
    current_page: u64,
    per_page: u64,
    last_page: u64,
    total: u64,
}

impl From<&PageWindow> for MetaView {
    fn from(window: &PageWindow) -> Self {
        let PageWindow { current_page, per_page, total, last_page, from: _, to: _ } = *window;
        Self { current_page, per_page, last_page, total }
    }
}

/// An object whose keys are days, in the order of the history.
struct DaysView<'h> {
    days: &'h [HistoryDay],
    texts: &'h LocaleTexts,
}

impl Serialize for DaysView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.days.len()))?;
        for HistoryDay { day, groups } in self.days {
            map.serialize_entry(&DayView(*day), &GroupsView { groups, texts: self.texts })?;
        }
        map.end()
    }
}

struct GroupsView<'h> {
    groups: &'h [ActivityGroup],
    texts: &'h LocaleTexts,
}

impl Serialize for GroupsView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.groups.iter().map(|group| GroupView::new(group, self.texts)))
    }
}

#[derive(Serialize)]
struct GroupView<'h> {
    #[serde(rename = "type")]
    kind: &'h str,
    #[serde(rename = "groupTitle")]
    title: &'h str,
    #[serde(rename = "groupSubtitle")]
    subtitle: Cow<'h, str>,
    #[serde(rename = "totalPoints")]
    total_points: i64,
    #[serde(rename = "totalBonusPoints")]
    total_bonus_points: i64,
    data: TransactionsView<'h>,
}

impl<'h> GroupView<'h> {
    fn new(group: &'h ActivityGroup, texts: &'h LocaleTexts) -> Self {
        let ActivityGroup { kind, transactions } = group;
        let subtitle = match item_name(transactions) {
            Some(name) => Cow::Borrowed(name),
            None => texts.count(kind, tally(group)),
        };
        Self {
            kind: kind.as_str(),
            title: texts.title(kind),
            subtitle,
            total_points: group.total_points(),
            total_bonus_points: group.total_bonus_points(),
            data: TransactionsView(transactions),
        }
    }
}

/// A refund is none of the orders.
fn tally(group: &ActivityGroup) -> Tally {
    let refunds = group.refund_count();
    Tally { count: group.transactions.len() - refunds, refunds }
}

/// What the only transaction of a group was about; none where there are more, or it does not say.
fn item_name(transactions: &[Transaction]) -> Option<&str> {
    let [Transaction { activity, .. }] = transactions else { return None };
    [&activity.subtitle, &activity.title].into_iter().map(String::as_str).find(|name| !name.is_empty())
}

struct TransactionsView<'h>(&'h [Transaction]);

impl Serialize for TransactionsView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(TransactionView::from))
    }
}

#[derive(Serialize)]
pub(super) struct TransactionView<'h> {
    #[serde(rename = "type")]
    kind: &'h str,
    points: i64,
    bonus_points: i64,
    title: &'h str,
    subtitle: &'h str,
    created_at: DateTimeView,
    #[serde(skip_serializing_if = "Option::is_none")]
    bonus_breakdown: Option<BreakdownView<'h>>,
}

impl<'h> From<&'h Transaction> for TransactionView<'h> {
    fn from(transaction: &'h Transaction) -> Self {
        let Transaction { id: _, activity } = transaction;
        let Activity { kind, source_id: _, points, bonuses, title, subtitle, created_at } = activity;
        let has_bonus = bonuses.total() > Points::ZERO;
        Self {
            kind: kind.as_str(),
            points: points.get(),
            bonus_points: bonuses.total().get(),
            title,
            subtitle,
            created_at: DateTimeView(*created_at),
            bonus_breakdown: has_bonus.then(|| BreakdownView(bonuses.breakdown())),
        }
    }
}

struct BreakdownView<'h>(&'h [Bonus]);

impl Serialize for BreakdownView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(BonusView::from))
    }
}

#[derive(Serialize)]
struct BonusView<'h> {
    #[serde(rename = "type")]
    kind: &'h str,
    points: i64,
    title: &'h str,
}

impl<'h> From<&'h Bonus> for BonusView<'h> {
    fn from(bonus: &'h Bonus) -> Self {
        let Bonus { kind, points, title } = bonus;
        Self { kind, points: points.get(), title }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pointbook_domain::history::group_by_day;
    use pointbook_domain::{
        ActivityType, Bonuses, PageNumber, PageRequest, PageSize, SourceId, Timestamp, TransactionId,
    };

    use crate::texts::shipped;

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
        };
        Transaction { id: TransactionId::new(id).unwrap(), activity }
    }

    fn body(transactions: Vec<Transaction>, locale: &str) -> String {
        let days = group_by_day(transactions);
        let window =
            PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT }.window(days.len() as u64);
        let history = PointHistory { days, window, user_points: Points::new(1_234).unwrap() };
        String::from_utf8(point_history_body(&history, &shipped(locale))).unwrap()
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
}
