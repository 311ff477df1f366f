//! Back-fills of campaigns in the console.

use http::Method;
use pointbook_domain::Role;

use super::campaigns::{manager, scan, with_activity};
use super::members::newest_row;
use super::operator::Browser;
use crate::harness::TestServer;

const PAGE: &str = "/campaigns/spring/back-fill";
const TEST: &str = "/campaigns/spring/back-test";

/// A draft that doubles points, an activity of 31 points, and a back-test that is done.
async fn tested(server: &TestServer) -> (Browser<'_>, String) {
    let (browser, token) = manager(server).await;
    with_activity(server, &token).await;
    test(server, &browser).await;
    (browser, token)
}

async fn test(server: &TestServer, browser: &Browser<'_>) {
    let page = browser.page("/campaigns/spring").await;
    let started = browser.submit(&page, TEST, &[("from", "2026-03-01"), ("until", "2026-03-01")]).await;
    assert_eq!(started.status, 303, "{}", started.text());
    server.run_job("back-test").await;
}

async fn points(server: &TestServer, token: &str) -> i64 {
    let user = server.request(Method::GET, "/v1/manage/users/u7", token).send().await.json();
    user["data"]["user_points"].as_i64().unwrap()
}

#[tokio::test]
async fn a_back_fill_gives_what_the_page_said_once() {
    let server = TestServer::with_sample().await;
    let none = Browser::of(&server, Role::Manager).await.page("/back-fills").await;
    assert!(none.contains("No campaign was back-filled yet."), "{none}");
    let (browser, token) = tested(&server).await;
    let campaign = browser.page("/campaigns/spring").await;
    assert!(campaign.contains("Give what it found") && campaign.contains(PAGE), "{campaign}");
    let page = browser.page(PAGE).await;
    assert!(page.contains("This campaign was not back-filled yet."), "{page}");
    assert!(page.contains("Bonuses: 1, points: 31") && !page.contains("data-again"), "{page}");
    for _ in 0..2 {
        let started = browser.submit(&page, PAGE, &[]).await;
        assert_eq!(started.status, 303, "{}", started.text());
    }
    let waits = browser.page(PAGE).await;
    assert!(waits.contains("data-again") && waits.contains("Waits"), "{waits}");
    assert!(waits.contains("Stop the back-fill") && !waits.contains("Give these bonuses"), "{waits}");
    server.run_job("back-fill").await;
    let done = browser.page(PAGE).await;
    assert!(done.contains("<strong>Done</strong>") && !done.contains("data-again"), "{done}");
    assert_eq!(points(&server, &token).await, 62);
    let row = browser.page(&newest_row(&browser, "/members/u7").await).await;
    assert!(row.contains("A back-fill of a campaign."), "{row}");
    // The same bonuses are not offered again.
    assert!(
        done.contains("have all of these bonuses already") && !done.contains("Give these bonuses"),
        "{done}"
    );
    // Who asked for it has a name, and the period its one day.
    let found = ["<dd>The manager</dd>", "<dd>1 March 2026</dd>"].map(|part| done.contains(part));
    assert_eq!(found, [true; 2], "{done}");
    let list = browser.page("/back-fills").await;
    for part in ["Spring &lt;b&gt;", "Done", "Bonuses: 1, points: 31", PAGE] {
        assert!(list.contains(part), "{part}: {list}");
    }
    let again = browser.submit(&page, PAGE, &[]).await;
    assert_eq!(again.status, 303, "the same form: {}", again.text());
    server.run_job("back-fill").await;
    assert_eq!(points(&server, &token).await, 62);

    // The next back-test finds three bonuses, and the members have one of them.
    test(&server, &browser).await;
    let campaign = browser.page("/campaigns/spring").await;
    assert!(campaign.contains("<dd>Bonuses: 0, points: 0</dd>"), "{campaign}");
    for source in ["s2", "s3"] {
        scan(&server, &token, source).await;
    }
    test(&server, &browser).await;
    let page = browser.page(PAGE).await;
    let (_, form) = page.split_once("Give these bonuses").unwrap();
    assert!(form.contains("Bonuses: 2, points: 62") && !form.contains("points: 93"), "{form}");
}

#[tokio::test]
async fn a_back_fill_is_stopped_and_another_one_waits_for_its_end() {
    let server = TestServer::with_sample().await;
    let (browser, token) = tested(&server).await;
    let (page, other) = (browser.page(PAGE).await, browser.page(PAGE).await);
    assert_eq!(browser.submit(&page, PAGE, &[]).await.status, 303);
    let second = browser.submit(&other, PAGE, &[]).await;
    assert!(second.status == 409 && second.text().contains("Another back-fill waits"), "{}", second.text());
    let waits = browser.page(PAGE).await;
    let stopped = browser.submit(&waits, "/campaigns/spring/back-fill/cancel", &[]).await;
    assert_eq!(stopped.status, 303, "{}", stopped.text());
    server.run_job("back-fill").await;
    let page = browser.page(PAGE).await;
    assert!(page.contains("<strong>Stopped</strong>") && page.contains("Give these bonuses"), "{page}");
    assert_eq!(points(&server, &token).await, 31);
}

#[tokio::test]
async fn a_back_fill_gives_nothing_that_the_page_did_not_say() {
    let server = TestServer::with_sample().await;
    let (browser, token) = tested(&server).await;
    let old = browser.page(PAGE).await;
    scan(&server, &token, "s2").await;
    test(&server, &browser).await;
    let refused = browser.submit(&old, PAGE, &[]).await;
    assert_eq!(refused.status, 409, "{}", refused.text());
    assert!(refused.text().contains("found something else meanwhile"), "{}", refused.text());
    assert!(refused.text().contains("Bonuses: 2, points: 62"), "{}", refused.text());
    // Between the back-test and the back-fill, an activity comes.
    scan(&server, &token, "s3").await;
    let started = browser.submit(&browser.page(PAGE).await, PAGE, &[]).await;
    assert_eq!(started.status, 303, "{}", started.text());
    server.run_job("back-fill").await;
    let page = browser.page(PAGE).await;
    assert!(page.contains("<strong>Outdated</strong>") && page.contains("finds other bonuses now"), "{page}");
    assert!(page.contains("changed since this back-test") && !page.contains("Give these bonuses"), "{page}");
    assert_eq!(points(&server, &token).await, 93);
}

/// Only roles that read the audit log see the name of who asked for it.
#[tokio::test]
async fn a_back_fill_is_shown_and_started_as_the_role_says() {
    let server = TestServer::with_sample().await;
    let (manager, _) = tested(&server).await;
    let page = manager.page(PAGE).await;
    for role in Role::ALL {
        let browser = Browser::of(&server, role).await;
        let (sees, writes) = (
            matches!(role, Role::Owner | Role::Manager | Role::Support | Role::Auditor),
            matches!(role, Role::Owner | Role::Manager),
        );
        for path in [PAGE, "/back-fills"] {
            assert_eq!(browser.get(path).await.status, if sees { 200 } else { 403 }, "{role} {path}");
        }
        if sees {
            assert_eq!(browser.page(PAGE).await.contains("Give these bonuses"), writes, "{role}");
        }
        if !writes {
            assert_eq!(browser.submit(&page, PAGE, &[]).await.status, 403, "{role}");
        }
    }
    assert_eq!(manager.get("/campaigns/nothing/back-fill").await.status, 404);
    assert_eq!(manager.submit(&page, PAGE, &[]).await.status, 303);
    for (role, is_named) in [(Role::Owner, true), (Role::Auditor, true), (Role::Support, false)] {
        let page = Browser::of(&server, role).await.page(PAGE).await;
        let found = ["<dd>The manager</dd>", "<dd>operator:"].map(|part| page.contains(part));
        assert_eq!(found, [is_named, !is_named], "{role}: {page}");
    }
}
