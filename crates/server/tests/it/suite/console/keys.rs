//! API keys: adding, showing once, revoking.

use pointbook_domain::Role;

use super::operator::{Browser, NOTHING_SAVED};
use crate::harness::TestServer;

/// The first text between two others.
pub(super) fn between<'p>(page: &'p str, before: &str, after: &str) -> &'p str {
    let (_, rest) = page.split_once(before).unwrap_or_else(|| panic!("no {before}: {page}"));
    rest.split_once(after).unwrap().0
}

#[tokio::test]
async fn a_key_is_shown_once_works_and_is_revoked() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let form = browser.page("/keys/new").await;
    assert!(form.contains("name=\"days\" type=\"number\" min=\"1\" max=\"3650\" value=\"365\""), "{form}");
    let typed =
        [("label", "Ware & house"), ("scope", "orders:read"), ("networks", "127.0.0.0/8"), ("days", "30")];
    let made = browser.submit(&form, "/keys/new", &typed).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let key = format!("pb_{}", between(made.text(), "pb_", "<")).clone();
    assert_eq!(server.call("/v1/manage/orders").bearer(&key).send().await.status, 200);
    assert_eq!(server.call("/v1/manage/products").bearer(&key).send().await.status, 403);

    let again = browser.submit(&form, "/keys/new", &typed).await;
    assert!(again.status == 200 && again.text().contains("This form was sent before."), "{}", again.text());
    assert!(!again.text().contains("pb_"));
    let list = browser.page("/keys").await;
    assert_eq!(list.matches("Ware &amp; house").count(), 1, "{list}");
    assert!(list.contains("The owner") && list.contains("127.0.0.0/8") && !list.contains("pb_"), "{list}");

    let path = format!(
        "/keys/{}/revoke",
        between(&list, "/console/shop/keys/", "/revoke").rsplit('/').next().unwrap()
    );
    assert_eq!(browser.submit(&list, &path, &[]).await.status, 303);
    assert_eq!(server.call("/v1/manage/orders").bearer(&key).send().await.status, 401);
    assert_eq!(browser.submit(&list, &path, &[]).await.status, 404, "it is revoked");
    assert!(browser.page("/keys").await.contains("No keys yet."));
}

#[tokio::test]
async fn mistakes_are_beside_their_fields_and_what_was_typed_stays() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let form = browser.page("/keys/new").await;
    let typed = [("label", ""), ("networks", "10.0.0.0/33"), ("days", "0")];
    let refused = browser.submit(&form, "/keys/new", &typed).await;
    assert_eq!(refused.status, 422);
    let text = refused.text();
    for part in
        ["1 to 255 characters", "at least one scope", "There may be at most 16.", "1 to 3650", "10.0.0.0/33"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(text.matches("<span class=\"error\" role=\"alert\">").count(), 4, "{text}");
    assert!(text.contains(NOTHING_SAVED), "{text}");
    assert!(browser.page("/keys").await.contains("No keys yet."));
    let unknown = [("label", "A"), ("scope", "orders:eat"), ("networks", ""), ("days", "")];
    assert_eq!(browser.submit(&form, "/keys/new", &unknown).await.status, 400);
    assert_eq!(
        browser
            .submit(&form, "/keys/new", &[("label", "A"), ("scope", "orders:read"), ("once", "")])
            .await
            .status,
        400
    );
}

#[tokio::test]
async fn a_tenant_has_at_most_50_keys() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    for _ in 0..50 {
        server.issue_super_user().await;
    }
    let form = browser.page("/keys/new").await;
    let refused = browser.submit(&form, "/keys/new", &[("label", "A"), ("scope", "orders:read")]).await;
    assert!(refused.status == 422 && refused.text().contains("which is the limit"), "{}", refused.text());
    assert!(browser.page("/keys").await.len() < 60_000);
}
