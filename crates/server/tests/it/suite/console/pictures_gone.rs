//! A product that names a picture of this server that is gone, in the console.

use http::Method;
use pointbook_domain::Role;
use pointbook_testkit::pictures::png;
use serde_json::json;

use super::operator::{Browser, CONSOLE};
use super::picture_list::{patch, stored as stored_picture};
use super::pictures::{press, stored};
use crate::harness::{BASE_URL, TestServer};
use crate::suite::forms::fields;

const PRODUCT: &str = "/products/mug";
const GONE: &str = "No picture is stored at this address of this server:";

fn gone() -> String {
    format!("{BASE_URL}/pictures/{}.png", "0".repeat(64))
}

#[tokio::test]
async fn the_editor_names_the_picture_and_saves_other_fields() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let here = stored_picture(&server, png(3, 2, 1)).await;
    patch(&server, "mug", json!({ "thumbnail": here, "gallery": [here] })).await;
    assert!(!browser.page(PRODUCT).await.contains(GONE));
    // The interface keeps accepting any URL.
    patch(&server, "mug", json!({ "gallery": [here, gone()] })).await;
    let page = browser.page(PRODUCT).await;
    assert!(page.matches(GONE).count() == 1 && page.contains(&format!("{GONE} {}<", gone())), "{page}");
    let saved = browser.submit(&page, PRODUCT, &[("title", "Mended")]).await;
    assert_eq!(saved.status, 303, "{}", saved.text());
    assert_eq!(stored(&server).await["gallery"], json!([here, gone()]));
}

#[tokio::test]
async fn a_new_address_without_a_picture_is_refused_at_its_field() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let here = stored_picture(&server, png(3, 2, 1)).await;
    let page = browser.page(PRODUCT).await;
    let before = stored(&server).await;
    let other_kind = here.replace(".png", ".jpg");
    for (field, value) in
        [("thumbnail", gone()), ("gallery", format!("{here}\n{}", gone())), ("thumbnail", other_kind)]
    {
        let refused = browser.submit(&page, PRODUCT, &[(field, &value), ("title", "Typed")]).await;
        assert_eq!(refused.status, 422, "{value}");
        let (_, form) = refused.text().split_once(&format!("name=\"{field}\"")).unwrap();
        let label = form.split("</label>").next().unwrap();
        assert!(label.contains(GONE) && refused.text().contains("Nothing was saved."), "{}", refused.text());
        assert!(refused.text().contains("value=\"Typed\""), "{}", refused.text());
    }
    assert_eq!(stored(&server).await, before);
    let right = browser.submit(&page, PRODUCT, &[("thumbnail", &here)]).await;
    assert_eq!(right.status, 303, "{}", right.text());
}

#[tokio::test]
async fn a_new_product_needs_pictures_that_are_there() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let page = browser.page("/new-product").await;
    let gone = gone();
    let fields =
        [("id", "pot"), ("title", "Pot"), ("sku", "P"), ("regular_price", "5"), ("thumbnail", &*gone)];
    let refused = browser.submit(&page, "/new-product", &fields).await;
    assert!(refused.status == 422 && refused.text().contains(GONE), "{}", refused.text());
    let token = server.issue_super_user().await;
    let missing = server.request(Method::GET, "/v1/manage/products/pot", &token).send().await;
    assert_eq!(missing.status, 404);
}

#[tokio::test]
async fn all_of_many_pictures_that_are_gone_are_named() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let here = stored_picture(&server, png(3, 2, 1)).await;
    let gone: Vec<String> = (0..99).map(|number| format!("{BASE_URL}/pictures/{number:064}.png")).collect();
    let gallery = [std::slice::from_ref(&here), &*gone].concat();
    patch(&server, "mug", json!({ "thumbnail": here, "gallery": gallery })).await;
    let page = browser.page(PRODUCT).await;
    assert!(page.contains(&format!("{GONE} {}</span>", gone.join(" "))), "{page}");
}

/// The browser asks for it after each pause of a person who types.
#[tokio::test]
async fn a_preview_looks_for_no_pictures() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let (page, new, gone) = (browser.page(PRODUCT).await, browser.page("/new-product").await, gone());
    let typed = [("thumbnail", &*gone), ("description", "<p>Typed</p>")];
    let of_stored = press(&browser, &page, "preview", &typed).await;
    let mut sent = fields(&new, &format!("{CONSOLE}/new-product"));
    sent.retain(|(name, _)| !typed.iter().any(|(changed, _)| changed == name));
    let own = sent.iter().map(|(name, value)| (&**name, &**value));
    let of_new = browser.post("/new-product/preview", &own.chain(typed).collect::<Vec<_>>()).await;
    for shown in [of_stored, of_new] {
        assert!(shown.status == 200 && shown.text().contains("<p>Typed</p></div>"), "{}", shown.text());
        assert!(!shown.text().contains(GONE), "{}", shown.text());
    }
}
