//! The heads of the list of products that sort it.

use pointbook_domain::Role;

use super::operator::{Browser, CONSOLE};
use crate::harness::TestServer;

/// The titles of the rows, in order, by their ids.
fn ids(page: &str) -> String {
    let (_, rows) = page.split_once("<tbody>").unwrap();
    let link = format!("href=\"{CONSOLE}/products/");
    rows.split(&link).skip(1).map(|rest| rest.split('"').next().unwrap()).collect::<Vec<_>>().join(" ")
}

/// The attributes of the head with this text, and what is in it.
fn head<'p>(page: &'p str, text: &str) -> &'p str {
    let (_, head) = page.split_once("<thead>").unwrap();
    let head = head.split("</thead>").next().unwrap();
    head.split("<th ")
        .find(|cell| cell.contains(&format!(">{text}<")))
        .unwrap_or_else(|| panic!("{text}: {head}"))
}

#[tokio::test]
async fn a_head_sorts_and_a_second_press_turns_the_order_round() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Support).await;
    let plain = browser.page("/products?category=kitchen").await;
    assert!(!plain.contains("aria-sort"), "{plain}");
    for (text, first, second) in [("Points", "price", "-price"), ("In open orders", "-reserved", "reserved")]
    {
        for (query, state, next) in [
            (String::new(), None, first),
            (format!("&sort={first}"), Some(first), second),
            (format!("&sort={second}"), Some(second), first),
        ] {
            let page = browser.page(&format!("/products?category=kitchen{query}")).await;
            let cell = head(&page, text);
            let state = state.map(|by| {
                if by.starts_with('-') { "aria-sort=\"descending\"" } else { "aria-sort=\"ascending\"" }
            });
            assert_eq!(cell.contains("aria-sort"), state.is_some(), "{query}: {cell}");
            assert!(state.is_none_or(|state| cell.contains(state)), "{query}: {cell}");
            let link = format!("href=\"{CONSOLE}/products?category=kitchen&amp;sort={next}&amp;page=1\"");
            assert!(cell.contains(&link), "{query}: {cell}");
            assert_eq!(page.matches("aria-sort").count(), usize::from(!query.is_empty()), "{query}");
        }
    }
    let cheap = browser.page("/products?category=kitchen&sort=price").await;
    let dear = browser.page("/products?category=kitchen&sort=-price").await;
    assert_eq!(ids(&cheap).split(' ').next(), Some("cafe"), "{cheap}");
    assert_eq!(ids(&dear).split(' ').next(), Some("strasse"), "{dear}");
    assert!(
        cheap.contains("<input type=\"hidden\" name=\"sort\" value=\"price\">"),
        "the search keeps the order"
    );
    let bad = browser.page("/products?sort=x").await;
    assert!(!bad.contains("aria-sort") && ids(&bad).starts_with("cafe "), "{bad}");
}

#[tokio::test]
async fn pages_and_chips_keep_the_order() {
    let server = TestServer::with_products(60).await;
    let browser = Browser::of(&server, Role::Manager).await;
    let page = browser.page("/products?max=100000&sort=-title").await;
    assert!(page.contains("products?max=100000&amp;sort=-title&amp;page=2"), "{page}");
    assert!(page.contains("products?sort=-title&amp;page=1\""), "the chip of the price: {page}");
    let second = browser.page("/products?max=100000&sort=-title&page=2").await;
    let all = format!("{} {}", ids(&page), ids(&second));
    let mut sorted: Vec<_> = all.split(' ').collect();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), 60, "each product is on one page");
    assert!(page.len() < 60_000, "{}", page.len());
}
