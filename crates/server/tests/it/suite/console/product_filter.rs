//! The filter of the list of products.

use pointbook_domain::Role;

use super::operator::Browser;
use crate::harness::TestServer;

/// The ids in the second column of the list.
fn listed(page: &str) -> String {
    let Some((_, body)) = page.split_once("<tbody>") else { return String::new() };
    let ids = body.split("/console/shop/products/").skip(1).map(|rest| rest.split('"').next().unwrap());
    ids.collect::<Vec<_>>().join(" ")
}

#[tokio::test]
async fn the_list_has_the_filters_of_customers_and_one_for_hidden_products() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Support).await;
    for (query, expected) in [
        ("category=kitchen", "cafe inactive mug plate strasse tomorrow"),
        ("category=gifts-not-in-the-tree", "gift"),
        ("category=%0A", "cafe gift inactive mug plate strasse tea tomorrow wine"),
        ("min=800&max=9%2C000", "gift strasse wine"),
        ("max=８０", "tea"),
        ("reduced=1", "cafe tea"),
        ("popular=1", "gift mug"),
        ("low=1", "wine plate"),
        ("new=1&category=cups", "cafe inactive mug"),
        ("hidden=1", "inactive"),
        ("hidden=1&popular=1", ""),
        ("search=mug&category=cups&max=500", "inactive mug tomorrow"),
    ] {
        let page = browser.page(&format!("/products?{query}")).await;
        assert_eq!(listed(&page), expected, "{query}: {page}");
        assert!(!page.contains("role=\"alert\""), "{query}: {page}");
    }
    let page = browser.page("/products?category=cups&min=100&new=1&hidden=1").await;
    for kept in ["value=\"cups\" selected", "name=\"min\" value=\"100\"", "name=\"new\" value=\"1\" checked"]
    {
        assert!(page.contains(kept), "{kept}: {page}");
    }
    let bad = browser.page("/products?min=1.5&popular=1").await;
    assert!(bad.contains("Lowest price: This must be a whole number."), "{bad}");
    assert_eq!(listed(&bad), "gift mug", "a price that is no number restricts nothing");
}

/// Each chip leads to the list without its filter alone.
#[tokio::test]
async fn what_restricts_a_list_is_removed_one_by_one() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let page = browser.page("/products?search=mug&category=cups&max=500&hidden=1").await;
    let (_, chips) = page.split_once("id=\"chips\">").unwrap();
    let chips = chips.split_once("<details").unwrap().0;
    let links: Vec<_> =
        chips.split("?search=mug").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let expected =
        ["&amp;max=500&amp;hidden=1", "&amp;category=cups&amp;hidden=1", "&amp;category=cups&amp;max=500"];
    assert_eq!(links, expected.map(|rest| format!("{rest}&amp;page=1")), "{chips}");
    for text in ["Cups", "up to 500 points", "hidden"] {
        assert!(chips.contains(text), "{text}: {chips}");
    }
    assert!(!browser.page("/products?search=mug").await.contains("class=\"chip\""));
}

#[tokio::test]
async fn pages_of_a_filtered_list_keep_the_filter() {
    let server = TestServer::with_products(60).await;
    let browser = Browser::of(&server, Role::Manager).await;
    let page = browser.page("/products?max=600&search=p0&category=").await;
    assert!(page.contains("products?search=p0&amp;max=600&amp;page=2"), "{page}");
}

#[tokio::test]
async fn a_page_beyond_the_last_one_does_not_say_that_the_list_is_empty() {
    let server = TestServer::with_sample().await;
    server.award(600).await;
    server.ordered("mug", 1).await;
    let browser = Browser::of(&server, Role::Owner).await;
    for list in ["/products", "/categories", "/members", "/orders"] {
        let page = browser.page(&format!("{list}?page=9")).await;
        assert!(page.contains("This list has no page 9."), "{list}: {page}");
        assert_eq!(page.matches("class=\"empty\"").count(), 1, "{list}: {page}");
    }
    let none = browser.page("/products?search=nothing&page=9").await;
    assert_eq!(none.matches("class=\"empty\"").count(), 1, "{none}");
    assert!(!none.contains("This list has no page 9."), "{none}");
}
