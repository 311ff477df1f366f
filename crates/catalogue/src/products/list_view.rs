//! The body of `GET /v1/store/products`, joined from rendered products. It serialises nothing, so a page costs little more than
//! a copy.

use pointbook_http::kernel::Tag;
use pointbook_http::query_string::PageLinks;
use pointbook_http::views::envelope::{envelope, page_tag};
use pointbook_store::content_key::ContentKey;

use crate::products::list_store::ProductList;

/// The `ETag` of the page. It follows from the hashes of its products and from the rest of the page.
pub(crate) fn product_list_tag(key: &ContentKey, list: &ProductList<'_>, links: &PageLinks) -> Tag {
    page_tag(key, list.page.items.iter().map(|item| item.hash), &list.window, links)
}

/// The page in the documented envelope.
pub(crate) fn product_list_body(list: &ProductList<'_>, links: &PageLinks) -> Vec<u8> {
    let items = &list.page.items;
    let data_bytes: usize = items.iter().map(|item| item.json.len() + 1).sum();
    envelope(data_bytes, &list.window, links, |body| {
        body.push(b'[');
        for (place, item) in items.iter().enumerate() {
            if place > 0 {
                body.push(b',');
            }
            body.extend_from_slice(item.json);
        }
        body.push(b']');
    })
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{PageNumber, PageRequest, PageSize};
    use pointbook_http::query_string::QueryString;

    use super::*;
    use crate::index::{Fragment, ProductPage};

    fn body(raw: &str, number: u32, items: Vec<&[u8]>, total: u64) -> String {
        let query = QueryString::parse(Some(raw)).unwrap();
        let links = PageLinks::new("https://acme.example/api", "/v1/store/products", &query);
        let number = PageNumber::new(number).unwrap();
        let window = PageRequest { number, size: PageSize::new(2).unwrap() }.window(total);
        let items = items.into_iter().map(|json| Fragment { json, hash: 0 }).collect();
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
