//! The cards of the page of a product.

use http::Method;
use pointbook_domain::Role;
use serde_json::{Value, json};

use super::operator::{Browser, CONSOLE};
use super::picture_list::patch;
use crate::harness::TestServer;

const PRODUCT: &str = "/products/mug";

async fn stored(server: &TestServer) -> Value {
    let token = server.issue_super_user().await;
    server.request(Method::GET, "/v1/manage/products/mug", &token).send().await.json()["data"].clone()
}

#[tokio::test]
async fn a_product_and_a_new_one_are_the_same_cards() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let cards = ["Pictures", "Text", "Price", "Visibility", "Stock", "Categories", "As members see it"];
    for path in [PRODUCT, "/new-product"] {
        let page = browser.page(path).await;
        let headings: Vec<_> =
            page.split("<h2>").skip(1).map(|rest| rest.split('<').next().unwrap()).collect();
        assert!(cards.iter().all(|card| headings.contains(card)), "{path}: {headings:?}");
        assert_eq!(page.matches("class=\"primary\"").count(), 1, "one primary button: {page}");
        assert!(page.len() < 60_000, "{path}: {}", page.len());
        assert_eq!(
            page.contains("data-sends"),
            path == PRODUCT,
            "a new product is sent with its picture: {page}"
        );
        assert_eq!(page.matches("<span aria-hidden=\"true\">points</span>").count(), 2, "{page}");
    }
    let page = browser.page(PRODUCT).await;
    let path = format!("<a href=\"{CONSOLE}/products?category=cups&amp;page=1\">Cups</a>");
    assert!(
        page.contains(&path) && page.contains("<span class=\"badge good\">Members see it</span>"),
        "{page}"
    );
    let reader = Browser::of(&server, Role::Support).await.page(PRODUCT).await;
    assert!(
        reader.contains("<fieldset class=\"bare\" disabled>") && !reader.contains("formaction"),
        "{reader}"
    );
}

/// Now, from a day on, and never.
#[tokio::test]
async fn a_choice_says_when_members_see_a_product() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let is_chosen =
        |page: &str, value: &str| page.contains(&format!("name=\"active\" value=\"{value}\" checked"));
    for (choice, day, active, later) in [
        ("", None, false, false),
        ("1", None, true, false),
        ("from", Some("2030-01-01T08:00"), true, true),
        ("", None, false, true),
        ("1", None, true, false),
    ] {
        let page = browser.page(PRODUCT).await;
        let values: Vec<_> =
            [("active", choice)].into_iter().chain(day.map(|day| ("published_at", day))).collect();
        let saved = browser.submit(&page, PRODUCT, &values).await;
        assert_eq!(saved.status, 303, "{choice}: {}", saved.text());
        let mug = stored(&server).await;
        assert_eq!(mug["active"], active, "{choice}");
        assert_eq!(mug["published_at"] == "2030-01-01T08:00:00.000000Z", later, "{choice}: {mug}");
        let page = browser.page(PRODUCT).await;
        assert!(is_chosen(&page, choice), "{choice}: {page}");
    }
}

#[tokio::test]
async fn a_reduced_price_says_by_how_much_and_a_mistake_stands_at_its_field() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    patch(&server, "mug", json!({"regular_price": 650, "sale_price": 450})).await;
    let page = browser.page(PRODUCT).await;
    assert!(page.contains("<span class=\"hint-text\">30% less</span>"), "{page}");
    let values =
        [("active", "from"), ("published_at", "soon"), ("thumbnail", "x"), ("gallery", "javascript:x()")];
    let refused = browser.submit(&page, PRODUCT, &values).await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    let text = refused.text();
    for (field, mistake) in [
        ("name=\"published_at\"", "This must be a date and a time"),
        ("name=\"thumbnail\"", "This must be an address"),
        ("name=\"gallery\"", "Item 1: This must be an address"),
    ] {
        let (_, rest) = text.split_once(field).unwrap();
        assert!(rest.split("</label>").next().unwrap().contains(mistake), "{field}: {text}");
    }
    assert!(text.contains("<details class=\"panel wide\" open><summary>Use an address"), "{text}");
    assert!(
        text.contains("<div class=\"\"><label class=\"field\"><span>Visible from"),
        "the field is not folded: {text}"
    );
}

#[tokio::test]
async fn the_last_changes_are_for_who_may_read_the_audit_log() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    for title in ["One", "Two", "Three", "Four"] {
        let page = browser.page(PRODUCT).await;
        let values = [("title", title), ("sku", title)];
        assert_eq!(browser.submit(&page, PRODUCT, &values).await.status, 303);
    }
    let page = browser.page(PRODUCT).await;
    let (_, card) = page.split_once("<h2>Last changes</h2>").unwrap();
    let card = card.split("</section>").next().unwrap();
    assert_eq!(card.matches("<strong>The owner</strong> changed ").count(), 4, "{card}");
    assert!(card.contains("<ins>Four</ins>"), "{card}");
    assert!(card.contains(&format!("href=\"{CONSOLE}/audit-log?object=product%3Amug\"")), "{card}");
    let support = Browser::of(&server, Role::Support).await.page(PRODUCT).await;
    assert!(!support.contains("Last changes") && !support.contains("audit-log"), "{support}");
}

/// Pieces of the last weeks are known when the figures are counted, and a stock lasts as long as they say.
#[tokio::test]
async fn what_was_ordered_says_how_long_the_stock_lasts() {
    let server = TestServer::with_sample().await;
    server.award(10_000).await;
    server.ordered("plate", 2).await;
    let browser = Browser::of(&server, Role::Manager).await;
    for path in ["/products", "/products/plate"] {
        assert!(!browser.page(path).await.contains("Ordered, 28 days"), "nothing is counted yet");
    }
    // Who reads a report counts what is new.
    let token = server.issue_super_user().await;
    let report = server.request(Method::GET, "/v1/manage/reports/products", &token).send().await;
    assert_eq!(report.status, 200, "{}", report.text());
    let page = browser.page("/products/plate").await;
    assert!(
        page.contains("<dt>Ordered, 28 days</dt><dd>2</dd>") && page.contains("lasts about 14 days"),
        "{page}"
    );
    assert!(!browser.page(PRODUCT).await.contains("lasts about"), "its stock is unlimited");
    let list = browser.page("/products?search=plate").await;
    let (_, row) = list.split_once("<tbody>").unwrap();
    let cell = row.split("</tr>").next().unwrap().rsplit("<td").next().unwrap();
    assert!(cell.ends_with(">2</td>"), "{row}");
}
