//! `/v1/manage/products`: the catalogue of the back office.

use http::Method;
use pointbook_domain::Role;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::{BASE_URL, TestServer};
use crate::suite::console::operator::Browser;

const PATH: &str = "/v1/manage/products";

/// A server, and a token of the back office.
struct BackOffice(TestServer, String);

impl BackOffice {
    async fn open() -> Self {
        let (server, token) = TestServer::with_back_office().await;
        Self(server, token)
    }

    async fn request(&self, method: Method, path: &str) -> Answer {
        self.0.request(method, &format!("{PATH}{path}"), &self.1).send().await
    }

    async fn put(&self, id: &str, body: &Value) -> Answer {
        self.0.request(Method::PUT, &format!("{PATH}/{id}"), &self.1).json(body).send().await
    }

    /// Puts a valid product with only the required fields and these fields.
    async fn put_with(&self, id: &str, more: Value) -> Answer {
        let mut body = json!({"sku": "S1", "title": "Mug", "regular_price": 5});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let answer = self.put(id, &body).await;
        assert!(answer.status.is_success(), "{}", answer.text());
        answer
    }

    async fn get(&self, path: &str) -> Answer {
        self.request(Method::GET, path).await
    }

    async fn retire(&self, id: &str) -> Answer {
        self.request(Method::DELETE, &format!("/{id}")).await
    }

    /// The product as a customer sees it.
    async fn in_store(&self, id: &str) -> Answer {
        self.0.get(&format!("/v1/store/products/{id}")).await
    }
}

fn assert_is(answer: &Answer, status: u16, body: &str) {
    assert_eq!((answer.status.as_u16(), answer.text()), (status, body));
}

const NOT_FOUND: &str = r#"{"message":"Not found.","code":"not_found"}"#;

fn everything() -> Value {
    json!({
        "sku": "S-1", "title": " Mug ", "description": "<b onclick='x'>Blue", "regular_price": 700, "sale_price": 500,
        "thumbnail": "https://images.example/t.png", "gallery": ["https://images.example/a.png", "https://images.example/b c.png"], "categories": ["cups", "か"],
        "stock": 9, "popular": true, "published_at": "2026-02-01T10:00:00+01:00", "active": true
    })
}

fn everything_shown(version: u64) -> String {
    format!(
        r#"{{"success":true,"data":{{"id":"p/1","title":" Mug ","sku":"S-1","brand":null,"description":"<b onclick='x'>Blue","regular_price":700,"sale_price":500,"thumbnail":"https://images.example/t.png","gallery":["https://images.example/a.png","https://images.example/b c.png"],"categories":["cups","か"],"stock":9,"reserved":0,"popular":true,"published_at":"2026-02-01T09:00:00.000000Z","active":true,"version":{version}}}}}"#
    )
}

/// The response to a change: the product, and a note that the tree has none of its categories.
fn everything_written(version: u64) -> String {
    let warning = |place: u32, id: &str| {
        format!(
            r#"{{"field":"categories.{place}","code":"unknown_category","message":"There is no category with the id \"{id}\"."}}"#
        )
    };
    let shown = everything_shown(version);
    let warnings = [warning(0, "cups"), warning(1, "か")].join(",");
    format!(r#"{},"warnings":[{warnings}]}}"#, shown.strip_suffix('}').unwrap())
}

/// The data of a product with only the required fields.
fn least(id: &str, title: &str, version: u64) -> String {
    format!(
        r#"{{"id":"{id}","title":"{title}","sku":"S1","brand":null,"description":"","regular_price":5,"sale_price":null,"thumbnail":"","gallery":[],"categories":[],"stock":null,"reserved":0,"popular":false,"published_at":"2026-03-01T12:00:00.000000Z","active":true,"version":{version}}}"#
    )
}

#[tokio::test]
async fn a_product_is_created_left_replaced_and_shown_byte_for_byte() {
    let office = BackOffice::open().await;
    assert_is(&office.put("p%2F1", &everything()).await, 201, &everything_written(1));
    assert_is(&office.put("p%2F1", &everything()).await, 200, &everything_written(1));
    assert_is(&office.get("/p%2F1").await, 200, &everything_shown(1));
    let mut other = everything();
    other["popular"] = json!(false);
    let plain = |text: String| text.replace(r#""popular":true"#, r#""popular":false"#);
    let (shown, written) = (plain(everything_shown(2)), plain(everything_written(2)));
    assert_is(&office.put("p%2F1", &other).await, 200, &written);
    assert_is(&office.get("/p%2F1").await, 200, &shown);
}

#[tokio::test]
async fn a_put_replaces_all_but_the_stock_and_the_publication() {
    let office = BackOffice::open().await;
    office.put("p%2F1", &everything()).await;
    let answer = office.put("p%2F1", &json!({"sku": "S1", "title": "Mug", "regular_price": 5})).await;
    let kept = least("p/1", "Mug", 2)
        .replace(r#""stock":null"#, r#""stock":9"#)
        .replace("2026-03-01T12", "2026-02-01T09");
    assert_is(&answer, 200, &format!(r#"{{"success":true,"data":{kept},"warnings":[]}}"#));
    let unlimited = office.put_with("p%2F1", json!({"stock": null, "published_at": null})).await;
    assert_eq!(
        unlimited.text(),
        answer.text().replace(r#""stock":9"#, r#""stock":null"#).replace("n\":2", "n\":3")
    );
}

#[tokio::test]
async fn a_new_product_is_unlimited_and_published_now() {
    let office = BackOffice::open().await;
    office.0.advance_seconds(60);
    let data = least("p1", "Mug", 1).replace("12:00:00.", "12:01:00.");
    let written = format!(r#"{{"success":true,"data":{data},"warnings":[]}}"#);
    assert_is(&office.put_with("p1", json!({})).await, 201, &written);
}

#[tokio::test]
async fn customers_see_a_change_at_once_with_a_clean_description() {
    let office = BackOffice::open().await;
    assert_eq!(office.in_store("p1").await.status, 404);
    office.put("p1", &everything()).await;
    assert_is(
        &office.in_store("p1").await,
        200,
        r#"{"success":true,"data":{"id":"p1","title":" Mug ","sku":"S-1","description":"<b>Blue</b>","regular_price":700,"sale_price":500,"thumbnail":"https://images.example/t.png","gallery":["https://images.example/a.png","https://images.example/b c.png"]}}"#,
    );
    office.put_with("p1", json!({"title": "Cup"})).await;
    assert_eq!(office.in_store("p1").await.json()["data"]["title"], "Cup");
    assert_eq!(office.0.get("/v1/store/products?filter[title]=cup").await.ids(), ["p1"]);
    for hidden in [json!({"active": false}), json!({"published_at": "2026-03-01T12:00:00.000001Z"})] {
        office.put_with("p1", hidden).await;
        assert_eq!(office.in_store("p1").await.status, 404);
        office.put_with("p1", json!({"published_at": "2026-03-01T12:00:00Z"})).await;
        assert_eq!(office.in_store("p1").await.status, 200);
    }
}

#[tokio::test]
async fn a_brand_is_for_the_back_office_alone() {
    let office = BackOffice::open().await;
    assert_eq!(office.put_with("p1", json!({"brand": " Acme "})).await.status, 201);
    let store = async || {
        let (one, all) = (office.in_store("p1").await, office.0.get("/v1/store/products").await);
        [one, all].map(|answer| (answer.text().to_owned(), answer.header("etag").map(str::to_owned)))
    };
    let patch = async |brand: Value| {
        let call = office.0.request(Method::PATCH, &format!("{PATH}/p1"), &office.1);
        call.json(&json!({ "brand": brand })).send().await
    };
    let before = store().await;
    assert!(
        before.iter().all(|(body, _)| body.contains(r#""id":"p1""#) && !body.contains("Acme")),
        "{before:?}"
    );
    assert_eq!(office.get("/p1").await.json()["data"]["brand"], " Acme ");
    assert_eq!(office.get("").await.json()["data"][0]["brand"], " Acme ");
    let tag = office.get("/p1").await.header("etag").map(str::to_owned);
    assert_eq!(patch("é".repeat(200).into()).await.json()["data"]["brand"], "é".repeat(200));
    assert_ne!(office.get("/p1").await.header("etag").map(str::to_owned), tag, "If-Match notices the change");
    for none in [json!(null), json!(" ")] {
        patch(json!("Acme")).await;
        assert_eq!(patch(none).await.json()["data"]["brand"], json!(null));
    }
    patch(json!("Acme")).await;
    for (bad, rule) in [
        (json!(7), "must be a string."),
        (json!("a\nb"), "must not contain control characters."),
        (json!("x".repeat(201)), "must not be greater than 200 characters."),
    ] {
        let rule = format!("brand: The brand {rule}");
        assert_eq!(patch(bad.clone()).await.field_errors(), [&*rule]);
        let body = json!({"sku": "S1", "title": "Mug", "regular_price": 5, "brand": bad});
        assert_eq!(office.put("p1", &body).await.field_errors(), [&*rule]);
    }
    assert_eq!(office.get("/p1").await.json()["data"]["brand"], "Acme");
    assert_eq!(store().await, before);
    let log = office
        .0
        .request(Method::GET, "/v1/manage/audit-log?object=product:p1", &office.1)
        .send()
        .await
        .json();
    let set = log["data"].as_array().unwrap().last().unwrap();
    assert_eq!((&set["before"], &set["after"]), (&json!({"brand": null}), &json!({"brand": "Acme"})));
    office.put_with("p1", json!({})).await;
    assert_eq!(office.get("/p1").await.json()["data"]["brand"], json!(null), "a PUT replaces all fields");
    let browser = Browser::of(&office.0, Role::Manager).await;
    for (typed, stored) in [("Typed", json!("Typed")), ("", json!(null))] {
        let page = browser.page("/products/p1").await;
        browser.submit(&page, "/products/p1", &[("brand", typed)]).await;
        assert_eq!(office.get("/p1").await.json()["data"]["brand"], stored);
    }
}

#[tokio::test]
async fn a_retired_product_is_gone_at_once_and_comes_back_by_a_put() {
    let office = BackOffice::open().await;
    office.put_with("p1", json!({"stock": 3})).await;
    assert_eq!(office.in_store("p1").await.status, 200);
    assert_is(&office.retire("p1").await, 200, r#"{"success":true}"#);
    assert_is(&office.in_store("p1").await, 404, r#"{"success":false,"message":"Product not found"}"#);
    assert_is(&office.get("/p1").await, 404, NOT_FOUND);
    assert_is(&office.retire("p1").await, 404, NOT_FOUND);
    assert_eq!(office.get("").await.ids(), [""; 0]);
    let back = office.put_with("p1", json!({})).await;
    assert_eq!((back.status.as_u16(), &back.json()["data"]["stock"]), (201, &json!(3)));
    assert_eq!(office.in_store("p1").await.status, 200);
}

#[tokio::test]
async fn impossible_id_is_not_found() {
    let office = BackOffice::open().await;
    let long = "x".repeat(256);
    for id in ["nothing", "%FF", "a%00b", "100%", &long] {
        assert_is(&office.get(&format!("/{id}")).await, 404, NOT_FOUND);
        assert_is(&office.retire(id).await, 404, NOT_FOUND);
    }
}

#[tokio::test]
async fn invalid_product_id_is_refused_like_a_field() {
    let office = BackOffice::open().await;
    let long = "x".repeat(256);
    for (id, rule) in [
        ("%FF", "must be UTF-8, percent-encoded."),
        ("a%00b", "must not contain U+0000."),
        (&long, "must not be greater than 255 characters."),
    ] {
        let rule = format!("product_id: The product id {rule}");
        assert_eq!(office.put(id, &everything()).await.field_errors(), [&*rule]);
        let mut bad = everything();
        bad["stock"] = json!(-1);
        assert_eq!(
            office.put(id, &bad).await.field_errors(),
            [&*rule, "stock: The stock must be at least 0."]
        );
    }
}

#[tokio::test]
async fn a_product_may_be_called_like_the_import() {
    let office = BackOffice::open().await;
    assert_eq!(office.put_with("import", json!({})).await.status, 201);
    assert_eq!(office.get("/import").await.json()["data"]["id"], "import");
    assert_eq!(office.retire("import").await.status, 200);
}

#[tokio::test]
async fn bad_fields_are_named_all_at_once_and_nothing_is_put() {
    let office = BackOffice::open().await;
    let body = json!({
        "id": "p1", "sku": "", "title": "x".repeat(1_001), "description": 5, "regular_price": 5, "sale_price": 6,
        "thumbnail": "x".repeat(2_049), "gallery": "a.png", "categories": ["a", "a", ""], "stock": -1, "popular": 1,
        "published_at": "2026-02-30T00:00:00Z", "active": "true", "colour": "red"
    });
    let answer = office.put("p1", &body).await;
    assert_eq!(
        answer.field_errors(),
        [
            "sku: The sku field is required.",
            "title: The title must not be greater than 1000 characters.",
            "description: The description must be a string.",
            "sale_price: The sale price must not be above the regular price.",
            "thumbnail: The thumbnail must not be greater than 2048 characters.",
            "gallery: The gallery must be an array.",
            "categories.2: The categories.2 field is required.",
            "stock: The stock must be at least 0.",
            "popular: The popular field must be true or false.",
            "published_at: The published at must be a date-time with seconds and with Z or an offset, such as 2026-05-05T07:30:00Z.",
            "active: The active field must be true or false.",
            "colour: The colour field is not known."
        ]
    );
    assert_eq!(office.get("/p1").await.status, 404);
}

#[tokio::test]
async fn a_list_is_the_documented_envelope_byte_for_byte() {
    let office = BackOffice::open().await;
    office.put_with("b", json!({"title": "Tea"})).await;
    office.put_with("a", json!({"title": "Tea"})).await;
    let answer = office.get("?filter[search]=TEA&page[size]=1").await;
    let url = format!("{BASE_URL}{PATH}");
    let link = |page: u32| format!("{url}?filter%5Bsearch%5D=TEA&page%5Bsize%5D=1&page%5Bnumber%5D={page}");
    let expected = format!(
        r#"{{"data":[{}],"links":{{"first":"{}","last":"{}","prev":null,"next":"{}"}},"meta":{{"current_page":1,"from":1,"last_page":2,"path":"{url}","per_page":1,"to":1,"total":2}}}}"#,
        least("a", "Tea", 2),
        link(1),
        link(2),
        link(2),
    );
    assert_is(&answer, 200, &expected);
}

/// As customers filter, but hidden products are found, too, and "popular" is the mark alone.
#[tokio::test]
async fn a_list_has_the_filters_of_customers_and_one_for_hidden_products() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    for (query, expected) in [
        ("filter[category]=cups", "cafe inactive mug tomorrow"),
        ("filter[category]=kitchen", "cafe inactive mug plate strasse tomorrow"),
        ("filter[category]=cups,drinks", "cafe inactive mug tea tomorrow wine"),
        ("filter[category]=gifts-not-in-the-tree", "gift"),
        ("filter[category]=nothing", ""),
        ("filter[minPrice]=800&filter[maxPrice]=900", "strasse wine"),
        ("filter[maxPrice]=80", "tea"),
        ("filter[onSale]=1", "cafe tea"),
        ("filter[onlyPopular]=true", "gift mug"),
        ("filter[lowStock]=1", "plate"),
        ("filter[newProducts]=1&filter[category]=cups", "cafe inactive mug"),
        ("filter[active]=false", "inactive"),
        ("filter[active]=true&filter[category]=cups&filter[search]=mug", "mug tomorrow"),
    ] {
        let path = format!("{PATH}?{query}");
        let answer = server.request(Method::GET, &path, &token).send().await;
        assert_eq!(answer.ids().join(" "), expected, "{query}: {}", answer.text());
    }
}

#[tokio::test]
async fn bad_parameters_of_a_list_are_named() {
    let office = BackOffice::open().await;
    let answer =
        office.get("?filter[title]=a&filter[search][]=b&page[size]=0&page[number]=x&sort=price").await;
    assert_eq!(
        answer.field_errors(),
        [
            "page.number: The page.number must be an integer.",
            "page.size: The page.size must be at least 1.",
            "filter.search: The filter.search must be a string.",
            "filter.title: The selected filter.title is invalid."
        ]
    );
}
