//! The order of the pictures of a product in the console.

use pointbook_domain::Role;
use serde_json::{Value, json};

use super::category_places::logged;
use super::operator::{Browser, CONSOLE};
use super::picture_list::patch;
use super::pictures::{press, stored};
use crate::client::Answer;
use crate::harness::TestServer;

const PRODUCT: &str = "/products/mug";
const MOVE: &str = "move-picture";

fn url(name: &str) -> String {
    format!("https://images.example/{name}.png")
}

/// The main picture and the gallery, by the letters of their URLs; `-` stands for no main picture.
async fn row(server: &TestServer) -> String {
    let product = stored(server).await;
    let letter = |url: &Value| url.as_str().unwrap().rsplit('/').next().unwrap().replace(".png", "");
    let main = Some(letter(&product["thumbnail"])).filter(|main| !main.is_empty());
    let gallery = product["gallery"].as_array().unwrap().iter().map(letter);
    std::iter::once(main.unwrap_or_else(|| "-".to_owned())).chain(gallery).collect::<Vec<_>>().join(" ")
}

async fn with_row(server: &TestServer, row: &str) {
    let mut urls = row.split(' ').map(|name| if name == "-" { String::new() } else { url(name) });
    patch(server, "mug", json!({ "thumbnail": urls.next(), "gallery": urls.collect::<Vec<_>>() })).await;
}

/// Some URLs, one per line, as the gallery of the form has them.
fn lines(row: &str) -> String {
    row.split(' ').map(url).collect::<Vec<_>>().join("\n")
}

async fn press_button(browser: &Browser<'_>, page: &str, label: &str) -> Answer {
    press_typed(browser, page, label, &[]).await
}

/// Presses the button with this label, after these values were typed.
async fn press_typed(browser: &Browser<'_>, page: &str, label: &str, typed: &[(&str, &str)]) -> Answer {
    let (tag, _) =
        page.split_once(&format!("aria-label=\"{label}\"")).unwrap_or_else(|| panic!("{label}: {page}"));
    let tag = tag.rsplit('<').next().unwrap();
    assert!(tag.contains(&format!("{CONSOLE}{PRODUCT}/{MOVE}\"")), "{tag}");
    let (_, value) = tag.split_once("value=\"").unwrap();
    let moved = [("moved", value.split('"').next().unwrap())];
    press(browser, page, MOVE, &[typed, &moved].concat()).await
}

#[tokio::test]
async fn each_button_moves_one_picture_with_one_entry() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    for (before, label, after) in [
        ("a b c d", "Make it the main picture: Picture 3", "d a b c"),
        ("a b c d", "Earlier: Picture 3", "a b d c"),
        ("a b c d", "Later: Main picture", "b a c d"),
    ] {
        with_row(&server, before).await;
        let page = browser.page(PRODUCT).await;
        let known = logged(&server, "product.change").await;
        for text in ["product-picture-moved", "pictures-unchanged"] {
            let moved = press_button(&browser, &page, label).await;
            let next = format!("{CONSOLE}{PRODUCT}?said={text}");
            assert_eq!(moved.header("location"), Some(&*next), "{before}: {label}: {}", moved.text());
            assert_eq!(row(&server).await, after, "{before}: {label}");
        }
        assert_eq!(logged(&server, "product.change").await, known + 1, "{before}: {label}");
    }
}

#[tokio::test]
async fn the_ends_of_the_row_have_no_button_that_leads_on() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    with_row(&server, "a b").await;
    let page = browser.page(PRODUCT).await;
    for (label, is_there) in [
        ("Make it the main picture: Main picture", false),
        ("Earlier: Main picture", false),
        ("Later: Main picture", true),
        ("Remove: Main picture", true),
        ("Make it the main picture: Picture 1", true),
        ("Earlier: Picture 1", false),
        ("Later: Picture 1", false),
    ] {
        assert_eq!(page.contains(&format!("aria-label=\"{label}\"")), is_there, "{label}: {page}");
    }
}

#[tokio::test]
async fn nothing_moves_in_a_row_that_another_person_changed() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    for (theirs, label) in [("a b c x", "Make it the main picture: Picture 2"), ("a c", "Later: Picture 1")] {
        with_row(&server, "a b c").await;
        let page = browser.page(PRODUCT).await;
        with_row(&server, theirs).await;
        let late = press_button(&browser, &page, label).await;
        assert_eq!(late.status, 409, "{theirs}: {}", late.text());
        assert!(late.text().contains("Another person changed the pictures meanwhile."), "{}", late.text());
        assert!(late.text().contains(&format!("<img src=\"{}\"", url("c"))), "{}", late.text());
        assert_eq!(row(&server).await, theirs);
    }
    let shown = press(&browser, &browser.page(PRODUCT).await, MOVE, &[("moved", "1 0 ")]).await;
    assert_eq!(shown.status, 409, "a picture that is not there");
    for value in ["", "1 1 x", "1 101 x"] {
        let bad = press(&browser, &browser.page(PRODUCT).await, MOVE, &[("moved", value)]).await;
        assert_eq!(bad.status, 400, "{value}");
    }
}

#[tokio::test]
async fn what_another_person_saved_elsewhere_does_not_stop_a_move() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    with_row(&server, "a b").await;
    let page = browser.page(PRODUCT).await;
    patch(&server, "mug", json!({ "title": "Theirs" })).await;
    let moved = press_button(&browser, &page, "Make it the main picture: Picture 1").await;
    assert_eq!(moved.status, 303, "{}", moved.text());
    assert_eq!(
        (row(&server).await, stored(&server).await["title"].clone()),
        ("b a".to_owned(), json!("Theirs"))
    );
}

/// That a page has what was typed and, beside it, what another person saved.
fn shows_both(answer: &Answer, typed: &str, theirs: &str) {
    assert_eq!(answer.status, 409, "{}", answer.text());
    for text in [
        format!("\n{}</textarea>", lines(typed)),
        format!("Saved meanwhile by another person: <q>{}</q>", lines(theirs)),
        "Another person saved this product while you changed it.".to_owned(),
    ] {
        assert!(answer.text().contains(&text), "{text}: {}", answer.text());
    }
}

#[tokio::test]
async fn a_late_move_shows_the_gallery_of_another_person_beside_the_typed_one() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    with_row(&server, "m a b").await;
    let page = browser.page(PRODUCT).await;
    with_row(&server, "m a b x").await;
    let late = press_typed(&browser, &page, "Later: Picture 1", &[("gallery", &lines("a t"))]).await;
    shows_both(&late, "a t", "a b x");
    assert_eq!(row(&server).await, "m a b x");
    with_row(&server, "m y").await;
    let conflict = browser.submit(late.text(), PRODUCT, &[]).await;
    shows_both(&conflict, "a t", "y");
    let saved = browser.submit(conflict.text(), PRODUCT, &[]).await;
    assert_eq!((saved.status.as_u16(), &*row(&server).await), (303, "m a t"), "after both were shown");
}

#[tokio::test]
async fn no_typed_address_becomes_the_main_picture_by_a_move() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    with_row(&server, "a b c").await;
    let page = browser.page(PRODUCT).await;
    let (gallery, main) = (lines("typed b c"), url("typed"));
    for typed in [("gallery", &*gallery), ("thumbnail", &*main)] {
        for label in [
            "Later: Main picture",
            "Make it the main picture: Picture 2",
            "Make it the main picture: Picture 1",
        ] {
            let refused = press_typed(&browser, &page, label, &[typed]).await;
            assert_eq!(refused.status, 422, "{label}: {}", refused.text());
            for text in ["You typed addresses of pictures.", "Nothing was saved.", "typed.png"] {
                assert!(refused.text().contains(text), "{text}: {}", refused.text());
            }
            assert_eq!(row(&server).await, "a b c", "{label}");
        }
    }
}
