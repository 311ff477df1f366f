//! The newest events.

use pointbook_domain::Role;

use super::keys::between;
use super::operator::Browser;
use crate::harness::TestServer;

#[tokio::test]
async fn the_newest_events_are_first_with_their_json() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Auditor).await;
    server.award(1_000).await;
    server.ordered("mug", 1).await;
    let page = browser.page("/events").await;
    let place =
        |text: &str| page.find(&format!("<code>{text}</code>")).unwrap_or_else(|| panic!("{text}: {page}"));
    assert!(place("transaction.recorded") < place("order.placed"));
    assert!(page.contains("&quot;user_id&quot;: &quot;u1&quot;"), "{page}");
    let orders = browser.page("/events?type=order.placed").await;
    assert!(
        !orders.contains("<code>transaction.recorded</code>") && orders.contains("<code>order.placed</code>")
    );
    let none = browser.page("/events?type=campaign.started").await;
    assert!(none.contains("No event of this type."), "{none}");
}

#[tokio::test]
async fn an_empty_feed_says_what_fills_it() {
    let server = TestServer::start().await;
    let browser = Browser::of_staging(&server, Role::Owner).await;
    let page = browser.page("/events").await;
    assert!(page.contains("The feed is empty."), "{page}");
}

#[tokio::test]
async fn older_events_are_on_further_pages_without_gap_or_repetition() {
    let server = TestServer::with_sample().await;
    for points in 1..=45 {
        server.award(points).await;
    }
    let browser = Browser::of(&server, Role::Owner).await;
    let (mut path, mut ids) = ("/events?type=transaction.recorded".to_owned(), Vec::new());
    loop {
        let page = browser.page(&path).await;
        let on_page = page.split("evt_").skip(1).filter_map(|rest| rest.split_once("</span>"));
        ids.extend(on_page.map(|(id, _)| id.to_owned()).filter(|id| id.len() < 12));
        if !page.contains("rel=\"next\"") {
            break;
        }
        path = between(&page, "rel=\"next\" href=\"/console/shop", "\"").replace("&amp;", "&");
        assert!(ids.len() <= 45, "{ids:?}");
    }
    let mut distinct = ids.clone();
    distinct.dedup();
    assert_eq!((ids.len(), distinct.len()), (45, 45), "{ids:?}");
    for odd in ["?before=0", "?before=x", "?before=18446744073709551615", "?type=nonsense"] {
        browser.page(&format!("/events{odd}")).await;
    }
}
