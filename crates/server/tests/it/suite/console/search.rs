//! The search of the console.

use pointbook_domain::{Locale, Role};

use super::operator::Browser;
use crate::harness::TestServer;

#[tokio::test]
async fn an_exact_hit_opens_and_a_part_lists() {
    let server = TestServer::with_sample().await;
    server.award(1_000).await;
    let order = server.ordered("mug", 1).await;
    let owner = Browser::of(&server, Role::Owner).await;
    let path = |text: &str| format!("/search?q={text}");
    let at = async |text: &str| {
        let answer = owner.get(&path(text)).await;
        assert_eq!(answer.status, 303, "{text}: {}", answer.text());
        answer.header("location").unwrap().strip_prefix("/console/shop").unwrap().to_owned()
    };
    assert_eq!(at("u1").await, "/members/u1");
    assert_eq!(at("%20mug%20").await, "/products/mug");
    assert_eq!(at("SKU-mug").await, "/products/mug");
    assert_eq!(at(&order).await, format!("/orders/{order}"));
    let page = owner.page("/members/u1").await;
    let (_, ledger) = page.split_once("<tbody>").unwrap();
    let source = ledger.split("class=\"mono quiet\">").nth(1).unwrap().split('<').next().unwrap();
    let row = at(&format!("u1+{source}")).await;
    assert!(row.starts_with("/members/u1/transactions/"), "{row}");
    let part = owner.page(&path("MUG")).await;
    assert!(part.contains("Blue mug") && part.contains("/products/inactive"), "{part}");
    let none = owner.page(&path("%3Ci%3Enothing")).await;
    assert!(
        none.contains("Nothing found for “&lt;i&gt;nothing”") && none.contains("ledgers are kept by member"),
        "{none}"
    );
    for odd in ["", "%00", "+", &*"a".repeat(2_000)] {
        owner.page(&path(odd)).await;
    }
}

#[tokio::test]
async fn a_role_finds_only_what_it_may_see() {
    let server = TestServer::with_sample().await;
    server.award(1_000).await;
    let order = server.ordered("mug", 1).await;
    let fulfilment = Browser::of(&server, Role::Fulfilment).await;
    assert_eq!(fulfilment.get(&format!("/search?q={order}")).await.status, 303);
    for text in ["u1", "mug"] {
        let page = fulfilment.page(&format!("/search?q={text}")).await;
        assert!(
            page.contains("Nothing found") && !page.contains("/members/") && !page.contains("/products/"),
            "{page}"
        );
    }
    let analyst = Browser::of(&server, Role::Analyst).await;
    assert!(!analyst.page("/sessions").await.contains("role=\"search\""));
    let page = analyst.page(&format!("/search?q={order}")).await;
    assert!(page.contains("Your role finds nothing here."), "{page}");
    let owner = Browser::of(&server, Role::Owner).await;
    assert!(owner.page("/sessions").await.contains("role=\"search\""));
}

#[tokio::test]
async fn white_space_between_words_does_not_matter() {
    let server = TestServer::with_sample().await;
    server.know_user("new one", "1984-02-29", Locale::new("ja").unwrap()).await;
    server.add_changed_product("cup", |product| product.title = "青い\u{3000}マグ".to_owned()).await;
    let owner = Browser::of(&server, Role::Owner).await;
    let query = |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
    for (typed, found) in [
        ("blue\u{3000}mug", "/products/mug\""),
        (" BLUE   mug\u{3000}", "/products/mug\""),
        ("blue\t mug", "/products/mug\""),
        // The title has U+3000 itself.
        ("青い\u{3000}マグ", "/products/cup\""),
    ] {
        let page = owner.page(&format!("/search?q={}", query(typed))).await;
        assert!(page.contains(found), "{typed}: {page}");
    }
    let exact = owner.get(&format!("/search?q={}", query("new\u{3000}one"))).await;
    assert_eq!(exact.header("location"), Some("/console/shop/members/new%20one"), "{}", exact.text());
    let members = owner.page(&format!("/members?search={}", query("\u{3000}NEW  one"))).await;
    assert!(members.contains("/members/new%20one\"") && members.contains("value=\"NEW one\""), "{members}");
}
