//! The audit log: filters, pages, and what an entry says.

use http::Method;
use pointbook_domain::{Role, Scopes};

use super::operator::Browser;
use crate::harness::TestServer;

#[tokio::test]
async fn an_entry_says_who_changed_which_fields_from_where() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let call = |price: u32| {
        let path = "/v1/manage/products/mug";
        let body = serde_json::json!({"regular_price": price});
        server.request(Method::PATCH, path, &token).json(&body)
    };
    for price in [800, 900] {
        let answer = call(price).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    let browser = Browser::of(&server, Role::Auditor).await;
    let page = browser.page("/audit-log").await;
    let (newer, older) = (page.find(">900<").unwrap(), page.rfind(">800<").unwrap());
    assert!(newer < older, "the newest entry is first");
    for part in ["product.change", "regular_price", "product:mug", "key:", "127.0.0.1", "operator.add"] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[tokio::test]
async fn entries_are_filtered_by_actor_object_and_number() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let all = browser.page("/audit-log").await;
    assert!(all.contains("operator.add") && all.contains("session.begin"), "{all}");
    assert!(all.contains("The owner"), "the name of the operator: {all}");
    let of_command = browser.page("/audit-log?actor=command-line").await;
    assert!(of_command.contains("operator.add") && !of_command.contains("session.begin"));
    let none = browser.page("/audit-log?object=product:none").await;
    assert!(none.contains("No entry matches."), "{none}");
    let newest = browser.page("/audit-log?after=1").await;
    assert!(!newest.contains("Entry 1 ") && newest.contains("Entry 2 "), "{newest}");
    for odd in [
        "?after=x",
        "?after=-1",
        "?before=0",
        "?before=99999999999999999999",
        "?actor=%00",
        "?after=9223372036854775807",
    ] {
        browser.page(&format!("/audit-log{odd}")).await;
    }
}

#[tokio::test]
async fn more_entries_than_a_page_are_on_older_pages() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    for _ in 0..50 {
        let key = server.issue_key(Scopes::ALL, "").await;
        server.revoke(&key).await;
    }
    let first = browser.page("/audit-log").await;
    assert_eq!(first.matches("<article").count(), 25);
    let (_, rest) = first.split_once("before=").unwrap();
    let before = rest.split_once('"').unwrap().0;
    let older = browser.page(&format!("/audit-log?before={before}")).await;
    assert_eq!(older.matches("<article").count(), 25);
    assert!(older.contains("Newest entries") && !older.contains(&format!("Entry {before}<")));
}
