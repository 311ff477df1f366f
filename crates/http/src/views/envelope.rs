//! The documented envelope of a list: `data`, `links`, `meta`.

use pointbook_domain::PageWindow;
use pointbook_domain::digits::push_number;
use pointbook_domain::page::MAX_PAGE_NUMBER;
use pointbook_store::content_key::ContentKey;
use serde::{Serialize, Serializer};

use super::values::tag_of;
use crate::describe::{Described, Field, ResponseBody, Schema, View, required};
use crate::kernel::Tag;
use crate::query_string::PageLinks;

/// Capacity for keys and numbers of the envelope, in bytes.
const ENVELOPE_BYTES: usize = 320;

/// Capacity for one serialised item, in bytes.
const ITEM_BYTES: usize = 384;

/// A page of items, serialised one by one.
pub fn page_body<I>(items: I, window: &PageWindow, links: &PageLinks) -> Vec<u8>
where
    I: ExactSizeIterator<Item: Serialize>,
{
    envelope(items.len() * ITEM_BYTES, window, links, |body| {
        // Strings, integers and lists of them always serialise, and a vector accepts every byte.
        (&mut serde_json::Serializer::new(body)).collect_seq(items).unwrap_or_default();
    })
}

/// The `ETag` of a page with items of these hashes. It hashes three numbers of the window; the others follow from them.
pub fn page_tag(
    key: &ContentKey,
    items: impl ExactSizeIterator<Item = u128>,
    window: &PageWindow,
    links: &PageLinks,
) -> Tag {
    let PageWindow { current_page, per_page, total, last_page: _, from: _, to: _ } = *window;
    let numbers = [current_page, per_page, total, items.len() as u64];
    let length = size_of_val(&numbers) + size_of::<u128>() * items.len() + links.length();
    let mut text = Vec::with_capacity(length);
    for number in numbers {
        text.extend_from_slice(&number.to_le_bytes());
    }
    for item in items {
        text.extend_from_slice(&item.to_le_bytes());
    }
    text.extend_from_slice(links.shared());
    tag_of(key, &text)
}

/// The envelope around `data`, an array of about this many bytes, which is written directly into it.
pub fn envelope(
    data_bytes: usize,
    window: &PageWindow,
    links: &PageLinks,
    write_data: impl FnOnce(&mut Vec<u8>),
) -> Vec<u8> {
    let mut body = Vec::with_capacity(data_bytes + 5 * links.length() + ENVELOPE_BYTES);
    body.extend_from_slice(br#"{"data":"#);
    write_data(&mut body);
    write_links(window, links, &mut body);
    write_meta(window, links, &mut body);
    body.push(b'}');
    body
}

fn write_links(window: &PageWindow, links: &PageLinks, body: &mut Vec<u8>) {
    body.extend_from_slice(br#","links":{"first":"#);
    write_link(Some(1), links, body);
    body.extend_from_slice(br#","last":"#);
    write_link(Some(window.last_page), links, body);
    body.extend_from_slice(br#","prev":"#);
    write_link(window.prev(), links, body);
    body.extend_from_slice(br#","next":"#);
    write_link(window.next(), links, body);
    body.push(b'}');
}

fn write_link(page: Option<u64>, links: &PageLinks, body: &mut Vec<u8>) {
    match page {
        None => body.extend_from_slice(b"null"),
        Some(page) => {
            body.push(b'"');
            links.write(page, body);
            body.push(b'"');
        }
    }
}

fn write_meta(window: &PageWindow, links: &PageLinks, body: &mut Vec<u8>) {
    let PageWindow { current_page, per_page, total, last_page, from, to } = *window;
    body.extend_from_slice(br#","meta":{"current_page":"#);
    push_number(current_page, body);
    body.extend_from_slice(br#","from":"#);
    push_number(from, body);
    body.extend_from_slice(br#","last_page":"#);
    push_number(last_page, body);
    body.extend_from_slice(br#","path":""#);
    body.extend_from_slice(links.path());
    body.extend_from_slice(br#"","per_page":"#);
    push_number(per_page, body);
    body.extend_from_slice(br#","to":"#);
    push_number(to, body);
    body.extend_from_slice(br#","total":"#);
    push_number(total, body);
    body.push(b'}');
}

/// A page of this view.
pub fn page_of<V: View>() -> ResponseBody {
    ResponseBody::named(format!("{}Page", V::NAME), || {
        Schema::object([
            required("data", Schema::list(V::schema())),
            required("links", PageLinksView::schema()),
            required("meta", PageMetaView::schema()),
        ])
    })
    .with::<V>()
    .with::<PageLinksView>()
    .with::<PageMetaView>()
}

/// The links of a page.
struct PageLinksView;

impl View for PageLinksView {
    const NAME: &'static str = "PageLinks";

    fn members() -> Vec<Field> {
        vec![
            required("first", Schema::address()),
            required("last", Schema::address()),
            required("prev", Schema::address().or_null().describe("Null on the first page.")),
            required("next", Schema::address().or_null().describe("Null on the last page and beyond.")),
        ]
    }
}

/// The numbers of a page.
struct PageMetaView;

impl View for PageMetaView {
    const NAME: &'static str = "PageMeta";

    fn members() -> Vec<Field> {
        let page = || Schema::integer(1..=i64::from(MAX_PAGE_NUMBER));
        let place = |which: &str| {
            Schema::count().describe(&format!(
                "The position of the {which} item of this page among all items. 0 on an empty page."
            ))
        };
        vec![
            required("current_page", page()),
            required("from", place("first")),
            required("last_page", Schema::integer(1..=i64::MAX).describe("The number of pages, at least 1.")),
            required("path", Schema::address().describe("The URL without its query.")),
            required("per_page", page()),
            required("to", place("last")),
            required("total", Schema::count().describe("Items on all pages.")),
        ]
    }
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{PageNumber, PageRequest, PageSize};

    use super::*;
    use crate::query_string::QueryString;

    #[test]
    fn items_are_serialised_in_their_order() {
        let query = QueryString::parse(None).unwrap();
        let links = PageLinks::new("https://acme.example/api", "/v1/things", &query);
        let body = |items: &[u8], total| {
            let page = PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT };
            String::from_utf8(page_body(items.iter(), &page.window(total), &links)).unwrap()
        };
        let url = "https://acme.example/api/v1/things";
        let rest = |to: u64| {
            format!(
                r#""links":{{"first":"{url}?page%5Bnumber%5D=1","last":"{url}?page%5Bnumber%5D=1","prev":null,"next":null}},"meta":{{"current_page":1,"from":{from},"last_page":1,"path":"{url}","per_page":15,"to":{to},"total":{to}}}}}"#,
                from = to.min(1)
            )
        };
        assert_eq!(body(&[7, 5], 2), format!(r#"{{"data":[7,5],{}"#, rest(2)));
        assert_eq!(body(&[], 0), format!(r#"{{"data":[],{}"#, rest(0)));
    }
}
