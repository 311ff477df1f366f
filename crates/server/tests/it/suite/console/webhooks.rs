//! Webhooks: adding, changing, testing, their secrets and cursors.

use http::Method;
use pointbook_domain::Role;

use super::keys::between;
use super::operator::{Browser, NOTHING_SAVED};
use crate::harness::TestServer;

const NEW: &str = "/webhooks/new";
const URL: &str = "https://shop.example.com/hooks";

/// Adds a webhook, and returns the path of its page and its secret.
async fn add(browser: &Browser<'_>) -> (String, String) {
    let form = browser.page(NEW).await;
    let made = browser.submit(&form, NEW, &[("url", URL), ("type", "order.placed"), ("lanes", "8")]).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let secret = format!("whsec_{}", between(made.text(), "whsec_", "<"));
    (format!("/webhooks/wh_{}", between(made.text(), "/webhooks/wh_", "\"")), secret)
}

#[tokio::test]
async fn a_webhook_is_added_changed_paused_and_removed() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    assert!(browser.page("/webhooks").await.contains("No webhooks yet."));
    let (path, secret) = add(&browser).await;
    let page = browser.page(&path).await;
    assert!(page.contains(URL) && page.contains("Active") && !page.contains("whsec_"), "{page}");
    let change = format!("{path}/change");
    let changed =
        browser.submit(&page, &change, &[("url", "https://other.example.com/x"), ("mode", "nudge")]).await;
    assert_eq!(changed.status, 303, "{}", changed.text());
    let paused = browser.submit(&page, &format!("{path}/enable"), &[("enabled", "no")]).await;
    assert!(paused.header("location").unwrap().ends_with("?said=webhook-paused"));
    let list = browser.page("/webhooks").await;
    assert!(list.contains("other.example.com") && list.contains("Paused"), "{list}");
    let page = browser.page(&path).await;
    assert!(page.contains("value=\"nudge\" checked") && page.contains("value=\"order.placed\" checked"));
    assert_eq!(browser.submit(&page, &format!("{path}/enable"), &[]).await.status, 303);
    let rotated = browser.submit(&page, &format!("{path}/rotate"), &[]).await;
    assert!(rotated.text().contains("whsec_") && !rotated.text().contains(&secret));
    let again = browser.submit(&page, &format!("{path}/rotate"), &[]).await;
    assert!(again.text().contains("This form was sent before") && !again.text().contains("whsec_"));
    assert_eq!(browser.submit(&page, &format!("{path}/remove"), &[]).await.status, 303);
    assert_eq!(browser.get(&path).await.status, 404);
}

#[tokio::test]
async fn a_form_that_is_sent_twice_adds_one_webhook() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let form = browser.page(NEW).await;
    let typed = [("url", URL), ("lanes", "1")];
    assert!(browser.submit(&form, NEW, &typed).await.text().contains("whsec_"));
    let again = browser.submit(&form, NEW, &typed).await;
    assert!(again.text().contains("This form was sent before") && !again.text().contains("whsec_"));
    assert_eq!(browser.page("/webhooks").await.matches(URL).count(), 1);
}

#[tokio::test]
async fn what_the_check_refuses_is_said_beside_the_field() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    for (url, lanes, said) in [
        ("", "1", "Enter a URL"),
        (URL, "9", "from 1 to 8"),
        (URL, "", "from 1 to 8"),
        ("ftp://shop.example.com/", "1", "The URL must begin with https://."),
        ("https://user:secret@shop.example.com/", "1", "The URL must have no user name and no password."),
        ("https://10.1.2.3/", "1", "Nothing can be sent to 10.1.2.3. Check the name."),
    ] {
        let form = browser.page(NEW).await;
        let refused = browser.submit(&form, NEW, &[("url", url), ("lanes", lanes)]).await;
        assert!(refused.status == 422 && refused.text().contains(said), "{url} {lanes}: {}", refused.text());
        assert!(refused.text().contains(&format!("value=\"{url}\"")), "{}", refused.text());
        assert!(refused.text().contains(NOTHING_SAVED), "{}", refused.text());
        let key = between(refused.text(), "name=\"once\" value=\"", "\"");
        assert!(!form.contains(key), "the next form is another one");
    }
    for (url, said) in
        [("ftp://a.example/", "must begin with https://"), ("https://10.1.2.3/", "10.1.2.3. Check")]
    {
        let both = browser.submit(&browser.page(NEW).await, NEW, &[("url", url), ("lanes", "9")]).await;
        assert!(both.text().contains(said) && both.text().contains("from 1 to 8"), "{}", both.text());
    }
    let (path, _) = add(&browser).await;
    let page = browser.page(&path).await;
    let refused = browser.submit(&page, &format!("{path}/change"), &[("url", "gopher://x/")]).await;
    assert!(refused.status == 422 && refused.text().contains("The URL must begin with https://."));
    assert!(refused.text().contains(NOTHING_SAVED), "{}", refused.text());
    assert!(refused.text().contains("gopher://x/"));
}

#[tokio::test]
async fn a_test_shows_the_result() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let form = browser.page(NEW).await;
    // Nothing listens there.
    let made = browser.submit(&form, NEW, &[("url", "http://127.0.0.1:1024/"), ("lanes", "1")]).await;
    let path = format!("/webhooks/wh_{}", between(made.text(), "/webhooks/wh_", "\""));
    let page = browser.page(&path).await;
    let tested = browser.submit(&page, &format!("{path}/test"), &[]).await;
    assert!(
        tested.status == 200 && tested.text().contains("Result of the test: Failed"),
        "{}",
        tested.text()
    );
}

#[tokio::test]
async fn the_cursor_is_set_and_a_failing_event_is_skipped() {
    let server = TestServer::with_sample().await;
    server.award(10).await;
    server.add_failing_webhook().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/webhooks/wh_1").await;
    assert!(page.contains("The delivery of event 1 failed last."), "{page}");
    let skip = "/webhooks/wh_1/skip";
    let skipped = browser.submit(&page, skip, &[]).await;
    assert!(skipped.header("location").unwrap().ends_with("?said=webhook-skipped"));
    let again = browser.submit(&page, skip, &[]).await;
    assert!(again.header("location").unwrap().ends_with("?said=webhook-not-blocked"));

    let rewind = "/webhooks/wh_1/rewind";
    for (cursor, said) in [
        ("x", "Enter a cursor"),
        ("7-1", "does not have the events"),
        ("1-99999", "does not have the events"),
    ] {
        let refused = browser.submit(&page, rewind, &[("cursor", cursor), ("once", &"b".repeat(64))]).await;
        assert!(refused.status == 422 && refused.text().contains(said), "{cursor}: {}", refused.text());
        assert!(refused.text().contains(&format!("value=\"{cursor}\"")));
    }
    let set = browser.submit(&page, rewind, &[("cursor", "1-0")]).await;
    assert_eq!(set.status, 303, "{}", set.text());
    assert!(browser.page("/webhooks/wh_1").await.contains("<code>1-0</code>"));
    assert_eq!(browser.submit(&page, rewind, &[("cursor", "1-0")]).await.status, 303, "sent twice");
    let log = browser.page("/audit-log?object=webhook:wh_1").await;
    assert_eq!((log.matches(">webhook.rewind<").count(), log.matches(">webhook.skip<").count()), (1, 1));
}

#[tokio::test]
async fn only_roles_that_set_up_webhooks_see_them() {
    let server = TestServer::with_sample().await;
    server.add_failing_webhook().await;
    let auditor = Browser::of(&server, Role::Auditor).await;
    assert!(!auditor.page("/events").await.contains("/console/shop/webhooks"));
    assert_eq!(auditor.call(Method::GET, "/webhooks/wh_1").send().await.status, 403);
}
