//! The envelope of a list of products.

use super::Product;
use super::product::product;
use crate::cursor::{Cursor, Flaws, Unread};
use crate::json::Json;
use crate::rule::{LINKS_FIELDS, META_FIELDS, PRODUCTS_ENVELOPE, PRODUCTS_FIELDS, Rule};

/// What is looked at in every list of products.
pub(crate) const LIST_RULES: &[&Rule] = &[&PRODUCTS_ENVELOPE, &PRODUCTS_FIELDS, &META_FIELDS, &LINKS_FIELDS];

/// A page of a list; what could not be read is none.
#[derive(Debug, Clone)]
pub(crate) struct Envelope {
    pub(crate) items: Option<Vec<Item>>,
    pub(crate) links: Option<Links>,
    pub(crate) meta: Option<Meta>,
}

/// An item of a list.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    /// The id, where it is a string.
    pub(crate) id: Option<String>,
    /// The product, where it can be read.
    pub(crate) product: Option<Product>,
}

/// The links of a page.
#[derive(Debug, Clone)]
pub(crate) struct Links {
    pub(crate) first: String,
    pub(crate) last: String,
    pub(crate) prev: Option<String>,
    pub(crate) next: Option<String>,
}

/// The numbers of a page.
#[derive(Debug, Clone)]
pub(crate) struct Meta {
    pub(crate) current_page: i64,
    /// None where it is null, as some servers have it on a page without items.
    pub(crate) from: Option<i64>,
    pub(crate) to: Option<i64>,
    pub(crate) last_page: i64,
    pub(crate) path: String,
    pub(crate) per_page: i64,
    pub(crate) total: i64,
}

/// Reads a page of products.
pub(crate) fn product_list(json: &Json, flaws: &mut Flaws) -> Envelope {
    let root = Cursor::root(&PRODUCTS_ENVELOPE, json);
    if json.get("success").is_some() {
        root.refuse("has no success", flaws);
    }
    let items = root.items_of("data", flaws);
    let items: Option<Vec<_>> = items.map(|items| items.iter().map(|found| item(found, flaws)).collect());
    let links = root.member("links", flaws).and_then(|found| links(&found.by(&LINKS_FIELDS), flaws));
    let is_empty = items.as_ref().is_some_and(Vec::is_empty);
    let meta = root.member("meta", flaws).and_then(|found| meta(&found.by(&META_FIELDS), is_empty, flaws));
    Envelope { items, links, meta }
}

fn item(cursor: &Cursor<'_>, flaws: &mut Flaws) -> Item {
    let id = cursor.json().get("id").and_then(Json::as_text).map(str::to_owned);
    Item { id, product: product(&cursor.by(&PRODUCTS_FIELDS), flaws) }
}

fn links(cursor: &Cursor<'_>, flaws: &mut Flaws) -> Option<Links> {
    let first = cursor.text_of("first", flaws);
    let last = cursor.text_of("last", flaws);
    let prev = cursor.nullable_of("prev", flaws, Cursor::text);
    let next = cursor.nullable_of("next", flaws, Cursor::text);
    Some(Links { first: first?, last: last?, prev: prev.ok()?, next: next.ok()? })
}

fn meta(cursor: &Cursor<'_>, is_empty: bool, flaws: &mut Flaws) -> Option<Meta> {
    let current_page = cursor.integer_of("current_page", flaws);
    let from = place_of(cursor, "from", is_empty, flaws);
    let to = place_of(cursor, "to", is_empty, flaws);
    let last_page = cursor.integer_of("last_page", flaws);
    let path = cursor.text_of("path", flaws);
    let per_page = cursor.integer_of("per_page", flaws);
    let total = cursor.integer_of("total", flaws);
    Some(Meta {
        current_page: current_page?,
        from: from.ok()?,
        to: to.ok()?,
        last_page: last_page?,
        path: path?,
        per_page: per_page?,
        total: total?,
    })
}

/// The place of an item. Null can be read, but is right, if anywhere, where there are no items.
fn place_of(
    cursor: &Cursor<'_>,
    name: &str,
    is_empty: bool,
    flaws: &mut Flaws,
) -> Result<Option<i64>, Unread> {
    let place = cursor.nullable_of(name, flaws, Cursor::integer)?;
    if place.is_none()
        && !is_empty
        && let Some(member) = cursor.member(name, flaws)
    {
        member.refuse("is an integer", flaws);
    }
    Ok(place)
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
        let mut flaws = Flaws::new();
        let envelope = product_list(&Json::parse(text.as_bytes()).unwrap(), &mut flaws);
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
