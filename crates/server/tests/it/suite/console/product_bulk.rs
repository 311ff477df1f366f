//! Products that an operator ticks in the list and changes together.

use http::Method;
use pointbook_domain::Role;
use serde_json::{Value, json};

use super::category_places::logged;
use super::operator::{Browser, CONSOLE};
use crate::client::Answer;
use crate::harness::TestServer;
use crate::suite::forms::fields;

async fn stored(server: &TestServer, id: &str) -> Value {
    let token = server.issue_super_user().await;
    server.request(Method::GET, &format!("/v1/manage/products/{id}"), &token).send().await.json()["data"]
        .clone()
}

/// Sends the form of the list at this address, with these values in place of those on the page.
async fn send(browser: &Browser<'_>, page: &str, path: &str, values: &[(&str, &str)]) -> Answer {
    let own = fields(page, &format!("{CONSOLE}{}", path.replace('&', "&amp;")));
    let own = own.iter().filter(|(name, _)| !values.iter().any(|(changed, _)| changed == name));
    let own = own.map(|(name, value)| (&**name, &**value));
    browser.post(path, &own.chain(values.iter().copied()).collect::<Vec<_>>()).await
}

/// Ticks these products in the list, types these values, and presses the button with this value.
async fn press(
    browser: &Browser<'_>,
    page: &str,
    ids: &[&str],
    button: &str,
    typed: &[(&str, &str)],
) -> Answer {
    let ticked = ids.iter().map(|id| ("product", *id));
    let values: Vec<_> = ticked.chain(typed.iter().copied()).chain([("change", button)]).collect();
    send(browser, page, "/products?page=1", &values).await
}

#[tokio::test]
async fn each_button_of_the_bar_changes_the_ticked_products() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    for (button, typed, member, expected) in [
        ("stock", &[("stock", "12")][..], "stock", json!(12)),
        ("stock_difference", &[("stock_difference", "-2")], "stock", json!(10)),
        ("unlimited", &[], "stock", Value::Null),
        ("regular_price", &[("regular_price", "1,200")], "regular_price", json!(1200)),
        ("regular_price", &[("sale_price", "900")], "sale_price", json!(900)),
        ("regular_price", &[("no_sale", "1")], "sale_price", Value::Null),
        ("hide", &[], "active", json!(false)),
        ("show", &[], "active", json!(true)),
        ("popular", &[], "popular", json!(true)),
        ("usual", &[], "popular", json!(false)),
    ] {
        let known = logged(&server, "product.change").await;
        let page = browser.page("/products").await;
        let done = press(&browser, &page, &["mug", "plate"], button, typed).await;
        assert!(done.status == 200 && done.text().contains("Changed: "), "{button}: {}", done.text());
        for id in ["mug", "plate"] {
            assert_eq!(stored(&server, id).await[member], expected, "{button} {id}");
        }
        assert!(logged(&server, "product.change").await > known, "{button}");
        assert!(!done.text().contains(" checked"), "nothing stays ticked");
    }
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn the_page_names_each_product_that_was_refused_and_why() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let page = browser.page("/products").await;
    let ids = ["mug", "plate", "gone"];
    let done = press(&browser, &page, &ids, "stock_difference", &[("stock_difference", "4")]).await;
    let text = done.text();
    for part in ["Changed: 1 of 3.", "<a href=\"#refused\">Not possible: 2. See why</a>"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (_, refused) = text.split_once("id=\"refused\"").unwrap();
    for part in
        ["Blue mug", "The stock is unlimited", "The product does not exist any more.", "/products/gone\""]
    {
        assert!(refused.contains(part), "{part}: {refused}");
    }
    assert!(!refused.contains("/products/plate\""), "{refused}");
    // The same form again adds nothing.
    let again = press(&browser, &page, &ids, "stock_difference", &[("stock_difference", "4")]).await;
    assert!(again.text().contains("This form was sent before"), "{}", again.text());
    let other = press(&browser, &page, &["plate"], "hide", &[]).await;
    assert!(other.status == 422 && other.text().contains("with other values"), "{}", other.text());
    let plate = stored(&server, "plate").await;
    assert_eq!((&plate["stock"], &plate["active"]), (&json!(7), &json!(true)));
}

#[tokio::test]
async fn a_mistake_changes_nothing_and_keeps_what_was_ticked_and_typed() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let (page, before) = (browser.page("/products?search=mug").await, server.stored().await);
    for (ids, button, typed, text) in [
        (&[][..], "hide", &[][..], "Tick the products first."),
        (&["mug"], "stock", &[("stock", "")], "Type a number first."),
        (&["mug"], "stock", &[("stock", "-1")], "This is too small."),
        (&["mug"], "stock", &[("stock", "1.5")], "This must be a whole number."),
        (&["mug"], "stock_difference", &[("stock_difference", "0")], "This must not be 0."),
        (&["mug"], "regular_price", &[], "Type a number first."),
    ] {
        let ticked = ids.iter().map(|id| ("product", *id));
        let values: Vec<_> = ticked.chain(typed.iter().copied()).chain([("change", button)]).collect();
        let refused = send(&browser, &page, "/products?search=mug&page=1", &values).await;
        assert!(refused.status == 422 && refused.text().contains(text), "{button}: {}", refused.text());
        assert_eq!(refused.text().matches(" checked").count(), ids.len(), "{button}");
        let menu = if button == "regular_price" { "Change price" } else { "Set stock" };
        let open = format!("<details class=\"menu left\" open><summary class=\"button\">{menu}</summary>");
        assert_eq!(refused.text().contains(&open), button != "hide", "{button}: its menu stays open");
        for (name, value) in typed {
            assert!(
                refused.text().contains(&format!("name=\"{name}\" value=\"{value}\"")),
                "{}",
                refused.text()
            );
        }
        assert!(refused.text().contains("name=\"search\" value=\"mug\""), "the list is the same");
    }
    // Enter in a field presses a button that stands for nothing.
    let entered =
        send(&browser, &page, "/products?search=mug&page=1", &[("product", "mug"), ("stock", "4")]).await;
    assert!(entered.status == 422 && entered.text().contains("Press the button"), "{}", entered.text());
    let unknown = press(&browser, &browser.page("/products").await, &["mug"], "burn", &[]).await;
    assert_eq!(unknown.status, 400);
    assert!(server.stored().await == before);
}

#[tokio::test]
async fn who_may_not_change_products_has_no_boxes() {
    let server = TestServer::with_sample().await;
    let manager = Browser::of(&server, Role::Manager).await;
    let page = manager.page("/products").await;
    assert_eq!(page.matches("type=\"checkbox\" name=\"product\"").count(), 9, "{page}");
    let head = "<td class=\"tick\"><input type=\"checkbox\" data-all hidden aria-label=\"Select all on this page\"></td>";
    assert!(page.contains(head) && !page.contains("details class=\"menu left\" open"), "{page}");
    assert!(page.contains(&format!("action=\"{CONSOLE}/products?page=1\"")), "{page}");
    let reader = Browser::of(&server, Role::Support).await;
    let page = reader.page("/products").await;
    assert!(!page.contains("name=\"product\"") && !page.contains("class=\"bulk\""), "{page}");
    let token = reader.form_token().await;
    let sent = [("form", &*token), ("product", "mug"), ("change", "hide")];
    assert_eq!(reader.post("/products", &sent).await.status, 403);
}
