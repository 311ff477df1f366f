//! Stored pictures that an operator chooses for a product.

use http::Method;
use pointbook_domain::Role;
use pointbook_testkit::pictures::png;
use serde_json::{Value, json};

use super::category_places::logged;
use super::operator::{Browser, CONSOLE};
use super::picture_list::{id_of, patch, stored as stored_picture};
use super::pictures::{press, said, stored};
use crate::harness::TestServer;

const PRODUCT: &str = "/products/mug";

/// The field of the buttons.
const CHOSEN: &str = "picture-id";

/// The URLs of the pictures that the page offers, in their order.
fn offered(page: &str) -> Vec<String> {
    let Some((_, rest)) = page.split_once("<details class=\"panel wide\"") else { return Vec::new() };
    let list = rest.split("</details>").next().unwrap();
    list.split("<img src=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

/// Whether the list is open without a click.
fn is_open(page: &str) -> bool {
    page.contains("<details class=\"panel wide\" open>")
}

async fn with_pictures(server: &TestServer, count: u8) -> Vec<String> {
    let mut urls = Vec::new();
    for number in 0..count {
        urls.push(stored_picture(server, png(3, 2, number)).await);
    }
    urls
}

/// The URLs on the page of all pictures, the newest first.
async fn newest(browser: &Browser<'_>) -> Vec<String> {
    let page = browser.page("/pictures").await;
    let (_, page) = page.split_once("<main").unwrap();
    page.split("<li><a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_product_offers_the_newest_pictures() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let none = browser.page(PRODUCT).await;
    assert!(!none.contains("Choose a stored picture"), "{none}");
    with_pictures(&server, 25).await;
    let page = browser.page(PRODUCT).await;
    let expected = newest(&browser).await;
    assert_eq!((offered(&page), expected.len()), (expected, 24));
    assert!(!is_open(&page) && page.contains("These are the newest ones."), "{page}");
    assert!(page.contains(&format!("href=\"{CONSOLE}/pictures\"")) && page.len() < 60_000, "{}", page.len());
    let reader = Browser::of(&server, Role::Support).await;
    assert_eq!(offered(&reader.page(PRODUCT).await), [""; 0]);
}

#[tokio::test]
async fn a_chosen_picture_is_shown_and_what_was_typed_stays() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let urls = with_pictures(&server, 2).await;
    let chosen = |at: usize| (CHOSEN, id_of(&urls[at]));
    let page = browser.page(PRODUCT).await;
    let known = logged(&server, "product.change").await;
    for text in ["product-picture-added", "pictures-unchanged"] {
        let sent = press(&browser, &page, "show-picture", &[chosen(0), ("as", "thumbnail")]).await;
        assert_eq!(sent.header("location"), Some(&*said(text)), "{}", sent.text());
    }
    assert_eq!(logged(&server, "product.change").await, known + 1, "one entry for one choice");
    let values = [chosen(1), ("as", "gallery"), ("title", "Typed mug"), ("stock", "77")];
    let sent = press(&browser, &browser.page(PRODUCT).await, "show-picture", &values).await;
    assert_eq!(sent.status, 200, "{}", sent.text());
    for text in ["The picture is added. What you typed", "value=\"Typed mug\"", "value=\"77\""] {
        assert!(sent.text().contains(text), "{text}: {}", sent.text());
    }
    let mug = stored(&server).await;
    assert_eq!((&mug["thumbnail"], &mug["gallery"][1]), (&json!(urls[0]), &json!(urls[1])));
    assert_eq!((&mug["title"], &mug["stock"]), (&json!("Blue mug"), &Value::Null));
}

#[tokio::test]
async fn a_choice_does_not_replace_a_main_picture_unseen_and_needs_a_picture_that_is_there() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let urls = with_pictures(&server, 1).await;
    let page = browser.page(PRODUCT).await;
    patch(&server, "mug", json!({ "thumbnail": "https://images.example/theirs.png" })).await;
    let before = server.stored().await;
    let gone = "0".repeat(64);
    for (id, place, status, text) in [
        (id_of(&urls[0]), "thumbnail", 409, "Another person changed the main picture"),
        (&gone, "gallery", 422, "The picture was removed meanwhile."),
        ("../x", "gallery", 400, ""),
        (id_of(&urls[0]), "nowhere", 400, ""),
    ] {
        let values = [(CHOSEN, id), ("as", place), ("title", "Typed mug")];
        let refused = press(&browser, &page, "show-picture", &values).await;
        assert!(
            refused.status == status && refused.text().contains(text),
            "{id} {place}: {}",
            refused.text()
        );
        assert!(status == 400 || refused.text().contains("value=\"Typed mug\""), "{}", refused.text());
    }
    assert!(server.stored().await == before);
}

#[tokio::test]
async fn a_picture_is_taken_from_the_list_of_all_to_a_product() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let urls = with_pictures(&server, 3).await;
    let old = &urls[0];
    let query = format!("{CHOSEN}={}", id_of(old));
    let all = browser.page(&format!("/pictures?said=picture-added&{query}")).await;
    let field = format!("<input type=\"url\" value=\"{old}\" readonly>");
    assert!(all.contains(&field) && all.contains("The picture is stored."), "{all}");
    assert_eq!(all.matches(&format!("href=\"{CONSOLE}/products?{query}\"")).count(), 2, "{all}");
    let list = browser.page(&format!("/products?search=mug&{query}")).await;
    assert!(list.contains("Choose the product that shall show this picture."), "{list}");
    assert!(list.contains(&format!("name=\"{CHOSEN}\" value=\"{}\"", id_of(old))), "the search keeps it");
    assert!(list.contains(&format!("href=\"{CONSOLE}{PRODUCT}?{query}#pictures\"")), "{list}");
    assert!(list.contains(&format!("href=\"{CONSOLE}/new-product?{query}\"")), "{list}");
    let page = browser.page(&format!("{PRODUCT}?{query}")).await;
    assert!(is_open(&page) && page.contains("<li class=\"marked\">"), "{page}");
    assert_eq!((&offered(&page)[0], offered(&page).len()), (old, 3));
    let new = browser.page(&format!("/new-product?{query}")).await;
    assert!(new.contains(&format!("name=\"thumbnail\" value=\"{old}\"")), "{new}");
    for bad in ["0".repeat(64), "..".to_owned(), String::new()] {
        for path in ["/pictures", "/products", PRODUCT, "/new-product"] {
            let page = browser.page(&format!("{path}?{CHOSEN}={bad}")).await;
            assert!(!is_open(&page) && !page.contains("with-picture"), "{path}: {page}");
        }
    }
    let reader = Browser::of(&server, Role::Support).await;
    for path in ["/pictures", "/products"] {
        let page = reader.page(&format!("{path}?{query}")).await;
        assert!(!page.contains("Show on a product") && !page.contains("shall show this"), "{page}");
    }
    let call = reader.call(Method::GET, &format!("/new-product?{query}"));
    assert_eq!(call.send().await.status, 403);
}

#[tokio::test]
async fn the_form_of_a_new_product_takes_the_address_of_a_chosen_picture() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    assert_eq!(offered(&browser.page("/new-product").await), [""; 0], "there is nothing to choose");
    let urls = with_pictures(&server, 2).await;
    let (path, before) = ("/new-product/picture", server.stored().await);
    let mut page = browser.page("/new-product").await;
    assert_eq!(offered(&page), newest(&browser).await);
    for (place, url) in [("thumbnail", &urls[0]), ("gallery", &urls[1]), ("gallery", &urls[1])] {
        let values =
            [(CHOSEN, id_of(url)), ("as", place), ("title", "Typed pot"), ("id", "pot"), ("stock", "3")];
        let shown = browser.submit(&page, path, &values).await;
        assert_eq!(shown.status, 200, "{}", shown.text());
        assert!(shown.text().contains("The address of the picture is in the form."), "{}", shown.text());
        shown.text().clone_into(&mut page);
    }
    for (values, status) in [
        ([(CHOSEN, &*"0".repeat(64)), ("as", "gallery")], 422),
        ([(CHOSEN, "../x"), ("as", "gallery")], 400),
        ([(CHOSEN, id_of(&urls[0])), ("as", "")], 400),
    ] {
        let refused = browser.submit(&page, path, &values).await;
        assert_eq!(refused.status, status, "{}", refused.text());
        assert!(status == 400 || refused.text().contains("value=\"Typed pot\""), "{}", refused.text());
    }
    assert!(server.stored().await == before);
    let made = browser.submit(&page, "/new-product", &[("sku", "P"), ("regular_price", "5")]).await;
    assert_eq!(made.status, 303, "{}", made.text());
    let token = server.issue_super_user().await;
    let pot = server.request(Method::GET, "/v1/manage/products/pot", &token).send().await.json();
    let pot = &pot["data"];
    assert_eq!((&pot["thumbnail"], &pot["gallery"]), (&json!(urls[0]), &json!([urls[1]])));
    assert_eq!((&pot["title"], &pot["stock"]), (&json!("Typed pot"), &json!(3)));
}

#[tokio::test]
async fn a_picture_beyond_the_newest_is_offered_when_it_was_chosen_before() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    with_pictures(&server, 25).await;
    let newest = newest(&browser).await;
    let second = browser.page("/pictures?page=2").await;
    let (_, rest) = second.split_once("<main").unwrap();
    let (_, rest) = rest.split_once("<li><a href=\"").unwrap();
    let oldest = rest.split('"').next().unwrap();
    assert!(!newest.contains(&oldest.to_owned()));
    let page = browser.page(&format!("{PRODUCT}?{CHOSEN}={}", id_of(oldest))).await;
    assert_eq!((offered(&page)[0].as_str(), offered(&page).len()), (oldest, 25));
    assert!(page.len() < 60_000, "{}", page.len());
}
