//! Pictures of products in the console: forms with files.

use http::Method;
use pointbook_domain::Role;
use pointbook_testkit::pictures::{jpeg, png, png_of_bytes};
use serde_json::{Value, json};

use super::operator::{Browser, CONSOLE};
use super::products::seen;
use crate::client::Answer;
use crate::harness::{BASE_URL, TestServer};
use crate::suite::forms::{FormFile, fields, multipart};

const PRODUCT: &str = "/products/mug";
const UPLOAD: &str = "/products/mug/pictures";

/// The file of a form that takes pictures.
fn picture<'f>((name, bytes): (&'f str, &'f [u8])) -> FormFile<'f> {
    ("picture", name, bytes)
}

/// Sends the form of the page of the mug with a file.
async fn upload(browser: &Browser<'_>, place: &str, file: (&str, &[u8])) -> Answer {
    upload_from(browser, &browser.page(PRODUCT).await, place, file).await
}

async fn upload_from(browser: &Browser<'_>, page: &str, place: &str, file: (&str, &[u8])) -> Answer {
    upload_typed(browser, page, &[("as", place)], file).await
}

async fn upload_typed(
    browser: &Browser<'_>,
    page: &str,
    values: &[(&str, &str)],
    file: (&str, &[u8]),
) -> Answer {
    send_file(browser, page, UPLOAD, values, file).await
}

/// Sends the form of the product to this path with a file, and with these values in place of those on the page.
pub(super) async fn send_file(
    browser: &Browser<'_>,
    page: &str,
    path: &str,
    values: &[(&str, &str)],
    file: (&str, &[u8]),
) -> Answer {
    send_form(browser, (page, PRODUCT), path, values, file).await
}

/// Sends the form that the page has for one path to another path, as [`send_file`].
pub(super) async fn send_form(
    browser: &Browser<'_>,
    (page, form): (&str, &str),
    path: &str,
    values: &[(&str, &str)],
    file: (&str, &[u8]),
) -> Answer {
    let sent = changed(page, form, values);
    let all: Vec<_> = sent.iter().map(|(name, value)| (&**name, &**value)).collect();
    let call = browser.call(Method::POST, path).header("sec-fetch-site", "same-origin");
    multipart(call, &all, Some(picture(file))).send().await
}

/// The fields of the form that the page has for this path, with these values in place of those on the page.
fn changed(page: &str, form: &str, values: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut sent = fields(page, &format!("{CONSOLE}{form}"));
    sent.retain(|(name, _)| !values.iter().any(|(changed, _)| changed == name));
    sent.extend(values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    sent
}

/// Presses a button below the form of the mug: it sends the form to another path, with these values in place of those on the page.
pub(super) async fn press(browser: &Browser<'_>, page: &str, below: &str, values: &[(&str, &str)]) -> Answer {
    let sent = changed(page, PRODUCT, values);
    let all: Vec<_> = sent.iter().map(|(name, value)| (&**name, &**value)).collect();
    browser.post(&format!("{PRODUCT}/{below}"), &all).await
}

pub(super) async fn stored(server: &TestServer) -> Value {
    let token = server.issue_super_user().await;
    server.request(Method::GET, "/v1/manage/products/mug", &token).send().await.json()["data"].clone()
}

pub(super) async fn pictures(server: &TestServer) -> Vec<String> {
    let token = server.issue_super_user().await;
    let list = server.request(Method::GET, "/v1/manage/pictures", &token).send().await.json();
    let urls =
        list["data"].as_array().unwrap().iter().map(|picture| picture["url"].as_str().unwrap().to_owned());
    urls.collect()
}

pub(super) fn said(text: &str) -> String {
    format!("{CONSOLE}{PRODUCT}?said={text}")
}

#[tokio::test]
async fn a_picture_is_uploaded_shown_and_taken_from_the_product() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let before = stored(&server).await["gallery"].clone();
    let main = upload(&browser, "thumbnail", ("mug.png", &png(3, 2, 1))).await;
    assert_eq!(main.header("location"), Some(&*said("product-picture-added")), "{}", main.text());
    let more = upload(&browser, "gallery", ("mug.jpg", &jpeg(3, 2))).await;
    assert_eq!(more.header("location"), Some(&*said("product-picture-added")));
    let urls = pictures(&server).await;
    let product = stored(&server).await;
    let [main, more] = [product["thumbnail"].as_str().unwrap(), product["gallery"][1].as_str().unwrap()];
    assert!(main.starts_with(BASE_URL) && urls.contains(&main.to_owned()) && urls.contains(&more.to_owned()));
    let page = browser.page(PRODUCT).await;
    for url in [main, more] {
        assert!(page.contains(&format!("<img src=\"{url}\"")), "{page}");
    }
    let take = async |value: String| {
        let sent = [("taken", &*value)];
        press(&browser, &browser.page(PRODUCT).await, "take-picture", &sent).await
    };
    let taken = take(format!("0 {main}")).await;
    assert_eq!(taken.header("location"), Some(&*said("product-picture-taken")), "{}", taken.text());
    let taken = take(format!("2 {more}")).await;
    assert_eq!(taken.header("location"), Some(&*said("product-picture-taken")));
    let again = take(format!("2 {more}")).await;
    assert_eq!(again.header("location"), Some(&*said("pictures-unchanged")));
    let product = stored(&server).await;
    assert_eq!((&product["thumbnail"], &product["gallery"]), (&json!(""), &before));
    assert_eq!(pictures(&server).await.len(), 2, "other products may show them");
}

#[tokio::test]
async fn a_form_that_is_sent_twice_adds_one_picture() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    for (place, number) in [("thumbnail", 1), ("gallery", 2)] {
        let page = browser.page(PRODUCT).await;
        for text in ["product-picture-added", "pictures-unchanged"] {
            let sent = upload_from(&browser, &page, place, ("mug.png", &png(3, 2, number))).await;
            assert_eq!(sent.header("location"), Some(&*said(text)), "{place}");
        }
    }
    let shown = upload(&browser, "gallery", ("mug.png", &png(3, 2, 1))).await;
    assert_eq!(shown.header("location"), Some(&*said("pictures-unchanged")), "it is the main picture");
    assert_eq!(pictures(&server).await.len(), 2);
    let gallery = stored(&server).await["gallery"].clone();
    assert_eq!(gallery.as_array().unwrap().len(), 2, "the sample has one: {gallery}");
}

#[tokio::test]
async fn a_main_picture_of_another_person_is_not_replaced_unseen() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let page = browser.page(PRODUCT).await;
    upload(&browser, "thumbnail", ("one.png", &png(3, 2, 1))).await;
    let theirs = stored(&server).await["thumbnail"].clone();
    let late = upload_from(&browser, &page, "thumbnail", ("two.png", &png(3, 2, 2))).await;
    assert_eq!(late.status, 409);
    assert!(late.text().contains("Another person changed the main picture"), "{}", late.text());
    assert_eq!(stored(&server).await["thumbnail"], theirs);
    let now = upload_from(&browser, late.text(), "thumbnail", ("two.png", &png(3, 2, 2))).await;
    assert_eq!(now.header("location"), Some(&*said("product-picture-added")));
    let more = upload_from(&browser, &page, "gallery", ("three.png", &png(3, 2, 3))).await;
    assert_eq!(
        more.header("location"),
        Some(&*said("product-picture-added")),
        "one more hurts no other person"
    );
}

#[tokio::test]
async fn a_refused_file_is_named_as_text_and_changes_nothing() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    browser.page(PRODUCT).await;
    let before = server.stored().await;
    let name = "\"><script>alert(1)</script>.svg";
    for (bytes, text) in [
        (&b"<svg onload=alert(1)>"[..], "is not a PNG, JPEG, WebP or AVIF picture"),
        (b"", "The file is empty."),
        (&png(3, 2, 1)[..40], "damaged or incomplete"),
        (&png(8_193, 1, 1), "1 to 8,192 pixels"),
        (&png_of_bytes(2 * 1024 * 1024 + 1), "more than 2 MiB"),
    ] {
        let refused = upload(&browser, "thumbnail", (name, bytes)).await;
        assert_eq!(refused.status, 422, "{text}");
        assert!(refused.text().contains(text), "{text}: {}", refused.text());
        assert!(refused.text().contains("&lt;script&gt;alert(1)&lt;/script&gt;.svg"), "{}", refused.text());
        assert!(!refused.text().contains("<script>alert"), "{}", refused.text());
    }
    let none = upload(&browser, "thumbnail", ("", b"")).await;
    assert!(none.status == 422 && none.text().contains("Choose a file first."), "{}", none.text());
    assert!(server.stored().await == before);
}

#[tokio::test]
async fn a_form_with_a_file_needs_the_token_of_the_session() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let token = browser.form_token().await;
    let support = Browser::of(&server, Role::Support).await;
    let before = server.stored().await;
    let file = png(3, 2, 1);
    let page = browser.page(PRODUCT).await;
    let shown = seen(&page);
    let send = async |token: Option<&str>, site: &str| {
        let fields: Vec<_> = token
            .map(|token| ("form", token))
            .into_iter()
            .chain([("as", "gallery"), ("seen", shown)])
            .collect();
        let call = browser.call(Method::POST, UPLOAD).header("sec-fetch-site", site);
        multipart(call, &fields, Some(picture(("a.png", &file)))).send().await.status.as_u16()
    };
    assert_eq!(send(None, "same-origin").await, 403);
    assert_eq!(send(Some("another"), "same-origin").await, 403);
    assert_eq!(send(Some(&token), "cross-site").await, 403);
    let call = support.call(Method::POST, UPLOAD).header("sec-fetch-site", "same-origin");
    let fields = [("form", &*support.form_token().await), ("as", "gallery"), ("seen", shown)];
    assert_eq!(multipart(call, &fields, Some(picture(("a.png", &file)))).send().await.status, 403);
    assert!(server.stored().await == before);
    assert_eq!(send(Some(&token), "same-origin").await, 200, "the page keeps what the form says");
}

#[tokio::test]
async fn malformed_and_too_large_forms_change_nothing() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let token = browser.form_token().await;
    let before = server.stored().await;
    let post = |path: &str| browser.call(Method::POST, path).header("sec-fetch-site", "same-origin");
    let page = browser.page(PRODUCT).await;
    let fields = [("form", &*token), ("as", "gallery"), ("seen", seen(&page))];
    let broken = post(UPLOAD).body("--edge\r\n").header("content-type", "multipart/form-data; boundary=edge");
    assert_eq!(broken.send().await.status, 400);
    for missing in 1..fields.len() {
        let others: Vec<_> =
            fields.iter().enumerate().filter(|(at, _)| *at != missing).map(|(_, field)| *field).collect();
        let unnamed = multipart(post(UPLOAD), &others, Some(picture(("a.png", &png(3, 2, 1))))).send().await;
        assert_eq!(unnamed.status, 400, "{missing}");
    }
    let no_upload = multipart(post("/products/mug/set-stock"), &fields, None).send().await;
    assert_eq!(no_upload.status, 400, "other forms have no files");
    let large = vec![b'a'; 8 * 1024 * 1024];
    let large = multipart(post(UPLOAD), &fields, Some(picture(("a.png", &large)))).send().await;
    assert_eq!(large.status, 413);
    for text in ["have more than 8 MiB together", "<nav class=\"side\"", "The manager"] {
        assert!(large.text().contains(text), "{text}: {}", large.text());
    }
    assert!(server.stored().await == before);
    let elsewhere =
        multipart(post("/products/mug/preview"), &fields, Some(picture(("a.png", &vec![b'a'; 1024 * 1024]))))
            .send()
            .await;
    assert_eq!(elsewhere.status, 413);
}
