//! The body of `GET /v1/store/products`, put together from rendered products: nothing is serialised
//! on the way, so that a page costs little more than copying it.

use pointbook_app::ProductList;
use pointbook_domain::PageWindow;

use super::number::push_number;
use crate::query::PageLinks;

/// Room for keys and numbers of the envelope, in bytes.
const ENVELOPE_BYTES: usize = 320;

/// The documented envelope: `data`, `links`, `meta`.
pub fn product_list_body(list: &ProductList<'_>, links: &PageLinks) -> Vec<u8> {
    let items = &list.page.items;
    let data_bytes: usize = items.iter().map(|item| item.len() + 1).sum();
    let mut body = Vec::with_capacity(data_bytes + 5 * links.length() + ENVELOPE_BYTES);
    body.extend_from_slice(br#"{"data":["#);
    for (place, item) in items.iter().enumerate() {
        if place > 0 {
            body.push(b',');
        }
        body.extend_from_slice(item);
    }
    body.push(b']');
    write_links(&list.window, links, &mut body);
    write_meta(&list.window, links, &mut body);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::QueryString;
    use pointbook_app::ProductPage;
    use pointbook_domain::{PageNumber, PageRequest, PageSize};

    fn body(raw: &str, number: u32, items: Vec<&[u8]>, total: u64) -> String {
        let query = QueryString::parse(Some(raw)).unwrap();
        let links = PageLinks::new("https://acme.example/api", "/v1/store/products", &query);
        let number = PageNumber::new(number).unwrap();
        let window = PageRequest { number, size: PageSize::new(2).unwrap() }.window(total);
        let list = ProductList { page: ProductPage { total, items }, window };
        let body = String::from_utf8(product_list_body(&list, &links)).unwrap();
        let _: serde_json::Value = serde_json::from_str(&body).unwrap();
        body.replace(",\"", ",\n\"")
    }

    #[test]
    fn a_middle_page_has_all_links() {
        let body = body("sort=price&page[size]=2", 2, vec![br#"{"id":"c"}"#, br#"{"id":"d"}"#], 5);
        insta::assert_snapshot!(body, @r#"
        {"data":[{"id":"c"},{"id":"d"}],
        "links":{"first":"https://acme.example/api/v1/store/products?sort=price&page%5Bsize%5D=2&page%5Bnumber%5D=1",
        "last":"https://acme.example/api/v1/store/products?sort=price&page%5Bsize%5D=2&page%5Bnumber%5D=3",
        "prev":"https://acme.example/api/v1/store/products?sort=price&page%5Bsize%5D=2&page%5Bnumber%5D=1",
        "next":"https://acme.example/api/v1/store/products?sort=price&page%5Bsize%5D=2&page%5Bnumber%5D=3"},
        "meta":{"current_page":2,
        "from":3,
        "last_page":3,
        "path":"https://acme.example/api/v1/store/products",
        "per_page":2,
        "to":4,
        "total":5}}
        "#);
    }

    #[test]
    fn page_beyond_last_keeps_total() {
        insta::assert_snapshot!(body("", 9, vec![], 5), @r#"
        {"data":[],
        "links":{"first":"https://acme.example/api/v1/store/products?page%5Bnumber%5D=1",
        "last":"https://acme.example/api/v1/store/products?page%5Bnumber%5D=3",
        "prev":"https://acme.example/api/v1/store/products?page%5Bnumber%5D=8",
        "next":null},
        "meta":{"current_page":9,
        "from":0,
        "last_page":3,
        "path":"https://acme.example/api/v1/store/products",
        "per_page":2,
        "to":0,
        "total":5}}
        "#);
    }

    #[test]
    fn no_products_make_one_empty_page() {
        insta::assert_snapshot!(body("", 1, vec![], 0), @r#"
        {"data":[],
        "links":{"first":"https://acme.example/api/v1/store/products?page%5Bnumber%5D=1",
        "last":"https://acme.example/api/v1/store/products?page%5Bnumber%5D=1",
        "prev":null,
        "next":null},
        "meta":{"current_page":1,
        "from":0,
        "last_page":1,
        "path":"https://acme.example/api/v1/store/products",
        "per_page":2,
        "to":0,
        "total":0}}
        "#);
    }
}
