//! Products: a page of a list, and one alone.

use crate::cursor::{Cursor, Findings, Read, read_fields};
use crate::json::Json;
use crate::rule::{DETAIL_SHAPE, LINKS_FIELDS, META_FIELDS, PRODUCTS_ENVELOPE, PRODUCTS_FIELDS};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    pub id: String,
    pub title: String,
    pub sku: String,
    pub description: String,
    pub regular_price: i64,
    pub sale_price: Option<i64>,
    pub thumbnail: String,
    pub gallery: Vec<String>,
}

impl Product {
    /// What it costs now.
    pub(crate) fn effective_price(&self) -> i64 {
        self.sale_price.unwrap_or(self.regular_price)
    }
}

/// A page of a list; what could not be read is `None`.
#[derive(Debug, Clone)]
pub(crate) struct Envelope {
    pub(crate) items: Option<Vec<Item>>,
    pub(crate) links: Option<Links>,
    pub(crate) meta: Option<Meta>,
}

#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// The id, where it is a string.
    pub(crate) id: Option<String>,
    /// The product, where all of it can be read.
    pub(crate) product: Option<Product>,
}

#[derive(Debug, Clone)]
pub(crate) struct Links {
    pub(crate) first: String,
    pub(crate) last: String,
    pub(crate) prev: Option<String>,
    pub(crate) next: Option<String>,
}

#[derive(Debug, Clone)]
pub(crate) struct Meta {
    pub(crate) current_page: i64,
    /// `None` where it is null, as some servers have it on a page without items.
    pub(crate) from: Option<i64>,
    pub(crate) to: Option<i64>,
    pub(crate) last_page: i64,
    pub(crate) path: String,
    pub(crate) per_page: i64,
    pub(crate) total: i64,
}

impl Read for Product {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        read_fields!(
            cursor,
            Product {
                id: "id",
                title: "title",
                sku: "sku",
                description: "description",
                regular_price: "regular_price",
                sale_price: "sale_price",
                thumbnail: "thumbnail",
                gallery: "gallery"
            }
        )
    }
}

impl Read for Links {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        read_fields!(cursor, Links { first: "first", last: "last", prev: "prev", next: "next" })
    }
}

pub(crate) fn product_list(json: &Json, findings: &Findings) -> Envelope {
    let root = Cursor::root(&PRODUCTS_ENVELOPE, json, findings);
    root.refuse_members(&["success"]);
    // Looked at where there are no items as well.
    root.by(&PRODUCTS_FIELDS);
    let items = root.member("data").and_then(|data| data.items());
    let items: Option<Vec<Item>> = items.map(|items| items.iter().map(item).collect());
    let links = root.member("links").and_then(|links| Links::read(&links.by(&LINKS_FIELDS)));
    let is_empty = items.as_ref().is_some_and(Vec::is_empty);
    let meta = root.member("meta").and_then(|meta| read_meta(&meta.by(&META_FIELDS), is_empty));
    Envelope { items, links, meta }
}

/// Null can be read as a place, but is right, if anywhere, where there are no items.
fn read_meta(cursor: &Cursor<'_>, is_empty: bool) -> Option<Meta> {
    for name in ["from", "to"] {
        if !is_empty && cursor.json().get(name) == Some(&Json::Null) {
            cursor.member(name)?.refuse("is an integer");
        }
    }
    read_fields!(
        cursor,
        Meta {
            current_page: "current_page",
            from: "from",
            to: "to",
            last_page: "last_page",
            path: "path",
            per_page: "per_page",
            total: "total"
        }
    )
}

fn item(cursor: &Cursor<'_>) -> Item {
    let id = cursor.json().get("id").and_then(Json::as_text).map(str::to_owned);
    Item { id, product: Product::read(&cursor.by(&PRODUCTS_FIELDS)) }
}

/// Reads the response of one product.
pub(crate) fn product_detail(json: &Json, findings: &Findings) -> Option<Product> {
    let root = Cursor::root(&DETAIL_SHAPE, json, findings);
    if let Some(success) = root.member("success")
        && *success.json() != Json::Bool(true)
    {
        success.refuse("is true");
    }
    root.get("data")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRODUCT: &str = r#"{"id":"a","title":"A","sku":"s","description":"","regular_price":5,"sale_price":null,
        "thumbnail":"","gallery":["x"]}"#;

    #[test]
    fn without_items_the_places_may_be_null() {
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
        let flaws = findings.flaws();
        let told = flaws.iter().map(|flaw| format!("{}: {}, {}", flaw.rule.id, flaw.expected, flaw.came));
        (envelope, told.collect())
    }

    #[test]
    fn a_right_page_is_read_whole() {
        let (envelope, flaws) = read(PRODUCT, "1");
        assert!(flaws.is_empty() && envelope.meta.is_some() && envelope.links.is_some());
        assert_eq!(envelope.items.unwrap()[0].product.as_ref().unwrap().effective_price(), 5);
    }

    #[test]
    fn every_field_of_another_type_is_told() {
        let wrong = PRODUCT.replace("5,", "\"5\",").replace("null,", "false,").replace("\"x\"", "1");
        let (envelope, flaws) = read(&wrong, "null");
        assert_eq!(
            flaws,
            [
                "products.fields: data[0].regular_price is an integer, \"5\"",
                "products.fields: data[0].sale_price is an integer, false",
                "products.fields: data[0].gallery[0] is a string, 1",
                "meta.fields: meta.from is an integer, null",
            ]
        );
        let item = &envelope.items.unwrap()[0];
        assert_eq!((item.id.as_deref(), item.product.is_none()), (Some("a"), true));
    }
}
