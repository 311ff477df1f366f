//! The body of `GET /v1/user/point-history`, written straight from the rows that were read: it is made
//! for each request anew.

mod json;
mod moment;
mod schema;

use pointbook_app::PointHistory;
use pointbook_domain::{
    ActivityGroup, ActivityType, Bonus, GroupedHistory, HistoryDay, HistoryRow, PageWindow, Points,
};

use self::json::{is_plain, push_inner, push_integer, push_list, push_text};
use self::moment::Moments;
use super::number::push_number;
use crate::texts::{KindTexts, LocaleTexts, Tally};

pub(super) use self::schema::{group_schema, history_meta_schema, history_schema};

/// Room for a transaction and its part of a group in the body, in bytes; more than most need.
const TRANSACTION_BYTES: usize = 384;
/// Room for what all groups or all transactions of a type begin with.
const HEADING_BYTES: usize = 128;

/// The documented history with the display texts of one language.
pub fn point_history_body(history: &PointHistory, texts: &LocaleTexts) -> Vec<u8> {
    let PointHistory { grouped, window, user_points } = history;
    let mut body = Vec::with_capacity((grouped.row_count() + 1) * TRANSACTION_BYTES);
    let page = Page::new(grouped, texts);
    body.extend_from_slice(br#"{"data":{"#);
    push_list(grouped.days(), &mut body, |day, body| page.write_day(&day, body));
    body.push(b'}');
    write_meta(window, &mut body);
    body.extend_from_slice(br#","user_points":"#);
    push_integer(user_points.get(), &mut body);
    body.push(b'}');
    body
}

fn write_meta(window: &PageWindow, body: &mut Vec<u8>) {
    let PageWindow { current_page, per_page, total, last_page, from: _, to: _ } = *window;
    body.extend_from_slice(br#","meta":{"current_page":"#);
    push_number(current_page, body);
    body.extend_from_slice(br#","per_page":"#);
    push_number(per_page, body);
    body.extend_from_slice(br#","last_page":"#);
    push_number(last_page, body);
    body.extend_from_slice(br#","total":"#);
    push_number(total, body);
    body.push(b'}');
}

/// What is found out once for all days of a page.
struct Page<'t> {
    /// By the place of the type.
    kinds: Vec<Kind<'t>>,
    /// Whether no row has a title or a subtitle with anything to escape. All of them together are looked at in
    /// less time than a few are one by one.
    is_plain: bool,
}

/// What all groups of a type and all their rows begin with, and the texts of the type.
struct Kind<'t> {
    group: Vec<u8>,
    row: Vec<u8>,
    texts: KindTexts<'t>,
}

impl<'t> Kind<'t> {
    /// A type has no character that JSON escapes.
    fn new(kind: &ActivityType, texts: KindTexts<'t>) -> Self {
        let (mut group, mut row) = (Vec::with_capacity(HEADING_BYTES), Vec::with_capacity(HEADING_BYTES));
        for heading in [&mut group, &mut row] {
            heading.extend_from_slice(br#"{"type":""#);
            heading.extend_from_slice(kind.as_str().as_bytes());
        }
        group.extend_from_slice(br#"","groupTitle":""#);
        push_inner(texts.title(), &mut group);
        group.extend_from_slice(br#"","groupSubtitle":""#);
        row.extend_from_slice(br#"","points":"#);
        Self { group, row, texts }
    }
}

impl<'t> Page<'t> {
    fn new(history: &'t GroupedHistory, texts: &'t LocaleTexts) -> Self {
        let kinds = history.kinds().iter().map(|kind| Kind::new(kind, texts.of(kind))).collect();
        Self { kinds, is_plain: is_plain(history.texts()) }
    }

    fn write_day(&self, day: &HistoryDay<'_>, body: &mut Vec<u8>) {
        let date = day.day.to_ascii();
        let moments = Moments::on(date);
        body.push(b'"');
        body.extend_from_slice(&date);
        body.extend_from_slice(br#"":["#);
        push_list(day.groups(), body, |group, body| self.write_group(&group, &moments, body));
        body.push(b']');
    }

    fn write_group(&self, group: &ActivityGroup<'_>, moments: &Moments, body: &mut Vec<u8>) {
        // Every group's type is among those of the page.
        let Some(kind) = self.kinds.get(group.kind_place) else { return };
        body.extend_from_slice(&kind.group);
        self.write_subtitle(group, kind.texts, body);
        body.extend_from_slice(br#"","totalPoints":"#);
        push_integer(group.total_points(), body);
        body.extend_from_slice(br#","totalBonusPoints":"#);
        push_integer(group.total_bonus_points(), body);
        body.extend_from_slice(br#","data":["#);
        push_list(group.rows(), body, |row, body| self.write_transaction(row, &kind.row, moments, body));
        body.extend_from_slice(b"]}");
    }

    /// What the only transaction of a group was about; where there are more, or it does not say, how many.
    fn write_subtitle(&self, group: &ActivityGroup<'_>, texts: KindTexts<'_>, body: &mut Vec<u8>) {
        if group.rows().len() == 1
            && let Some(HistoryRow { title, subtitle, .. }) = group.rows().next()
            && let Some(name) = [subtitle, title].into_iter().find(|name| !name.is_empty())
        {
            return self.push_text(name, body);
        }
        push_inner(&texts.count(tally(group)), body);
    }

    /// It begins as all of its type do.
    fn write_transaction(
        &self,
        row: HistoryRow<'_>,
        beginning: &[u8],
        moments: &Moments,
        body: &mut Vec<u8>,
    ) {
        let HistoryRow { kind: _, points, bonuses, is_refund: _, title, subtitle, created_at } = row;
        let bonus_points = bonuses.total();
        body.extend_from_slice(beginning);
        push_integer(points.get(), body);
        body.extend_from_slice(br#","bonus_points":"#);
        push_integer(bonus_points.get(), body);
        body.extend_from_slice(br#","title":""#);
        self.push_text(title, body);
        body.extend_from_slice(br#"","subtitle":""#);
        self.push_text(subtitle, body);
        body.extend_from_slice(&moments.at(created_at));
        if bonus_points > Points::ZERO {
            body.extend_from_slice(br#","bonus_breakdown":["#);
            push_list(bonuses.breakdown(), body, write_bonus);
            body.push(b']');
        }
        body.push(b'}');
    }

    /// A title or a subtitle of a row, without its quotes.
    fn push_text(&self, text: &str, body: &mut Vec<u8>) {
        if self.is_plain { body.extend_from_slice(text.as_bytes()) } else { push_inner(text, body) }
    }
}

/// A refund is none of the orders.
fn tally(group: &ActivityGroup<'_>) -> Tally {
    let refunds = group.refund_count();
    Tally { count: group.rows().len() - refunds, refunds }
}

fn write_bonus(bonus: &Bonus, body: &mut Vec<u8>) {
    let Bonus { kind, points, title } = bonus;
    body.extend_from_slice(br#"{"type":"#);
    push_text(kind, body);
    body.extend_from_slice(br#","points":"#);
    push_integer(points.get(), body);
    body.extend_from_slice(br#","title":"#);
    push_text(title, body);
    body.push(b'}');
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;
    use pointbook_domain::history::group_by_day;
    use pointbook_domain::{
        Activity, ActivityType, Bonuses, HistoryRows, PageNumber, PageRequest, PageSize, SourceId, Timestamp,
        Transaction, TransactionId,
    };

    use crate::texts::shipped;
    use crate::wire::activity::TransactionView;

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

    fn body(mut transactions: Vec<Transaction>, locale: &str) -> String {
        transactions.sort_by_key(|row| Reverse((row.activity.created_at, row.id.clone())));
        let mut rows = HistoryRows::default();
        for transaction in &transactions {
            rows.push(transaction.into()).unwrap();
        }
        let grouped = group_by_day(rows);
        let days = grouped.days().count() as u64;
        let window = PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT }.window(days);
        let history = PointHistory { grouped, window, user_points: Points::new(1_234).unwrap() };
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
