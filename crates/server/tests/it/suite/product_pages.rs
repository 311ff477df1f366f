//! `GET /v1/store/products`: the envelope, its numbers and its links.

use serde_json::{Value, json};

use crate::harness::{BASE_URL, TestServer};

#[tokio::test]
async fn a_page_is_the_documented_envelope_byte_for_byte() {
    let server = TestServer::with_sample().await;
    let answer = server.get("/v1/store/products?page[size]=1&filter[title]=mug").await;
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let url =
        format!("{BASE_URL}/v1/store/products?page%5Bsize%5D=1&filter%5Btitle%5D=mug&page%5Bnumber%5D=1");
    let product = r#"{"id":"mug","title":"Blue mug","sku":"SKU-mug","description":"<p>Good.</p>","regular_price":500,"sale_price":null,"thumbnail":"https://images.example/mug.jpg","gallery":["https://images.example/mug-1.jpg"]}"#;
    let expected = format!(
        r#"{{"data":[{product}],"links":{{"first":"{url}","last":"{url}","prev":null,"next":null}},"meta":{{"current_page":1,"from":1,"last_page":1,"path":"{BASE_URL}/v1/store/products","per_page":1,"to":1,"total":1}}}}"#
    );
    assert_eq!(answer.text(), expected);
}

#[tokio::test]
async fn following_next_sees_every_product_once_and_prev_leads_back() {
    let server = TestServer::with_products(40).await;
    let mut path = "/v1/store/products?page[size]=7&sort=price".to_owned();
    let (mut seen, mut pages) = (Vec::new(), 0);
    loop {
        let answer = server.get(&path).await;
        seen.extend(answer.ids());
        pages += 1;
        let links = answer.json()["links"].clone();
        assert_eq!(links["prev"].is_null(), pages == 1);
        match &links["next"] {
            Value::String(next) => next.strip_prefix(BASE_URL).unwrap().clone_into(&mut path),
            _ => break,
        }
    }
    assert_eq!((pages, seen.len()), (6, 40));
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 40);
}

#[tokio::test]
async fn page_beyond_last_keeps_total() {
    let server = TestServer::with_products(40).await;
    let body = server.get("/v1/store/products?page[number]=9").await.json();
    assert_eq!(body["data"], json!([]));
    let page = |number: u32| format!("{BASE_URL}/v1/store/products?page%5Bnumber%5D={number}");
    assert_eq!(body["links"], json!({"first": page(1), "last": page(3), "prev": page(8), "next": null}));
    assert_eq!(
        body["meta"],
        json!({"current_page": 9, "from": 0, "last_page": 3, "path": format!("{BASE_URL}/v1/store/products"),
            "per_page": 15, "to": 0, "total": 40})
    );
}

#[tokio::test]
async fn a_page_size_above_the_maximum_is_served_as_the_maximum() {
    let server = TestServer::with_products(120).await;
    for (size, served) in [("100", 100), ("101", 100), ("99999999999999999999", 100), ("1", 1)] {
        let answer = server.get(&format!("/v1/store/products?page[size]={size}")).await;
        assert_eq!(answer.ids().len(), served, "{size}");
        assert_eq!(answer.json()["meta"]["per_page"], served);
        let next = answer.json()["links"]["next"].as_str().unwrap().to_owned();
        assert!(next.ends_with(&format!("?page%5Bsize%5D={size}&page%5Bnumber%5D=2")), "{next}");
    }
}

#[tokio::test]
async fn links_keep_other_parameters_in_order_and_end_with_the_page() {
    let server = TestServer::with_sample().await;
    let query = "utm=a%20b&page[number]=1&filter[title][]=m,u&sort=-price&empty=&filter[title][]=%E3%81%8C&utm=c+d&page[size]=2&x";
    let body = server.get(&format!("/v1/store/products?{query}")).await.json();
    let expected = "utm=c%20d&page%5Bsize%5D=2&filter%5Btitle%5D%5B0%5D=m%2Cu&filter%5Btitle%5D%5B1%5D=%E3%81%8C\
                    &sort=-price&page%5Bnumber%5D=1";
    assert_eq!(body["links"]["first"], format!("{BASE_URL}/v1/store/products?{expected}"));
    assert_eq!(body["meta"]["path"], format!("{BASE_URL}/v1/store/products"));
}

#[tokio::test]
async fn links_never_repeat_the_host_header() {
    let server = TestServer::with_products(40).await;
    let answer =
        server.call("/v1/store/products").bearer(server.token()).header("host", "evil.example").send().await;
    assert_eq!(answer.status, 200);
    assert!(!answer.text().contains("evil"));
}
