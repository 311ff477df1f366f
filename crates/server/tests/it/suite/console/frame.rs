//! What stands around every page, the overview, and the head of a page.

use pointbook_domain::Role;

use super::operator::Browser;
use crate::harness::{Act, TestServer};

/// The link to a section, up to its end.
fn section<'p>(page: &'p str, path: &str) -> &'p str {
    let (_, rest) = page.split_once(&format!("href=\"/console/shop{path}\" data-letter")).unwrap();
    rest.split_once("</a>").unwrap().0
}

#[tokio::test]
async fn sections_say_how_many_things_they_have_and_what_waits() {
    let server = TestServer::with_sample().await;
    server.award(10_000).await;
    let owner = Browser::of(&server, Role::Owner).await;
    let page = owner.page("/reports").await;
    assert!(!section(&page, "/orders").contains("count"), "nothing waits: {page}");
    assert!(section(&page, "/products").contains("<span class=\"count\">9</span>"), "{page}");
    server.ordered("mug", 1).await;
    let order = server.ordered("mug", 1).await;
    // Counts are ten seconds old at most.
    server.advance_seconds(11);
    let page = owner.page("/reports").await;
    let orders = section(&page, "/orders");
    assert!(
        orders.contains("<span class=\"count due\">2<span class=\"unseen\"> wait</span></span>"),
        "{page}"
    );
    // What operators do themselves shows at once.
    let shown = owner.page(&format!("/orders/{order}")).await;
    assert_eq!(owner.submit(&shown, &format!("/orders/{order}/fulfil"), &[]).await.status, 303);
    let page = owner.page("/reports").await;
    assert!(section(&page, "/orders").contains("count due\">1<"), "{page}");
    // A role sees its own sections alone, in groups that are not empty.
    let page = Browser::of(&server, Role::Fulfilment).await.page("/orders").await;
    assert_eq!(page.matches("data-letter=").count(), 1, "{page}");
    assert!(!page.contains("<h2>Catalogue</h2>") && !page.contains("<h2>System</h2>"), "{page}");
}

#[tokio::test]
async fn the_frame_leads_to_the_same_section_of_staging_when_it_has_operators() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let link = "href=\"/console/shop.staging/products\"";
    assert!(!owner.page("/products").await.contains(link), "nobody can open the console of staging");
    let staging = Browser::of_staging(&server, Role::Owner).await;
    let page = owner.page("/products").await;
    assert!(page.contains(link) && !page.contains("in-staging"), "{page}");
    let page = staging.page("/products").await;
    assert!(page.contains("in-staging") && page.contains("href=\"/console/shop/products\""), "{page}");
}

#[tokio::test]
async fn a_page_has_the_way_to_its_section() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let way = "<nav class=\"way\"";
    assert!(!owner.page("/products").await.contains(way));
    let product = owner.page("/products/mug").await;
    let (_, above) = product.split_once(way).unwrap();
    assert!(
        above.split_once("</nav>").unwrap().0.contains("href=\"/console/shop/products\">Products<"),
        "{product}"
    );
}

#[tokio::test]
async fn the_overview_compares_a_period_with_the_one_before() {
    let server = TestServer::with_sample().await;
    let before = Act::new("code", 300, "2026-02-20T10:00:00Z");
    server.record(&[before, Act::new("quiz", 400, "2026-02-27T10:00:00Z")]).await;
    let owner = Browser::of(&server, Role::Owner).await;
    let tile = |page: &str| {
        let (_, rest) = page.split_once("/reports/points\">Points earned with bonuses<").unwrap();
        rest.split_once("</section>").unwrap().0.to_owned()
    };
    let week = tile(&owner.page("?days=7").await);
    assert!(
        week.contains("<strong>400</strong>") && week.contains("▲ 33.3%") && week.contains("from 300"),
        "{week}"
    );
    for (query, days) in [("", 28), ("?days=90", 90), ("?days=9", 28), ("?days=-7", 28), ("?days=x", 28)] {
        let page = owner.page(query).await;
        assert!(page.contains(&format!("aria-current=\"true\">{days} days<")), "{query}: {page}");
        let tile = tile(&page);
        assert!(tile.contains("<strong>700</strong>") && tile.contains("▲ 700</span> from 0"), "{tile}");
    }
}

#[tokio::test]
async fn the_overview_shows_low_stock_and_the_orders_of_the_queue_to_roles_that_may_see_them() {
    let server = TestServer::with_sample().await;
    server.award(10_000).await;
    server.ordered("mug", 1).await;
    let owner = Browser::of(&server, Role::Owner).await.page("").await;
    for text in ["Orders that wait: 1", "Low stock", "Set stock", "Running campaigns: 0", "Top gifts"] {
        assert!(owner.contains(text), "{text}: {owner}");
    }
    let low = owner.split_once("<h2>Low stock</h2>").unwrap().1;
    assert!(low.find("sold out").unwrap() < low.find("left").unwrap(), "what is sold out comes first: {low}");
    assert!(low.find("Red wine").unwrap() < low.find("Plate").unwrap(), "{low}");
    let analyst = Browser::of(&server, Role::Analyst).await.page("").await;
    for text in ["Orders that wait", "Low stock", "Set stock", "Running campaigns"] {
        assert!(!analyst.contains(text), "{text}: {analyst}");
    }
    assert!(analyst.contains("Top gifts"), "{analyst}");
}

#[tokio::test]
async fn a_tenant_without_transactions_has_five_steps_in_place_of_figures() {
    let server = TestServer::start().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let page = owner.page("").await;
    assert!(page.contains("Set up The shop") && page.contains("1 of 5 done"), "{page}");
    assert!(page.contains("class=\"button primary\" href=\"/console/shop/new-product\""), "{page}");
    server.set("shop", "true").await;
    server.issue_super_user().await;
    let page = owner.page("").await;
    assert!(page.contains("3 of 5 done") && !page.contains("figure-issued"), "{page}");
    // A manager may neither change settings nor add keys; an analyst only reads figures.
    let manager = Browser::of(&server, Role::Manager).await.page("").await;
    assert!(manager.contains("3 of 5 done") && !manager.contains("/keys/new"), "{manager}");
    let analyst = Browser::of(&server, Role::Analyst).await.page("").await;
    assert!(analyst.contains("Points earned with bonuses") && !analyst.contains("of 5 done"), "{analyst}");
    server.award(100).await;
    let page = owner.page("").await;
    assert!(page.contains("Points earned with bonuses") && !page.contains("of 5 done"), "{page}");
}

#[tokio::test]
async fn an_empty_list_has_the_button_of_what_one_does_first_for_roles_that_may() {
    let server = TestServer::start().await;
    let (owner, auditor) =
        (Browser::of(&server, Role::Owner).await, Browser::of(&server, Role::Auditor).await);
    for (list, first, may_auditor_see) in [
        ("/products", "/new-product", true),
        ("/campaigns", "/new-campaign", true),
        ("/segments", "/imports", true),
        ("/reports/points", "/imports", true),
        ("/keys", "/keys/new", false),
        ("/webhooks", "/webhooks/new", false),
    ] {
        let button = format!("</p><a class=\"button\" href=\"/console/shop{first}\">");
        let page = owner.page(list).await;
        assert!(page.contains("<div class=\"empty\">") && page.contains(&button), "{list}: {page}");
        if may_auditor_see {
            let page = auditor.page(list).await;
            assert!(page.contains("class=\"empty\"") && !page.contains(&button), "{list}: {page}");
        }
    }
}
