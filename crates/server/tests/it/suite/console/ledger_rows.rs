//! Rows of a ledger in the console that were imported: what they are, and when they happened.

use http::Method;
use pointbook_domain::Role;
use serde_json::{Value, json};

use super::members::row_path;
use super::operator::{Browser, CONSOLE};
use crate::harness::TestServer;

const OF_ORDER: &str = "Cancel the order instead.";

/// Imports these activities.
async fn import(server: &TestServer, lines: &[Value]) {
    let token = server.issue_super_user().await;
    let lines_of_text: Vec<_> = lines.iter().map(Value::to_string).collect();
    let body = lines_of_text.join("\n");
    let answer = server.post("/v1/manage/activities/import", &token).ndjson(body).send().await;
    assert_eq!(answer.json()["data"]["recorded"], lines.len(), "{}", answer.text());
}

#[tokio::test]
async fn a_row_of_an_order_in_another_system_is_reversed_and_that_of_an_order_is_not() {
    let server = TestServer::with_sample().await;
    server.award(600).await;
    let order = server.ordered("mug", 1).await;
    let line = json!({"user_id": "u1", "type": "order", "source_id": "old-17:refund", "points": 40, "title": "Tea", "created_at": "2025-12-24T10:00:00Z"});
    import(&server, &[line]).await;
    let owner = Browser::of(&server, Role::Owner).await;
    let row = row_path(&owner.page("/members/u1").await);
    let page = owner.page(&row).await;
    assert!(page.contains("A program of the back office, or an import."), "{page}");
    assert!(!page.contains("The member, with an order.") && !page.contains(OF_ORDER), "{page}");
    let reversed = owner.submit(&page, &format!("{row}/reverse"), &[("reason", "Imported twice")]).await;
    assert_eq!((reversed.status.as_u16(), server.balance().await), (303, 100), "{}", reversed.text());
    assert!(owner.page(&row).await.contains("Row 4 reversed this one."));
    let found = owner.get(&format!("/search?q=u1+{order}")).await;
    let row = found.header("location").unwrap().strip_prefix(CONSOLE).unwrap();
    let page = owner.page(row).await;
    assert!(page.contains("The member, with an order.") && page.contains(OF_ORDER), "{page}");
    assert!(!page.contains("/reverse\""), "{page}");
    let shown = owner.page(&format!("/orders/{order}")).await;
    owner.submit(&shown, &format!("/orders/{order}/cancel"), &[("reason", "Out of stock")]).await;
    let refund = owner.page(&row_path(&owner.page("/members/u1").await)).await;
    assert!(refund.contains("cancelled order") && refund.contains(OF_ORDER), "{refund}");
    assert!(!refund.contains("/reverse\""), "{refund}");
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn the_ledger_is_in_the_order_of_recording_and_says_when_a_row_happened_if_that_was_earlier() {
    let server = TestServer::with_sample().await;
    let lines: Vec<_> = (0..50)
        .map(|number| {
            let at = format!("2026-01-{:02}T10:00:00Z", number % 28 + 1);
            json!({"user_id": "u1", "type": "code", "source_id": format!("s-{number}"), "points": 1, "title": "Scan", "created_at": at})
        })
        .collect();
    import(&server, &lines).await;
    let owner = Browser::of(&server, Role::Owner).await;
    let page = owner.page("/members/u1").await;
    let ledger = |page: &str| page.split_once("<tbody>").unwrap().1.to_owned();
    let (happened, recorded) = (">10:00</time>", "recorded 1 March 2026, 12:00");
    let rows = ledger(&page);
    assert_eq!(rows.matches(">5 January 2026</th>").count(), 2, "each run of rows has its day: {page}");
    assert_eq!((rows.matches(happened).count(), rows.matches(recorded).count()), (40, 1), "{page}");
    assert!(page.contains("<dt>First activity</dt><dd>1 January 2026</dd>"), "{page}");
    assert!(page.len() < 60_000, "{}", page.len());
    let award = [("type", "code"), ("points", "5"), ("title", "Thanks"), ("source_id", "thanks-1")];
    assert_eq!(owner.submit(&page, "/members/u1/activities", &award).await.status, 303);
    let rows = ledger(&owner.page("/members/u1").await);
    assert!(rows.contains("Thanks"), "{rows}");
    assert_eq!((rows.matches(happened).count(), rows.matches(recorded).count()), (39, 1), "{rows}");
    for (language, happened) in
        [("de", "5. Januar 2026</th>"), ("ja", "2026年1月5日</th>"), ("tr", "5 Ocak 2026</th>")]
    {
        let page = owner.call(Method::GET, "/members/u1").header("accept-language", language).send().await;
        assert!(page.text().contains(happened) && page.text().len() < 60_000, "{}", page.text());
    }
}
