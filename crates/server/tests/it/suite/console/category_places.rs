//! Where a dropped category goes, in one step.

use http::Method;
use pointbook_domain::Role;
use serde_json::json;

use super::categories::tree;
use super::operator::{Browser, CONSOLE};
use crate::client::Answer;
use crate::harness::TestServer;

/// The version of the tree that a page shows.
fn version(page: &str) -> &str {
    let (_, rest) = page.split_once("data-version=\"").unwrap_or_else(|| panic!("{page}"));
    rest.split('"').next().unwrap()
}

/// What the script of the page sends.
async fn drop_it(browser: &Browser<'_>, page: &str, id: &str, (field, value): (&str, &str)) -> Answer {
    let token = browser.form_token().await;
    let fields = [("form", &*token), ("version", version(page)), (field, value)];
    browser.post(&format!("/categories/{id}/place?page=1"), &fields).await
}

/// How many entries with this operation the audit log has.
pub(super) async fn logged(server: &TestServer, operation: &str) -> usize {
    let token = server.issue_super_user().await;
    let log = server.request(Method::GET, "/v1/manage/audit-log?limit=100", &token).send().await.json();
    log["data"].as_array().unwrap().iter().filter(|entry| entry["operation"] == operation).count()
}

#[tokio::test]
async fn a_category_goes_to_its_place_in_one_step() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    for (id, place, expected) in [
        ("drinks", ("before", "home"), "drinks home(kitchen(cups plates))"),
        ("cups", ("below", "drinks"), "drinks(cups) home(kitchen(plates))"),
        ("plates", ("after", "home"), "drinks(cups) home(kitchen) plates"),
    ] {
        let page = browser.page("/categories").await;
        let before = logged(&server, "categories.replace").await;
        // The second one is the same form, sent again from a page that is old by then.
        for _ in 0..2 {
            let moved = drop_it(&browser, &page, id, place).await;
            let next = format!("{CONSOLE}/categories?said=category-moved&page=1");
            assert_eq!(moved.header("location"), Some(&*next), "{}", moved.text());
            assert_eq!(tree(&server).await, expected);
        }
        assert_eq!(logged(&server, "categories.replace").await, before + 1, "one entry for one step");
    }
}

#[tokio::test]
async fn a_category_is_not_dropped_into_a_tree_that_the_page_does_not_show() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let page = browser.page("/categories").await;
    let renamed = browser.page("/categories/home").await;
    assert_eq!(browser.submit(&renamed, "/categories/home/rename", &[("label", "House")]).await.status, 303);
    let plates = [("up", "plates@1")];
    assert_eq!(browser.submit(&page, "/categories?page=1", &plates).await.status, 303);
    let late = drop_it(&browser, &page, "drinks", ("before", "home")).await;
    assert_eq!(late.status, 409);
    assert!(late.text().contains("Another person moved categories meanwhile."), "{}", late.text());
    assert_eq!(tree(&server).await, "home(kitchen(plates cups)) drinks");
    let again = drop_it(&browser, late.text(), "drinks", ("before", "home")).await;
    assert_eq!(again.status, 303, "{}", again.text());
    assert_eq!(tree(&server).await, "drinks home(kitchen(plates cups))");
}

#[tokio::test]
async fn a_new_name_is_no_new_version() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let page = browser.page("/categories").await;
    let home = browser.page("/categories/home").await;
    assert_eq!(browser.submit(&home, "/categories/home/rename", &[("label", "House")]).await.status, 303);
    assert_eq!(drop_it(&browser, &page, "drinks", ("before", "home")).await.status, 303);
    assert!(browser.page("/categories").await.contains("House"));
}

#[tokio::test]
async fn an_impossible_place_says_why_and_changes_nothing() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let page = browser.page("/categories").await;
    let before = tree(&server).await;
    for (id, place, status, text) in [
        ("home", ("before", "cups"), 422, "A category cannot be below itself."),
        ("gone", ("before", "home"), 422, "This category is gone."),
        ("drinks", ("before", "gone"), 422, "The category above does not exist: no category has this ID."),
        ("drinks", ("before", ""), 400, ""),
        ("drinks", ("behind", "home"), 400, ""),
    ] {
        let refused = drop_it(&browser, &page, id, place).await;
        assert!(
            refused.status == status && refused.text().contains(text),
            "{id} {place:?}: {}",
            refused.text()
        );
        assert_eq!(tree(&server).await, before);
    }
    let token = browser.form_token().await;
    let fields = [("form", &*token), ("before", "home")];
    assert_eq!(browser.post("/categories/drinks/place", &fields).await.status, 400, "a version is needed");
    assert_eq!(tree(&server).await, before);
}

#[tokio::test]
async fn a_page_names_the_level_of_the_first_row_of_the_next_one() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let of_page =
        |page: String| page.split_once("data-next-level=\"").unwrap().1.split('"').next().unwrap().to_owned();
    assert_eq!(of_page(browser.page("/categories").await), "0");
    let token = server.issue_super_user().await;
    let leaves: Vec<_> =
        (0..120).map(|leaf| json!({"id": format!("leaf-{leaf}"), "label": "Leaf"})).collect();
    let tree = json!({"categories": [{"id": "root", "label": "Root", "children": leaves}]});
    let put = server.request(Method::PUT, "/v1/manage/categories", &token).json(&tree).send().await;
    assert_eq!(put.status, 200, "{}", put.text());
    assert_eq!(of_page(browser.page("/categories").await), "1");
    assert_eq!(of_page(browser.page("/categories?page=2").await), "0");
}
