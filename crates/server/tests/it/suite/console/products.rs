//! Products in the console.

use http::Method;
use pointbook_domain::Role;
use serde_json::{Value, json};

use super::operator::{Browser, CONSOLE};
use crate::harness::TestServer;
use crate::suite::forms::fields;

async fn with_editor(server: &TestServer) -> Browser<'_> {
    Browser::of(server, Role::Manager).await
}

/// The product as the interface shows it to a back office.
async fn stored(server: &TestServer, id: &str) -> Value {
    let token = server.issue_super_user().await;
    let path = format!("/v1/manage/products/{id}");
    server.request(Method::GET, &path, &token).send().await.json()["data"].clone()
}

async fn patch(server: &TestServer, id: &str, body: &Value) {
    let token = server.issue_super_user().await;
    let path = format!("/v1/manage/products/{id}");
    let answer = server.request(Method::PATCH, &path, &token).json(body).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

/// Where a page leads that has done this.
fn said(path: &str, text: &str) -> String {
    format!("{CONSOLE}{path}?said={text}")
}

#[tokio::test]
async fn the_list_has_marks_and_is_searched_by_parts() {
    let server = TestServer::with_sample().await;
    let browser = with_editor(&server).await;
    let page = browser.page("/products").await;
    for text in
        ["1 to 9 of 9", "sold out", "few left", "new", "reduced", "popular", "hidden", "planned", "unlimited"]
    {
        assert!(page.contains(text), "{text}: {page}");
    }
    let page = browser.page("/products?search=MUG").await;
    assert!(
        page.contains("1 to 3 of 3") && page.contains("Blue mug") && !page.contains("Red wine"),
        "{page}"
    );
    assert!(browser.page("/products?search=SKU-wine").await.contains("Red wine"));
    assert!(browser.page("/products?search=nothing").await.contains("Nothing fits."));
    let empty = TestServer::start().await;
    let browser = with_editor(&empty).await;
    assert!(browser.page("/products").await.contains("There are no products yet."));
}

/// A form with a mistake in almost every field.
const WRONG: [(&str, &str); 8] = [
    ("id", "bowl"),
    ("title", ""),
    ("sku", "B-1"),
    ("regular_price", "1.5"),
    ("sale_price", "9"),
    ("gallery", "https://a.example/1.png\r\njavascript:x()"),
    ("stock", "-1"),
    ("published_at", "tomorrow"),
];

const RIGHT: [(&str, &str); 9] = [
    ("title", "Bowl <b>"),
    ("regular_price", "1,250"),
    ("sale_price", "990"),
    ("description", "<p onclick=\"x()\">Oak</p><script>x()</script>"),
    ("gallery", "https://a.example/1.png\r\n"),
    ("categories", "cups"),
    ("stock", "7"),
    ("published_at", "2026-02-01T09:30"),
    ("popular", "1"),
];

#[tokio::test]
async fn mistakes_stay_in_the_form_of_a_new_product() {
    let server = TestServer::with_sample().await;
    let browser = with_editor(&server).await;
    let page = browser.page("/new-product").await;
    let refused = browser.submit(&page, "/new-product", &WRONG).await;
    assert_eq!(refused.status, 422);
    for text in [
        "This is required.",
        "This must be a whole number.",
        "Item 2: This must be an address",
        "This is too small.",
        "This must be a date and a time",
        "value=\"1.5\"",
        "javascript:x()",
    ] {
        assert!(refused.text().contains(text), "{text}: {}", refused.text());
    }
    let created = browser.submit(refused.text(), "/new-product", &RIGHT).await;
    assert_eq!(created.header("location"), Some(&*said("/products/bowl", "product-created")));
}

#[tokio::test]
async fn a_new_product_is_added_once() {
    let server = TestServer::with_sample().await;
    let browser = with_editor(&server).await;
    let page = browser.page("/new-product").await;
    let typed: Vec<_> = RIGHT.into_iter().chain([("id", "bowl"), ("sku", "B-1")]).collect();
    let created = browser.submit(&page, "/new-product", &typed).await;
    assert_eq!(created.header("location"), Some(&*said("/products/bowl", "product-created")));
    let again = browser.submit(&page, "/new-product", &typed).await;
    assert_eq!(again.header("location"), Some(&*format!("{CONSOLE}/products/bowl")), "sent twice");
    let expected = json!({
        "id": "bowl", "title": "Bowl <b>", "sku": "B-1", "regular_price": 1250, "sale_price": 990,
        "description": "<p onclick=\"x()\">Oak</p><script>x()</script>", "thumbnail": "",
        "brand": null, "gallery": ["https://a.example/1.png"], "categories": ["cups"], "stock": 7, "reserved": 0,
        "popular": true, "active": true, "published_at": "2026-02-01T09:30:00.000000Z",
    });
    let mut bowl = stored(&server, "bowl").await;
    bowl.as_object_mut().unwrap().remove("version");
    assert_eq!(bowl, expected);
    let editor = browser.page("/products/bowl").await;
    assert!(editor.contains("Bowl &lt;b&gt;") && editor.contains("<p>Oak</p>"), "{editor}");
    assert!(!editor.contains("<script>x()"), "{editor}");
    let page = browser.page("/new-product").await;
    let same: Vec<_> = RIGHT.into_iter().chain([("id", "mug"), ("sku", "B")]).collect();
    let taken = browser.submit(&page, "/new-product", &same).await;
    assert!(taken.status == 422 && taken.text().contains("This exists already."), "{}", taken.text());
    assert_eq!(stored(&server, "mug").await["title"], "Blue mug");
}

#[tokio::test]
async fn a_form_saves_what_the_operator_changed_and_nothing_else() {
    let server = TestServer::with_sample().await;
    let browser = with_editor(&server).await;
    let before = stored(&server, "cafe").await;
    let page = browser.page("/products/cafe").await;
    let unchanged = browser.submit(&page, "/products/cafe", &[]).await;
    assert_eq!(unchanged.header("location"), Some(&*said("/products/cafe", "product-unchanged")));
    assert_eq!(stored(&server, "cafe").await, before);
    let saved = browser.submit(&page, "/products/cafe", &[("title", "Cup"), ("sale_price", "")]).await;
    assert_eq!(saved.header("location"), Some(&*said("/products/cafe", "product-saved")));
    let after = stored(&server, "cafe").await;
    assert_eq!((&after["title"], &after["sale_price"]), (&json!("Cup"), &Value::Null));
    let same = |product: &Value| {
        let mut product = product.clone();
        for changed in ["title", "sale_price", "version"] {
            product.as_object_mut().unwrap().remove(changed);
        }
        product
    };
    assert_eq!(same(&after), same(&before));
    let above = browser
        .submit(&browser.page("/products/cafe").await, "/products/cafe", &[("sale_price", "701")])
        .await;
    assert!(
        above.status == 422 && above.text().contains("must not be above the regular price"),
        "{}",
        above.text()
    );
    assert_eq!(browser.get("/products/nothing").await.status, 404);
}

#[tokio::test]
async fn a_field_that_two_persons_changed_is_shown_with_both_values() {
    let server = TestServer::with_sample().await;
    let browser = with_editor(&server).await;
    let page = browser.page("/products/mug").await;
    patch(&server, "mug", &json!({"title": "Green mug", "sku": "M-2"})).await;
    let mine = [("title", "Red mug"), ("regular_price", "450")];
    let conflict = browser.submit(&page, "/products/mug", &mine).await;
    assert_eq!(conflict.status, 409);
    for text in [
        "Another person saved this product",
        "Green mug",
        "value=\"Red mug\"",
        "value=\"450\"",
        "value=\"M-2\"",
    ] {
        assert!(conflict.text().contains(text), "{text}: {}", conflict.text());
    }
    assert_eq!(stored(&server, "mug").await["regular_price"], 500, "nothing was saved yet");
    let saved = browser.submit(conflict.text(), "/products/mug", &[]).await;
    assert_eq!(saved.header("location"), Some(&*said("/products/mug", "product-saved")));
    let mug = stored(&server, "mug").await;
    assert_eq!(
        [&mug["title"], &mug["sku"], &mug["regular_price"]],
        [&json!("Red mug"), &json!("M-2"), &json!(450)]
    );
}

#[tokio::test]
async fn different_fields_of_two_persons_and_orders_in_between_do_not_disturb() {
    let server = TestServer::with_sample().await;
    server.award(10_000).await;
    let browser = with_editor(&server).await;
    let page = browser.page("/products/plate").await;
    server.ordered("plate", 3).await;
    let saved = browser.submit(&page, "/products/plate", &[("title", "Dish")]).await;
    assert_eq!(saved.header("location"), Some(&*said("/products/plate", "product-saved")));
    patch(&server, "plate", &json!({"sku": "P-2", "categories": ["cups", "plates"]})).await;
    let saved =
        browser.submit(&page, "/products/plate", &[("title", "Dish"), ("regular_price", "300")]).await;
    assert_eq!(saved.header("location"), Some(&*said("/products/plate", "product-merged")));
    let plate = stored(&server, "plate").await;
    assert_eq!([&plate["title"], &plate["sku"], &plate["stock"]], [&json!("Dish"), &json!("P-2"), &json!(0)]);
    assert_eq!([&plate["regular_price"], &plate["categories"]], [&json!(300), &json!(["cups", "plates"])]);
}

#[tokio::test]
async fn a_preview_shows_the_cleaned_description_and_stores_nothing() {
    let server = TestServer::with_sample().await;
    let browser = with_editor(&server).await;
    let before = stored(&server, "mug").await;
    let description =
        "<p onmouseover=\"x()\">Two <b>litres</b></p><img src=x onerror=alert(1)><script>y()</script>";
    for (page, path) in [("/products/mug", "/products/mug"), ("/new-product", "/new-product")] {
        let editor = browser.page(page).await;
        let mut sent = fields(&editor, &format!("{CONSOLE}{path}"));
        sent.retain(|(name, _)| name != "description" && name != "title");
        let mut all: Vec<_> = sent.iter().map(|(name, value)| (&**name, &**value)).collect();
        all.extend([("description", description), ("title", "Typed")]);
        let shown = browser.post(&format!("{path}/preview"), &all).await;
        let text = shown.text();
        assert_eq!(shown.status, 200, "{text}");
        assert!(text.contains("<p>Two <b>litres</b></p><img src=\"x\">"), "{text}");
        assert!(text.contains("value=\"Typed\"") && !text.contains("<script>y"), "{text}");
        let deep = "<div>".repeat(1_000);
        let deep = browser
            .post(&format!("{path}/preview"), &[all[0], ("seen", seen(&editor)), ("description", &deep)])
            .await;
        assert!(deep.status == 200 && deep.text().contains("nested too deep"), "{}", deep.text());
    }
    assert_eq!(stored(&server, "mug").await, before);
}

/// The fingerprints of a form, which a new product has not.
pub(super) fn seen(page: &str) -> &str {
    let rest = page.split_once("name=\"seen\" value=\"").map_or("", |(_, rest)| rest);
    rest.split('"').next().unwrap_or_default()
}

#[tokio::test]
async fn pieces_are_added_once_for_each_form() {
    let server = TestServer::with_sample().await;
    let browser = with_editor(&server).await;
    let page = browser.page("/products/plate").await;
    let path = "/products/plate/stock";
    for _ in 0..2 {
        assert_eq!(browser.submit(&page, path, &[("difference", "-2")]).await.status, 303);
    }
    assert_eq!(stored(&server, "plate").await["stock"], 1);
    for (difference, text) in [
        ("-2", "There are not that many pieces"),
        ("0", "This must not be 0."),
        ("many", "This must be a whole number."),
        ("4294967295", "The stock would get too large."),
    ] {
        let page = browser.page("/products/plate").await;
        let refused = browser.submit(&page, path, &[("difference", difference)]).await;
        assert!(refused.status == 422 && refused.text().contains(text), "{difference}: {}", refused.text());
        assert!(refused.text().contains(&format!("value=\"{difference}\"")));
    }
    assert_eq!(stored(&server, "plate").await["stock"], 1);
    let unlimited = browser.page("/products/mug").await;
    assert!(!unlimited.contains("/products/mug/stock\""), "there is nothing to add to");
    let token = browser.form_token().await;
    let once = "0".repeat(64);
    let sent = [("form", &*token), ("once", &*once), ("seen", seen(&unlimited)), ("difference", "5")];
    let refused = browser.post("/products/mug/stock", &sent).await;
    assert!(refused.status == 422 && refused.text().contains("The stock is unlimited"), "{}", refused.text());
}

#[tokio::test]
async fn a_stock_is_set_only_by_who_saw_it() {
    let server = TestServer::with_sample().await;
    server.award(10_000).await;
    let browser = with_editor(&server).await;
    let page = browser.page("/products/plate").await;
    server.ordered("plate", 1).await;
    let path = "/products/plate/set-stock";
    let refused = browser.submit(&page, path, &[("stock", "50")]).await;
    assert!(
        refused.status == 422 && refused.text().contains("The stock changed since"),
        "{}",
        refused.text()
    );
    assert_eq!(stored(&server, "plate").await["stock"], 2);
    let set = browser.submit(refused.text(), path, &[]).await;
    assert_eq!(set.status, 303, "{}", set.text());
    assert_eq!(stored(&server, "plate").await["stock"], 50);
    let page = browser.page("/products/plate").await;
    let bad = browser.submit(&page, path, &[("stock", "-1")]).await;
    assert!(bad.status == 422 && bad.text().contains("This is too small."), "{}", bad.text());
    assert_eq!(browser.submit(&page, path, &[("stock", "")]).await.status, 303);
    assert_eq!(stored(&server, "plate").await["stock"], Value::Null);
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_product_is_retired_and_comes_back_with_its_id() {
    let server = TestServer::with_sample().await;
    let browser = with_editor(&server).await;
    let page = browser.page("/products/wine").await;
    let retired = browser.submit(&page, "/products/wine/retire", &[]).await;
    assert_eq!(retired.header("location"), Some(&*said("/products", "product-retired")));
    assert_eq!(browser.submit(&page, "/products/wine/retire", &[]).await.status, 404);
    assert_eq!(browser.get("/products/wine").await.status, 404);
    let late = browser.submit(&page, "/products/wine", &[("title", "Wine")]).await;
    assert_eq!(late.status, 404);
    let form = browser.page("/new-product").await;
    let again = [("id", "wine"), ("title", "Wine"), ("sku", "W"), ("regular_price", "5")];
    assert_eq!(browser.submit(&form, "/new-product", &again).await.status, 303);
    assert!(browser.page("/products/wine").await.contains("value=\"Wine\""));
}

#[tokio::test]
async fn a_sku_of_the_list_of_products_is_one_short_line() {
    let server = TestServer::with_sample().await;
    let sku = "S".repeat(50);
    patch(&server, "mug", &json!({"sku": sku})).await;
    let page = with_editor(&server).await.page("/products").await;
    let cell = format!("<span class=\"mono quiet whole\" title=\"{sku}\">{}…</span>", &sku[..20]);
    assert!(page.contains(&cell), "{page}");
}
