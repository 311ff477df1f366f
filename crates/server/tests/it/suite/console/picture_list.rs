//! The page of the console with all pictures.

use http::Method;
use pointbook_domain::Role;
use pointbook_testkit::pictures::{jpeg, png};
use serde_json::{Value, json};

use super::operator::{Browser, CONSOLE};
use crate::client::Answer;
use crate::harness::{BASE_URL, TestServer};
use crate::suite::forms::multipart;

const PAGE: &str = "/pictures";
const REMOVE: &str = "/pictures/remove";

async fn upload(browser: &Browser<'_>, file: (&str, &[u8])) -> Answer {
    let token = browser.form_token().await;
    let call = browser.call(Method::POST, PAGE).header("sec-fetch-site", "same-origin");
    multipart(call, &[("form", &token)], Some(("picture", file.0, file.1))).send().await
}

/// Stores a picture by the interface, and returns its URL.
pub(super) async fn stored(server: &TestServer, bytes: Vec<u8>) -> String {
    let token = server.issue_super_user().await;
    let call = server.request(Method::POST, "/v1/manage/pictures", &token).body(bytes);
    let added = call.header("content-type", "image/png").send().await;
    added.json()["data"]["url"].as_str().unwrap().to_owned()
}

pub(super) async fn patch(server: &TestServer, id: &str, changes: Value) {
    let token = server.issue_super_user().await;
    let path = format!("/v1/manage/products/{id}");
    let answer = server.request(Method::PATCH, &path, &token).json(&changes).send().await;
    assert_eq!(answer.status, 200, "{}", answer.text());
}

pub(super) fn id_of(url: &str) -> &str {
    url.rsplit('/').next().unwrap().split('.').next().unwrap()
}

/// The part of the page about a picture.
fn card<'p>(page: &'p str, url: &str) -> &'p str {
    let (_, rest) =
        page.split_once(&format!("<li><a href=\"{url}\"")).unwrap_or_else(|| panic!("{url}: {page}"));
    rest.split_once("</li>").unwrap().0
}

fn said(text: &str) -> String {
    format!("{CONSOLE}{PAGE}?said={text}")
}

#[tokio::test]
async fn each_picture_has_its_facts_and_the_products_that_show_it() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let [old, shown, both] = [png(3, 2, 1), jpeg(5, 4), png(3, 2, 2)];
    let [old, shown, both] =
        [stored(&server, old).await, stored(&server, shown).await, stored(&server, both).await];
    patch(&server, "mug", json!({ "thumbnail": both, "gallery": [both, shown] })).await;
    // A product that customers do not see counts, too.
    patch(&server, "plate", json!({ "gallery": [both], "active": false })).await;
    let page = browser.page(PAGE).await;
    assert!(page.contains("<span class=\"count\">3</span>"), "{page}");
    let links = |card: &str| card.matches("/products/").count();
    let old_card = card(&page, &old);
    assert!(
        old_card.contains("PNG, 3 × 2 pixels, 1 KiB") && old_card.contains("No product shows it."),
        "{old_card}"
    );
    assert!(
        links(old_card) == 0
            && old_card.contains(">Show on a product</a>")
            && old_card.contains(">Remove</button>"),
        "{old_card}"
    );
    let shown_card = card(&page, &shown);
    assert!(shown_card.contains("JPEG, 5 × 4 pixels"), "{shown_card}");
    assert!(shown_card.contains(&format!("href=\"{CONSOLE}/products/mug\"")), "{shown_card}");
    assert!(links(shown_card) == 1 && !shown_card.contains("<button"), "{shown_card}");
    assert_eq!(links(card(&page, &both)), 2, "{page}");
    let listed = browser.page("/products").await;
    assert!(listed.contains(&format!("href=\"{CONSOLE}{PAGE}\"")), "{listed}");
}

#[tokio::test]
async fn a_picture_is_removed_only_when_no_product_shows_it() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let [free, used] = [stored(&server, png(3, 2, 1)).await, stored(&server, png(3, 2, 2)).await];
    let page = browser.page(PAGE).await;
    patch(&server, "mug", json!({ "thumbnail": used })).await;
    let send = async |url: &str| {
        let path = format!("{REMOVE}?page=1");
        browser.submit(&page, &path, &[("picture", id_of(url))]).await
    };
    let refused = send(&used).await;
    assert!(
        refused.status == 409 && refused.text().contains("was not removed, because"),
        "{}",
        refused.text()
    );
    let (_, error) = refused.text().split_once("was not removed, because").unwrap();
    assert!(error.split("</p>").next().unwrap().contains("/products/mug\""), "{error}");
    for text in ["picture-removed", "picture-gone"] {
        let removed = send(&free).await;
        assert_eq!(removed.header("location"), Some(&*format!("{}&page=1", said(text))));
    }
    let page = browser.page(PAGE).await;
    assert!(page.contains(id_of(&used)) && !page.contains(id_of(&free)), "{page}");
    let token = browser.form_token().await;
    let unknown = browser.post(REMOVE, &[("form", &token), ("picture", "../x")]).await;
    assert_eq!(unknown.status, 400);
}

#[tokio::test]
async fn products_with_one_title_are_told_apart_by_their_ids() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let used = stored(&server, png(3, 2, 1)).await;
    patch(&server, "mug", json!({ "thumbnail": used, "title": "Mug" })).await;
    assert!(!browser.page(PAGE).await.contains("<bdi>mug</bdi>"));
    patch(&server, "plate", json!({ "thumbnail": used, "title": " Mug" })).await;
    let page = browser.page(PAGE).await;
    assert!(page.contains("(<bdi>mug</bdi>)") && page.contains("(<bdi>plate</bdi>)"), "{page}");
}

#[tokio::test]
async fn a_product_with_a_picture_that_is_gone_is_named() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Support).await;
    let here = stored(&server, png(3, 2, 1)).await;
    let gone = format!("{BASE_URL}/pictures/{}.png", "0".repeat(64));
    let missing = "name a picture of this server that is gone";
    patch(&server, "mug", json!({ "thumbnail": here, "gallery": ["https://elsewhere.example/a.png"] })).await;
    assert!(!browser.page(PAGE).await.contains(missing));
    patch(&server, "mug", json!({ "gallery": [here, gone] })).await;
    let page = browser.page(PAGE).await;
    let (_, notice) = page.split_once(missing).unwrap_or_else(|| panic!("{page}"));
    let notice = notice.split("</div>").next().unwrap();
    assert!(notice.contains("/products/mug\"") && notice.matches("<a ").count() == 1, "{notice}");
}

#[tokio::test]
async fn a_picture_is_uploaded_without_a_product() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let empty = browser.page(PAGE).await;
    assert!(
        empty.contains("There are no pictures yet.") && !empty.contains("<ul class=\"product-pictures\""),
        "{empty}"
    );
    for text in ["picture-added", "picture-known"] {
        let sent = upload(&browser, ("mug.png", &png(3, 2, 1))).await;
        let next = sent.header("location").unwrap_or_else(|| panic!("{}", sent.text()));
        let (path, id) = next.split_once("&picture-id=").unwrap();
        assert_eq!(path, said(text));
        let page = browser.page(next.strip_prefix(CONSOLE).unwrap()).await;
        assert!(page.contains(&format!("/pictures/{id}.png\" readonly>")), "{page}");
    }
    let before = server.stored().await;
    let refused = upload(&browser, ("<b>.png", b"GIF89a")).await;
    assert!(refused.status == 422 && refused.text().contains("&lt;b&gt;.png"), "{}", refused.text());
    assert!(refused.text().contains("is not a PNG, JPEG, WebP or AVIF picture"), "{}", refused.text());
    let none = upload(&browser, ("", b"")).await;
    assert!(none.status == 422 && none.text().contains("Choose a file first."), "{}", none.text());
    assert!(server.stored().await == before);
}

#[tokio::test]
async fn the_list_has_pages_and_readers_get_no_buttons() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Support).await;
    for salt in 0..25 {
        stored(&server, png(3, 2, salt)).await;
    }
    let count = |page: &str| page.matches("<img ").count();
    let [first, second] = [browser.page(PAGE).await, browser.page("/pictures?page=2").await];
    assert_eq!((count(&first), count(&second)), (24, 1));
    assert!(first.contains("<span class=\"count\">25</span>") && first.contains("page=2"), "{first}");
    let beyond = browser.page("/pictures?page=9").await;
    assert_eq!(beyond.matches("class=\"empty\"").count(), 1, "{beyond}");
    assert!(beyond.contains("This list has no page 9."), "{beyond}");
    assert!(!first.contains(">Remove</button>") && !first.contains("type=\"file\""), "{first}");
}
