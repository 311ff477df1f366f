//! The page of a product as one form: each button keeps what was typed elsewhere, and "Save" takes a chosen file.

use pointbook_domain::Role;
use pointbook_testkit::pictures::png;
use serde_json::json;

use super::operator::{Browser, CONSOLE};
use super::picture_list::patch;
use super::pictures::{pictures, press, said, send_file, stored};
use crate::client::Answer;
use crate::harness::TestServer;

const PRODUCT: &str = "/products/mug";

/// What is typed into all parts of the page.
const TYPED: [(&str, &str); 4] =
    [("title", "Typed mug"), ("description", "<p>Typed</p>"), ("difference", "-2"), ("stock", "77")];

/// A mug with two pictures and nine pieces.
async fn with_stock(server: &TestServer) {
    let url = |name: &str| format!("https://images.example/{name}.png");
    patch(server, "mug", json!({ "thumbnail": url("a"), "gallery": [url("b")], "stock": 9 })).await;
}

/// The buttons of the page: the end of the path to which each sends the form, and its name and value.
fn buttons(page: &str) -> Vec<(String, Vec<(String, String)>)> {
    let attribute = |tag: &str, name: &str| {
        let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
        Some(rest.split('"').next().unwrap().to_owned())
    };
    let (_, main) = page.split_once("<main").unwrap();
    let tags = main.split("<button").skip(1).map(|rest| rest.split('>').next().unwrap());
    let button = |tag: &str| {
        let below = attribute(tag, "formaction")?.strip_prefix(&format!("{CONSOLE}{PRODUCT}/"))?.to_owned();
        let own = attribute(tag, "name").map(|name| (name, attribute(tag, "value").unwrap()));
        (!tag.ends_with(" disabled")).then_some((below, own.into_iter().collect()))
    };
    tags.filter_map(button).collect()
}

/// Which of the typed texts the page still has.
fn kept(answer: &Answer) -> Vec<&'static str> {
    let signs = ["value=\"Typed mug\"", "&lt;p&gt;Typed&lt;/p&gt;", "value=\"-2\"", "value=\"77\""];
    let found = TYPED.iter().zip(signs).filter(|(_, sign)| answer.text().contains(sign));
    found.map(|((name, _), _)| *name).collect()
}

#[tokio::test]
async fn each_button_keeps_what_was_typed_in_other_parts_of_the_page() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    with_stock(&server).await;
    let all = buttons(&browser.page(PRODUCT).await);
    let mut seen: Vec<_> = all.iter().map(|(below, _)| &**below).collect();
    seen.dedup();
    for below in ["preview", "move-picture", "take-picture", "pictures", "stock", "set-stock"] {
        assert!(seen.contains(&below), "{below}: {seen:?}");
    }
    for (below, own) in &all {
        with_stock(&server).await;
        let own = own.iter().map(|(name, value)| (&**name, &**value));
        let values: Vec<_> = TYPED.into_iter().chain(own).collect();
        let page = browser.page(PRODUCT).await;
        let answer = match &**below {
            "pictures" => {
                send_file(&browser, &page, "/products/mug/pictures", &values, ("m.png", &png(3, 2, 1))).await
            }
            _ => press(&browser, &page, below, &values).await,
        };
        assert_eq!(answer.status, 200, "{below}: {}", answer.text());
        // A number that is in stock now is not typed any more.
        let expected = match &**below {
            "stock" => vec!["title", "description", "stock"],
            _ => TYPED.iter().map(|(name, _)| *name).collect(),
        };
        assert_eq!(kept(&answer), expected, "{below}: {}", answer.text());
        let mug = stored(&server).await;
        assert_ne!(mug["title"], "Typed mug", "{below}");
        let pieces = match &**below {
            "stock" => 7,
            "set-stock" => 77,
            _ => 9,
        };
        assert_eq!(mug["stock"], pieces, "{below}");
        let has_note = answer.text().contains("What you typed into the form is not saved yet.");
        assert_eq!(has_note, *below != "preview", "{below}");
    }
}

#[tokio::test]
async fn saving_keeps_the_stock_that_was_typed() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    with_stock(&server).await;
    let page = browser.page(PRODUCT).await;
    let saved = browser.submit(&page, PRODUCT, &TYPED).await;
    assert_eq!((saved.status.as_u16(), kept(&saved).len()), (200, 4), "{}", saved.text());
    for text in ["The product is saved.", "What you typed about the stock is not saved yet."] {
        assert!(saved.text().contains(text), "{text}: {}", saved.text());
    }
    assert!(!saved.text().contains("What you typed into the form"), "{}", saved.text());
    let mug = stored(&server).await;
    assert_eq!((&mug["title"], &mug["stock"]), (&json!("Typed mug"), &json!(9)));
    let refused = browser.submit(saved.text(), PRODUCT, &[("title", "")]).await;
    assert!(refused.status == 422 && kept(&refused).contains(&"difference"), "{}", refused.text());
    let changed = press(&browser, saved.text(), "stock", &[("stock", "9")]).await;
    assert_eq!(changed.header("location"), Some(&*said("product-stock-changed")), "{}", changed.text());
}

#[tokio::test]
async fn a_refused_change_of_the_stock_keeps_the_form() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    with_stock(&server).await;
    let page = browser.page(PRODUCT).await;
    for (below, values, text) in [
        ("stock", [("difference", "-10"), ("stock", "9")], "There are not that many pieces"),
        ("stock", [("difference", ""), ("stock", "9")], "This must be a whole number."),
        ("set-stock", [("difference", ""), ("stock", "many")], "This must be a whole number."),
    ] {
        let values = [&TYPED[..2], &values].concat();
        let refused = press(&browser, &page, below, &values).await;
        assert!(refused.status == 422 && refused.text().contains(text), "{below}: {}", refused.text());
        assert_eq!(kept(&refused), ["title", "description"], "{below}");
        assert!(refused.text().contains("Nothing was saved."), "{below}: {}", refused.text());
    }
    // The same form again says that nothing was done.
    let again = press(&browser, &page, "stock", &[&TYPED[..2], &[("difference", "-10")]].concat()).await;
    assert!(again.text().contains("This form was sent before and refused."), "{}", again.text());
    assert_eq!(
        (kept(&again), stored(&server).await["stock"].clone()),
        (vec!["title", "description"], json!(9))
    );
}

/// Presses "Save" with a file.
async fn save(browser: &Browser<'_>, page: &str, values: &[(&str, &str)], file: (&str, &[u8])) -> Answer {
    send_file(browser, page, PRODUCT, values, file).await
}

#[tokio::test]
async fn saving_stores_the_chosen_file_and_shows_it_at_the_product() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    for (place, number) in [("thumbnail", 1), ("gallery", 2)] {
        let page = browser.page(PRODUCT).await;
        let values = [("title", &*format!("Mug {number}")), ("as", place)];
        for text in ["product-saved", "product-unchanged"] {
            let saved = save(&browser, &page, &values, ("mug.png", &png(3, 2, number))).await;
            assert_eq!(saved.header("location"), Some(&*said(text)), "{place}: {}", saved.text());
        }
        let (mug, urls) = (stored(&server).await, pictures(&server).await);
        assert_eq!((&mug["title"], urls.len()), (&json!(values[0].1), usize::from(number)));
        let shown = if place == "gallery" { &mug["gallery"][1] } else { &mug["thumbnail"] };
        assert!(urls.contains(&shown.as_str().unwrap().to_owned()), "{place}: {mug}");
    }
    let none = save(&browser, &browser.page(PRODUCT).await, &[("title", "Mug 3")], ("", b"")).await;
    assert_eq!(none.header("location"), Some(&*said("product-saved")), "no file is no mistake");
}

#[tokio::test]
async fn a_refused_file_saves_nothing_and_keeps_the_form() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    with_stock(&server).await;
    let page = browser.page(PRODUCT).await;
    let before = server.stored().await;
    let refused = save(&browser, &page, &TYPED, ("note.png", b"no picture")).await;
    assert_eq!((refused.status.as_u16(), kept(&refused).len()), (422, 4), "{}", refused.text());
    for text in ["Nothing was saved.", "note.png</bdi>: The file is not a PNG"] {
        assert!(refused.text().contains(text), "{text}: {}", refused.text());
    }
    // A browser that sends the name alone.
    let named = browser.submit(&page, PRODUCT, &[&TYPED[..], &[("picture", "<b>.png")]].concat()).await;
    assert_eq!((named.status.as_u16(), kept(&named).len()), (422, 4), "{}", named.text());
    assert!(named.text().contains("&lt;b&gt;.png</bdi>: The file was not uploaded."), "{}", named.text());
    assert!(server.stored().await == before);
    let gallery: Vec<_> = (0..100).map(|number| format!("https://images.example/{number}.png")).collect();
    patch(&server, "mug", json!({ "gallery": gallery })).await;
    let (page, before) = (browser.page(PRODUCT).await, server.stored().await);
    let full = save(&browser, &page, &[("as", "gallery")], ("mug.png", &png(3, 2, 1))).await;
    assert!(full.status == 422 && full.text().contains("which is the limit"), "{}", full.text());
    assert!(server.stored().await == before, "no picture is stored for a full gallery");
    let gone = send_file(&browser, &page, "/products/nothing", &[], ("mug.png", &png(3, 2, 1))).await;
    assert!(gone.status == 404 && server.stored().await == before, "{}", gone.text());
}

#[tokio::test]
async fn a_mistake_in_the_form_keeps_the_picture_of_the_file() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let page = browser.page(PRODUCT).await;
    let before = stored(&server).await;
    let values = [("title", "Typed mug"), ("regular_price", "1.5"), ("as", "gallery")];
    let refused = save(&browser, &page, &values, ("mug.png", &png(3, 2, 1))).await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    for text in ["This must be a whole number.", "The picture is stored, and its address is in the form."] {
        assert!(refused.text().contains(text), "{text}: {}", refused.text());
    }
    assert!(!refused.text().contains("class=\"toast\""), "a refused form has no look of a success");
    assert_eq!(stored(&server).await, before);
    let saved = browser.submit(refused.text(), PRODUCT, &[("regular_price", "450")]).await;
    assert_eq!(saved.header("location"), Some(&*said("product-saved")), "{}", saved.text());
    let (mug, urls) = (stored(&server).await, pictures(&server).await);
    assert_eq!((&mug["gallery"][1], &mug["title"]), (&json!(urls[0]), &json!("Typed mug")));
}

#[tokio::test]
async fn a_file_does_not_replace_the_main_picture_of_another_person_unseen() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let page = browser.page(PRODUCT).await;
    patch(&server, "mug", json!({ "thumbnail": "https://images.example/theirs.png" })).await;
    let late = save(&browser, &page, &[("as", "thumbnail")], ("mug.png", &png(3, 2, 1))).await;
    assert_eq!(late.status, 409, "{}", late.text());
    assert!(late.text().contains("<q>https://images.example/theirs.png</q>"), "{}", late.text());
    assert_eq!(stored(&server).await["thumbnail"], "https://images.example/theirs.png");
    let saved = browser.submit(late.text(), PRODUCT, &[]).await;
    assert_eq!(saved.header("location"), Some(&*said("product-saved")), "{}", saved.text());
    assert_eq!(stored(&server).await["thumbnail"], pictures(&server).await[0]);
}

#[tokio::test]
async fn a_button_that_sends_no_file_says_that_it_was_not_uploaded() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    with_stock(&server).await;
    let page = browser.page(PRODUCT).await;
    let sent = press(&browser, &page, "stock", &[("difference", "1"), ("picture", "mug.png")]).await;
    assert_eq!(sent.status, 200);
    for text in ["The stock is changed.", "mug.png</bdi>: The file was not uploaded. Choose it again"] {
        assert!(sent.text().contains(text), "{text}: {}", sent.text());
    }
}

#[tokio::test]
async fn a_typed_stock_is_one_of_the_stock_that_was_seen_after_any_button() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    with_stock(&server).await;
    let page = browser.page(PRODUCT).await;
    patch(&server, "mug", json!({ "stock": 8 })).await;
    let previewed = press(&browser, &page, "preview", &[("stock", "12")]).await;
    let saved = browser.submit(previewed.text(), PRODUCT, &[("title", "Cup")]).await;
    for answer in [&previewed, &saved] {
        let refused = press(&browser, answer.text(), "set-stock", &[]).await;
        assert!(
            refused.status == 422 && refused.text().contains("The stock changed since"),
            "{}",
            refused.text()
        );
        assert_eq!(stored(&server).await["stock"], 8);
    }
}

#[tokio::test]
async fn each_button_takes_the_longest_description_and_no_longer_form() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    with_stock(&server).await;
    let page = browser.page(PRODUCT).await;
    let longest = "あ".repeat(65_536);
    let added = press(&browser, &page, "stock", &[("difference", "1"), ("description", &longest)]).await;
    assert_eq!(added.status, 200, "{}", added.text().get(..300).unwrap());
    assert_eq!(stored(&server).await["stock"], 10);
    let lines = "\n".repeat(1024 * 1024);
    let refused = send_file(&browser, &page, PRODUCT, &[("gallery", &lines)], ("m.png", &png(3, 2, 1))).await;
    assert_eq!(refused.status, 413, "{}", refused.text());
    assert_eq!(pictures(&server).await.len(), 0);
}

#[tokio::test]
async fn a_stock_that_is_set_to_itself_is_no_change() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    with_stock(&server).await;
    let before = server.stored().await;
    let page = browser.page(PRODUCT).await;
    let same = press(&browser, &page, "set-stock", &[("stock", "9")]).await;
    assert_eq!(same.header("location"), Some(&*said("product-unchanged")), "{}", same.text());
    let beside = press(&browser, &page, "set-stock", &[("stock", "9"), ("difference", "3")]).await;
    for text in ["You changed nothing", "What you typed about the stock is not saved yet."] {
        assert!(beside.text().contains(text), "{text}: {}", beside.text());
    }
    assert!(server.stored().await == before);
}
