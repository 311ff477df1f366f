//! Strict readers of response bodies. They return what they can read and record every flaw.

use jiff::Timestamp;
use jiff::civil::Date;

use crate::check::cursor::{Cursor, Findings, Read, record};
use crate::check::json::Json;
use crate::check::rule;

record! {
    pub struct Category by rule::CATEGORIES_FIELDS => {
        id: String = "id",
        label: String = "label",
        children: Vec<Category> = "children",
    }
}

record! {
    pub struct Product => {
        id: String = "id",
        title: String = "title",
        sku: String = "sku",
        description: String = "description",
        regular_price: i64 = "regular_price",
        sale_price: Option<i64> = "sale_price",
        thumbnail: String = "thumbnail",
        gallery: Vec<String> = "gallery",
    }
}

record! {
    pub(crate) struct Links by rule::LINKS_FIELDS => {
        first: String = "first",
        last: String = "last",
        prev: Option<String> = "prev",
        next: Option<String> = "next",
    }
}

record! {
    pub(crate) struct Meta by rule::META_FIELDS => {
        current_page: i64 = "current_page",
        /// `None` for null, which some servers send on a page without items.
        from: Option<i64> = "from",
        to: Option<i64> = "to",
        last_page: i64 = "last_page",
        path: String = "path",
        per_page: i64 = "per_page",
        total: i64 = "total",
    }
}

record! {
    #[derive(Copy)]
    pub(crate) struct HistoryMeta by rule::HISTORY_META => {
        current_page: i64 = "current_page",
        per_page: i64 = "per_page",
        last_page: i64 = "last_page",
        total: i64 = "total",
    }
}

record! {
    /// The transactions of one type on one day.
    pub struct Group by rule::HISTORY_GROUPS => {
        kind: String = "type",
        title: String = "groupTitle",
        subtitle: String = "groupSubtitle",
        total_points: i64 = "totalPoints",
        total_bonus_points: i64 = "totalBonusPoints",
        transactions: Vec<Transaction> = "data",
    }
}

record! {
    pub struct Transaction by rule::HISTORY_TRANSACTIONS => {
        /// The unchanged string of the response.
        created_at: String = created_at,
        kind: String = "type",
        points: i64 = "points",
        bonus_points: i64 = "bonus_points",
        title: String = "title",
        subtitle: String = "subtitle",
        bonuses: Vec<Bonus> = bonuses,
    }
}

record! {
    pub struct Bonus by rule::HISTORY_BONUS_FIELDS => {
        kind: String = "type",
        points: i64 = "points",
        title: String = "title",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// `YYYY-MM-DD`.
    pub date: String,
    pub groups: Vec<Group>,
}

/// A page of a list. Parts that could not be read are `None`.
#[derive(Debug, Clone)]
pub(crate) struct Envelope {
    pub(crate) items: Option<Vec<Item>>,
    pub(crate) links: Option<Links>,
    pub(crate) meta: Option<Meta>,
}

#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// The id, when it is a string.
    pub(crate) id: Option<String>,
    /// The product, when all its fields can be read.
    pub(crate) product: Option<Product>,
}

/// A page of a history. Parts that could not be read are `None`.
#[derive(Debug, Clone)]
pub(crate) struct HistoryPage {
    /// Every key of `data`, and its day when that can be read.
    pub(crate) days: Option<Vec<(String, Option<Day>)>>,
    pub(crate) meta: Option<HistoryMeta>,
    pub(crate) user_points: Option<i64>,
}

impl Category {
    /// Calls `visitor` with this category and all its descendants.
    pub fn visit<'c>(&'c self, visitor: &mut impl FnMut(&'c Self)) {
        visitor(self);
        self.children.iter().for_each(|child| child.visit(visitor));
    }

    /// All categories of a tree, each before its children.
    pub(crate) fn all(tree: &[Self]) -> Vec<&Self> {
        let mut all = Vec::new();
        for root in tree {
            root.visit(&mut |category| all.push(category));
        }
        all
    }
}

impl Product {
    /// The sale price, otherwise the regular price.
    pub(crate) fn effective_price(&self) -> i64 {
        self.sale_price.unwrap_or(self.regular_price)
    }

    /// Id and prices, for people.
    pub(crate) fn priced(&self) -> String {
        format!("{} (regular {}, sale {:?})", self.id, self.regular_price, self.sale_price)
    }
}

/// Reads a response with categories. Returns `None` when one of them cannot be read.
pub(crate) fn category_list(json: &Json, findings: &Findings) -> Option<Vec<Category>> {
    let root = Cursor::root(rule::CATEGORIES_SHAPE, json, findings);
    root.refuse_members(&["links", "meta"]);
    root.look_at(rule::CATEGORIES_FIELDS);
    root.get("data")
}

/// Reads the response of one product.
pub(crate) fn product_detail(json: &Json, findings: &Findings) -> Option<Product> {
    let root = Cursor::root(rule::DETAIL_SHAPE, json, findings);
    if let Some(success) = root.member("success")
        && *success.json() != Json::Bool(true)
    {
        success.refuse("is true");
    }
    root.get("data")
}

pub(crate) fn product_list(json: &Json, findings: &Findings) -> Envelope {
    let root = Cursor::root(rule::PRODUCTS_ENVELOPE, json, findings);
    root.refuse_members(&["success"]);
    root.look_at(rule::PRODUCTS_FIELDS);
    let items = root.member("data").and_then(|data| data.items());
    let items: Option<Vec<Item>> = items.map(|items| items.iter().map(item).collect());
    let meta: Option<Meta> = root.get("meta");
    // Without items, null is allowed.
    let has_items = items.as_ref().is_none_or(|items| !items.is_empty());
    if has_items
        && meta.as_ref().is_some_and(|meta| meta.from.is_none() || meta.to.is_none())
        && let Some(meta) = root.by(rule::META_FIELDS).member("meta")
    {
        meta.refuse("has integers as from and to");
    }
    Envelope { items, links: root.get("links"), meta }
}

fn item(cursor: &Cursor<'_>) -> Item {
    let id = cursor.json().get("id").and_then(Json::as_text).map(str::to_owned);
    Item { id, product: Product::read(&cursor.by(rule::PRODUCTS_FIELDS)) }
}

pub(crate) fn history_page(json: &Json, findings: &Findings) -> HistoryPage {
    let root = Cursor::root(rule::HISTORY_SHAPE, json, findings);
    root.refuse_members(&["links"]);
    let days = root.member("data").and_then(|data| members(&data));
    let one = |(date, groups): (&str, Cursor<'_>)| (date.to_owned(), day(date, &groups));
    let days = days.map(|days| days.into_iter().map(one).collect());
    HistoryPage { days, meta: root.get("meta"), user_points: root.get("user_points") }
}

/// The members of an object. An empty array is a flaw, but counts as an object without members.
fn members<'j>(data: &Cursor<'j>) -> Option<Vec<(&'j str, Cursor<'j>)>> {
    let members = data.members();
    if *data.json() == Json::List(Vec::new()) { Some(Vec::new()) } else { members }
}

fn day(date: &str, cursor: &Cursor<'_>) -> Option<Day> {
    let key = cursor.by(rule::HISTORY_DAYS);
    if !is_date(date) {
        key.refuse("has a date as its key");
    }
    let groups = cursor.by(rule::HISTORY_GROUPS);
    if *groups.json() == Json::List(Vec::new()) {
        groups.refuse("has groups");
    }
    Some(Day { date: date.to_owned(), groups: Vec::read(&groups)? })
}

fn created_at(transaction: &Cursor<'_>) -> Option<String> {
    let transaction = transaction.by(rule::DATES_FORMAT);
    let time: String = transaction.by(rule::HISTORY_TRANSACTIONS).get("created_at")?;
    if !is_date_time(&time) {
        transaction.refuse(&format!("has YYYY-MM-DDTHH:mm:ss.uuuuuuZ, not {time}"));
    }
    Some(time)
}

fn bonuses(transaction: &Cursor<'_>) -> Option<Vec<Bonus>> {
    let is_there = transaction.json().get("bonus_breakdown").is_some();
    let rule = transaction.by(rule::HISTORY_BONUS_THERE);
    match transaction.json().get("bonus_points").and_then(Json::as_integer) {
        Some(1..) if !is_there => rule.refuse("has a bonus_breakdown"),
        Some(..=0) if is_there => rule.refuse("has no bonus_breakdown"),
        Some(_) | None => {}
    }
    if is_there {
        transaction.by(rule::HISTORY_BONUS_FIELDS).get("bonus_breakdown")
    } else {
        Some(Vec::new())
    }
}

/// Whether this is a day of the calendar, as `YYYY-MM-DD`.
fn is_date(text: &str) -> bool {
    text.parse::<Date>().is_ok_and(|date| date.to_string() == text)
}

/// Whether this is an instant, as `YYYY-MM-DDTHH:mm:ss.uuuuuuZ`.
fn is_date_time(text: &str) -> bool {
    text.parse::<Timestamp>().is_ok_and(|time| format!("{time:.6}") == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRODUCT: &str = r#"{"id":"a","title":"A","sku":"s","description":"","regular_price":5,"sale_price":null,
        "thumbnail":"","gallery":["x"]}"#;

    #[test]
    fn from_may_be_null_without_items() {
        let (envelope, flaws) = read("", "null");
        assert!(flaws.is_empty(), "{flaws:?}");
        assert_eq!(envelope.meta.unwrap().from, None);
    }

    fn read(product: &str, meta_from: &str) -> (Envelope, Vec<String>) {
        let text = format!(
            r#"{{"data":[{product}],"links":{{"first":"f","last":"l","prev":null,"next":null}},
                "meta":{{"current_page":1,"from":{meta_from},"last_page":1,"path":"p","per_page":15,"to":1,"total":1}}}}"#
        );
        let findings = Findings::default();
        let envelope = product_list(&Json::parse(text.as_bytes()).unwrap(), &findings);
        let flaws = findings.flaws.borrow();
        let told = flaws.iter().map(|flaw| format!("{}: {}, {}", flaw.rule.id, flaw.expected, flaw.came));
        (envelope, told.collect())
    }

    #[test]
    fn valid_page_is_read_completely() {
        let (envelope, flaws) = read(PRODUCT, "1");
        assert!(flaws.is_empty() && envelope.meta.is_some() && envelope.links.is_some());
        assert_eq!(envelope.items.unwrap()[0].product.as_ref().unwrap().effective_price(), 5);
    }

    #[test]
    fn every_field_of_wrong_type_is_reported() {
        let wrong = PRODUCT.replace("5,", "\"5\",").replace("null,", "false,").replace("\"x\"", "1");
        let (envelope, flaws) = read(&wrong, "null");
        let (meta, products) = flaws.split_last().unwrap();
        assert_eq!(
            products,
            [
                "products.fields: data[0].regular_price is an integer, \"5\"",
                "products.fields: data[0].sale_price is an integer, false",
                "products.fields: data[0].gallery[0] is a string, 1",
            ]
        );
        assert!(meta.starts_with("meta.fields: meta has integers as from and to, "), "{meta}");
        let item = &envelope.items.unwrap()[0];
        assert_eq!((item.id.as_deref(), item.product.is_none()), (Some("a"), true));
    }

    #[test]
    fn dates_must_exist_in_the_calendar() {
        for good in ["2024-02-29", "2000-02-29", "2026-12-31"] {
            assert!(is_date(good), "{good}");
        }
        for bad in
            ["2023-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-4-1", "26-04-01", ""]
        {
            assert!(!is_date(bad), "{bad}");
        }
    }

    #[test]
    fn date_times_have_six_digits_and_z() {
        assert!(is_date_time("2024-02-29T23:59:59.000001Z"));
        for bad in [
            "2024-02-29T23:59:59Z",
            "2024-02-29T23:59:59.001Z",
            "2024-02-29T23:59:59.000001+00:00",
            "2024-02-29 23:59:59.000001Z",
            "2024-02-29T24:00:00.000000Z",
        ] {
            assert!(!is_date_time(bad), "{bad}");
        }
    }
}
