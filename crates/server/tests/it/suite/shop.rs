//! The pages of the shop, by plain HTTP.

mod app;
mod browser;
mod every_page;
mod filters;
mod front_door;
mod gifts;
mod history;
mod refusals;
mod sign_in;
mod snapshots;

use http::Method;
use serde_json::json;

use crate::harness::TestServer;
use browser::{Browser, SHOP, fields, with_shop};

#[tokio::test]
async fn a_member_orders_and_cancels_and_the_history_shows_both() {
    let server = with_shop().await;
    server.award(10_000).await;
    let browser = Browser::of(&server, "u1").await;
    let list = browser.page("").await;
    assert!(
        list.contains("10,000 points") && list.contains(&format!("href=\"{SHOP}/products/mug\"")),
        "{list}"
    );
    let product = browser.page("/products/mug").await;
    assert_eq!(fields(&product, &format!("{SHOP}/order"))[1], ("quantity".to_owned(), "1".to_owned()));
    let question = browser.page("/order?product=mug&quantity=2").await;
    let placed = browser.submit(&question, "/orders").await;
    let again = browser.submit(&question, "/orders").await;
    assert_eq!(placed.header("location"), again.header("location"), "the form was sent twice");
    let order = placed.header("location").unwrap().strip_prefix(SHOP).unwrap();
    let page = browser.page(order).await;
    assert!(page.contains("Thank you. The order is placed."), "{page}");
    let (path, _) = order.split_once('?').unwrap();
    let cancelled = browser.submit(&page, &format!("{path}/cancel")).await;
    let after = cancelled.header("location").unwrap().strip_prefix(SHOP).unwrap();
    assert_eq!(after, format!("{path}?cancelled"));
    let page = browser.page(after).await;
    assert!(page.contains("The order is cancelled. You have your points back."), "{page}");
    assert!(page.contains("data-status=\"cancelled\"") && !page.contains("/cancel\""), "{page}");
    // An old address says nothing that is untrue by now.
    assert!(!browser.page(order).await.contains("class=\"toast\""));
    let points = browser.page("/points").await;
    assert!(points.contains("1 order, 1 refund") && points.contains("10,000 points"), "{points}");
    assert!(browser.page("/orders").await.contains("Cancelled"));
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_refused_order_says_why_and_takes_nothing() {
    let server = with_shop().await;
    server.award(501).await;
    let browser = Browser::of(&server, "u1").await;
    let question = browser.page("/order?product=mug&quantity=1").await;
    // The points are spent elsewhere before the member confirms.
    server.ordered("mug", 1).await;
    let refused = browser.submit(&question, "/orders").await;
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("Your points are not enough."), "{}", refused.text());
    assert!(!refused.text().contains("Order now"), "{}", refused.text());
    assert_eq!(browser.submit(&question, "/orders").await.status, 422, "the same form again");
    assert_eq!(server.balance().await, 1);
    let product = browser.page("/products/mug").await;
    assert!(product.contains("more for this gift") && !product.contains("/order\""), "{product}");
    // With enough points, the same form asks again.
    server.award(500).await;
    let asked = browser.submit(&question, "/orders").await;
    assert!(asked.status == 200 && asked.text().contains("Order now"), "{}", asked.text());
    assert_eq!(server.balance().await, 501);
    assert_eq!(browser.submit(asked.text(), "/orders").await.status, 303);
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn without_the_setting_members_cannot_cancel() {
    let server = with_shop().await;
    server.award(10_000).await;
    server.set("members_cancel_orders", "false").await;
    let browser = Browser::of(&server, "u1").await;
    let path = format!("/orders/{}", server.ordered("mug", 1).await);
    let page = browser.page(&path).await;
    assert!(!page.contains("/cancel\""), "{page}");
    let token = fields(&page, &format!("{SHOP}/sign-out"));
    browser.post(&format!("{path}/cancel"), &[("form", &token[0].1)]).await;
    assert!(browser.page(&path).await.contains("data-status=\"placed\""));
}

#[tokio::test]
async fn a_member_sees_no_order_of_another_one() {
    let server = with_shop().await;
    server.award(10_000).await;
    let path = format!("/orders/{}", server.ordered("mug", 1).await);
    let stranger = Browser::of(&server, "stranger").await;
    assert_eq!(stranger.get(&path).await.status, 404);
    let token = fields(&stranger.page("").await, &format!("{SHOP}/sign-out"));
    assert_eq!(stranger.post(&format!("{path}/cancel"), &[("form", &token[0].1)]).await.status, 404);
}

#[tokio::test]
async fn a_tenant_without_a_shop_has_neither_pages_nor_links() {
    let server = TestServer::with_sample().await;
    let browser = Browser::new(&server);
    assert_eq!(browser.get("").await.header("error-code"), Some("unknown_base_url"), "for a program");
    let page = browser.call(Method::GET, "").header("accept", "text/html").send().await;
    assert!(page.status == 404 && page.text().contains("Page not found"), "{}", page.text());
    let token = server.issue_super_user().await;
    let made = server.post("/v1/auth/links", &token).json(&json!({"user_id": "u1"})).send().await;
    assert_eq!((made.status.as_u16(), &made.json()["code"]), (409, &json!("no_shop")));
}

#[tokio::test]
async fn a_price_that_changed_is_shown_before_it_is_paid() {
    let server = with_shop().await;
    server.award(10_000).await;
    let browser = Browser::of(&server, "u1").await;
    let question = browser.page("/order?product=mug&quantity=1").await;
    server.add_changed_product("mug", |mug| mug.regular_price = pointbook_testkit::build::price(900)).await;
    let asked = browser.submit(&question, "/orders").await;
    assert!(asked.status == 422 && asked.text().contains("The price has changed."), "{}", asked.text());
    assert_eq!(server.balance().await, 10_000);
    let placed = browser.submit(asked.text(), "/orders").await;
    assert_eq!((placed.status.as_u16(), server.balance().await), (303, 9_100));
}

/// The response to the first form may get lost, so the member sends it again.
#[tokio::test]
async fn a_form_that_is_sent_again_after_a_change_of_the_price_orders_once() {
    let server = with_shop().await;
    server.award(10_000).await;
    let browser = Browser::of(&server, "u1").await;
    let question = browser.page("/order?product=mug&quantity=1").await;
    let placed = browser.submit(&question, "/orders").await;
    server.add_changed_product("mug", |mug| mug.regular_price = pointbook_testkit::build::price(900)).await;
    let asked = browser.submit(&question, "/orders").await;
    let again = browser.submit(asked.text(), "/orders").await;
    assert_eq!(placed.header("location"), again.header("location"));
    assert_eq!(server.balance().await, 9_500);
}

#[tokio::test]
async fn a_product_that_left_the_shop_says_so() {
    let server = with_shop().await;
    server.award(10_000).await;
    let browser = Browser::of(&server, "u1").await;
    let question = browser.page("/order?product=mug&quantity=1").await;
    let token = server.issue_super_user().await;
    let retired = server.request(Method::DELETE, "/v1/manage/products/mug", &token).send().await;
    assert_eq!(retired.status, 200, "{}", retired.text());
    let page = browser.submit(&question, "/orders").await;
    assert!(page.status == 422 && page.text().contains("not available any more"), "{}", page.text());
}

#[tokio::test]
async fn lists_beyond_their_end_say_so_and_lead_back() {
    let server = with_shop().await;
    server.award(10_000).await;
    server.ordered("mug", 1).await;
    let browser = Browser::of(&server, "u1").await;
    for path in ["?page[number]=9", "/orders?page[number]=9", "/points?page[number]=9"] {
        let page = browser.page(path).await;
        assert!(page.contains("This list has no page 9."), "{path}: {page}");
        assert!(
            page.contains("page%5Bnumber%5D=1\">First page") && !page.contains("Last page"),
            "{path}: {page}"
        );
        for untrue in ["No gifts match", "not ordered anything", "not collected any", "Page 9 of"] {
            assert!(!page.contains(untrue), "{path}: {untrue}");
        }
    }
    let page = browser.page("?page[size]=2&page[number]=9").await;
    assert!(page.contains("page%5Bsize%5D=2&amp;page%5Bnumber%5D=1\">First page"), "{page}");
    assert!(page.contains("page%5Bsize%5D=2&amp;page%5Bnumber%5D=4\">Last page"), "{page}");
    // An empty list says only that it is empty.
    let page = browser.page("?filter[title]=nosuchthing&page[number]=9").await;
    assert!(page.contains("No gifts match") && !page.contains("no page 9"), "{page}");
}
