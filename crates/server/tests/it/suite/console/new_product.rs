//! A new product with a picture in its form.

use http::{Method, StatusCode};
use pointbook_domain::Role;
use pointbook_testkit::pictures::png;
use serde_json::json;

use super::operator::{Browser, CONSOLE};
use super::pictures::{pictures, send_form};
use crate::client::Answer;
use crate::harness::TestServer;

const NEW: &str = "/new-product";

const POT: [(&str, &str); 5] =
    [("id", "pot"), ("title", "Pot"), ("sku", "P"), ("regular_price", "5"), ("stock", "3")];

/// Presses "Add product" with a file.
async fn add(browser: &Browser<'_>, page: &str, values: &[(&str, &str)], file: (&str, &[u8])) -> Answer {
    send_form(browser, (page, NEW), NEW, values, file).await
}

async fn pot(server: &TestServer) -> Answer {
    let token = server.issue_super_user().await;
    server.request(Method::GET, "/v1/manage/products/pot", &token).send().await
}

#[tokio::test]
async fn a_new_product_shows_the_chosen_file() {
    for (place, of_place) in [("thumbnail", "/thumbnail"), ("gallery", "/gallery/0")] {
        let server = TestServer::with_sample().await;
        let browser = Browser::of(&server, Role::Manager).await;
        let page = browser.page(NEW).await;
        let values = [&POT[..], &[("as", place)]].concat();
        // The same form twice makes one product and one picture.
        for said in ["?said=product-created", ""] {
            let added = add(&browser, &page, &values, ("pot.png", &png(3, 2, 1))).await;
            let path = format!("{CONSOLE}/products/pot{said}");
            assert_eq!(added.header("location"), Some(&*path), "{place}: {}", added.text());
        }
        let (pot, urls) = (pot(&server).await.json()["data"].clone(), pictures(&server).await);
        assert_eq!((pot.pointer(of_place), urls.len()), (Some(&json!(urls[0])), 1), "{pot}");
        assert_eq!((&pot["title"], &pot["stock"]), (&json!("Pot"), &json!(3)));
    }
}

#[tokio::test]
async fn a_new_product_needs_no_file() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let added = add(&browser, &browser.page(NEW).await, &POT, ("", b"")).await;
    assert_eq!(added.status, 303, "{}", added.text());
    assert_eq!(pot(&server).await.json()["data"]["thumbnail"], "");
}

#[tokio::test]
async fn a_refused_file_adds_no_product_and_keeps_the_form() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let (page, before) = (browser.page(NEW).await, server.stored().await);
    let kept = |answer: &Answer| answer.text().contains("name=\"title\" value=\"Pot\"");
    let refused = add(&browser, &page, &POT, ("note.png", b"no picture")).await;
    assert!(refused.status == 422 && kept(&refused), "{}", refused.text());
    for text in ["Nothing was saved.", "note.png</bdi>: The file is not a PNG"] {
        assert!(refused.text().contains(text), "{text}: {}", refused.text());
    }
    // Browsers that send the name alone: "Add product", and the button of the preview.
    let named = [&POT[..], &[("picture", "<b>.png")]].concat();
    for (path, status) in [(NEW, StatusCode::UNPROCESSABLE_ENTITY), ("/new-product/preview", StatusCode::OK)]
    {
        let shown = browser.submit(&page, path, &named).await;
        assert!(shown.status == status && kept(&shown), "{path}: {}", shown.text());
        assert!(shown.text().contains("&lt;b&gt;.png</bdi>: The file was not uploaded."), "{}", shown.text());
    }
    let nowhere = [&POT[..], &[("as", "nowhere")]].concat();
    assert_eq!(add(&browser, &page, &nowhere, ("pot.png", &png(3, 2, 1))).await.status, 400);
    let lines = "\n".repeat(1024 * 1024);
    let long = [&POT[..], &[("gallery", &*lines)]].concat();
    assert_eq!(add(&browser, &page, &long, ("pot.png", &png(3, 2, 1))).await.status, 413);
    assert!(server.stored().await == before);
}

#[tokio::test]
async fn a_mistake_in_a_new_product_keeps_the_picture_of_the_file() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let values = [&POT[..4], &[("stock", "many")]].concat();
    let refused = add(&browser, &browser.page(NEW).await, &values, ("pot.png", &png(3, 2, 1))).await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    for text in ["This must be a whole number.", "The picture is stored, and its address is in the form."] {
        assert!(refused.text().contains(text), "{text}: {}", refused.text());
    }
    assert_eq!(pot(&server).await.status, 404);
    let added = browser.submit(refused.text(), NEW, &[("stock", "3")]).await;
    assert_eq!(added.status, 303, "{}", added.text());
    assert_eq!(pot(&server).await.json()["data"]["thumbnail"], json!(pictures(&server).await[0]));
}
