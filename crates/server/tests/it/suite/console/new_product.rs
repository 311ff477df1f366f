//! A new product with a picture in its form.

use http::{Method, StatusCode};
use pointbook_domain::Role;
use pointbook_testkit::pictures::png;
use serde_json::json;

use super::operator::{Browser, CONSOLE};
use super::picture_list::stored as stored_picture;
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
    assert!(!refused.text().contains("class=\"toast\""), "a refused form has no look of a success");
    assert_eq!(pot(&server).await.status, 404);
    let added = browser.submit(refused.text(), NEW, &[("stock", "3")]).await;
    assert_eq!(added.status, 303, "{}", added.text());
    assert_eq!(pot(&server).await.json()["data"]["thumbnail"], json!(pictures(&server).await[0]));
}

#[tokio::test]
async fn an_id_that_is_taken_keeps_the_form_however_often_it_is_sent() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let page = browser.page(NEW).await;
    let values = [&POT[1..], &[("id", "mug")]].concat();
    for _ in 0..2 {
        let refused = browser.submit(&page, NEW, &values).await;
        assert_eq!(refused.status, 422, "{}", refused.text());
        for text in ["This exists already.", "name=\"title\" value=\"Pot\""] {
            assert!(refused.text().contains(text), "{text}: {}", refused.text());
        }
    }
    // A browser that goes back shows the form that was sent, and its key.
    assert_eq!(browser.submit(&page, NEW, &POT).await.status, 422);
    let page = browser.page(NEW).await;
    assert_eq!(browser.submit(&page, NEW, &POT).await.status, 303);
    let other = [&POT[1..], &[("id", "pan")]].concat();
    let before = browser.submit(&page, NEW, &other).await;
    assert!(
        before.status == 422 && before.text().contains("was sent before with other values"),
        "{}",
        before.text()
    );
    assert_eq!(browser.submit(before.text(), NEW, &[]).await.status, 303);
}

/// Whether the page has the place ticked.
fn is_chosen(answer: &Answer, place: &str) -> bool {
    answer.text().contains(&format!("name=\"as\" value=\"{place}\" checked"))
}

#[tokio::test]
async fn a_page_keeps_the_place_that_was_chosen_for_the_picture() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let wrong = ("note.png", &b"no picture"[..]);
    for (path, place) in [(NEW, "gallery"), ("/products/mug", "thumbnail")] {
        let page = browser.page(path).await;
        let values = [("as", place), ("title", "Pot")];
        let refused = send_form(&browser, (&page, path), path, &values, wrong).await;
        assert!(refused.status == 422 && is_chosen(&refused, place), "{path}: {}", refused.text());
        let shown = browser.submit(&page, &format!("{path}/preview"), &values).await;
        assert!(is_chosen(&shown, place), "{path}: {}", shown.text());
    }
}

#[tokio::test]
async fn a_picture_does_not_replace_an_address_that_was_typed() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let typed = "https://images.example/typed.png";
    let values = [&POT[..], &[("thumbnail", typed), ("as", "thumbnail")]].concat();
    let before = server.stored().await;
    for (form, path) in [(NEW, NEW), ("/products/mug", "/products/mug")] {
        let page = browser.page(form).await;
        let refused = send_form(&browser, (&page, form), path, &values, ("pot.png", &png(3, 2, 1))).await;
        assert_eq!(refused.status, 422, "{path}: {}", refused.text());
        for text in ["You typed an address for the main picture.", typed] {
            assert!(refused.text().contains(text), "{path} {text}: {}", refused.text());
        }
        assert!(server.stored().await == before, "{path}");
    }
    let page = browser.page("/products/mug").await;
    let bytes = png(3, 2, 1);
    let file = ("pot.png", &*bytes);
    let upload = send_form(&browser, (&page, "/products/mug"), "/products/mug/pictures", &values, file).await;
    assert!(upload.status == 422 && upload.text().contains("You typed an address"), "{}", upload.text());
    let other = [&values[..values.len() - 1], &[("as", "gallery")]].concat();
    assert_eq!(add(&browser, &browser.page(NEW).await, &other, file).await.status, 303);
    assert_eq!(pot(&server).await.json()["data"]["thumbnail"], typed);
}

#[tokio::test]
async fn a_full_gallery_takes_no_file_and_a_chosen_file_is_named_beside_another_refusal() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    stored_picture(&server, png(3, 2, 9)).await;
    let (page, before) = (browser.page(NEW).await, server.stored().await);
    let gallery: Vec<_> = (0..100).map(|number| format!("https://images.example/{number}.png")).collect();
    let gallery = gallery.join("\n");
    let values = [&POT[..], &[("gallery", &*gallery), ("as", "gallery")]].concat();
    let full = add(&browser, &page, &values, ("pot.png", &png(3, 2, 1))).await;
    assert!(
        full.status == 422 && full.text().contains("which is the limit"),
        "{}: {}",
        full.status,
        full.text()
    );
    let gone = "0".repeat(64);
    let values = [&POT[..], &[("picture-id", &*gone), ("picture", "pot.png"), ("as", "gallery")]].concat();
    let shown = browser.submit(&page, "/new-product/picture", &values).await;
    for text in ["The picture was removed meanwhile.", "pot.png</bdi>: The file was not uploaded."] {
        assert!(shown.status == 422 && shown.text().contains(text), "{text}: {}", shown.text());
    }
    assert!(server.stored().await == before);
}
