//! The search for categories: in the forms of a large tree, and on the page of the tree.

use http::Method;
use pointbook_catalogue::commands::ReplaceCategories;
use pointbook_domain::{Category, CategoryId, CategoryTree, Role};
use serde_json::{Value, json};

use super::operator::{Browser, CONSOLE};
use super::pictures::said;
use crate::client::Answer;
use crate::harness::TestServer;

const PRODUCT: &str = "/products/mug";
const FIND: (&str, &str) = ("find-category", "1");

/// The most bytes of a page.
const MAX_BYTES: usize = 60_000;

/// The sample, and below 60 shelves 96 wares each: such as `c-7-12` with the label `Ware 7 12`, below `s-7` with the label `Shelf 7`.
async fn with_large_tree() -> TestServer {
    let category =
        |id: String, label: String, children| Category { id: CategoryId::new(id).unwrap(), label, children };
    let shelf = |shelf: u32| {
        let ware = |ware: u32| category(format!("c-{shelf}-{ware}"), format!("Ware {shelf} {ware}"), vec![]);
        category(format!("s-{shelf}"), format!("Shelf {shelf}"), (0..96).map(ware).collect())
    };
    let server = TestServer::with_sample().await;
    let data = server.production().data.clone();
    let small = data.categories().await.unwrap();
    let roots = small.roots().iter().cloned().chain((0..60).map(shelf)).collect();
    data.write(ReplaceCategories::with(&CategoryTree::new(roots).unwrap())).await.unwrap();
    server
}

async fn categories_of(server: &TestServer, id: &str) -> Value {
    let token = server.issue_super_user().await;
    let path = format!("/v1/manage/products/{id}");
    server.request(Method::GET, &path, &token).send().await.json()["data"]["categories"].clone()
}

fn assert_has(answer: &Answer, texts: &[&str]) {
    for text in texts {
        assert!(answer.text().contains(text), "{text}: {}", answer.text());
    }
    assert!(answer.text().len() < MAX_BYTES, "{} bytes", answer.text().len());
}

#[tokio::test]
async fn a_large_tree_is_searched_in_the_form_of_a_product() {
    let server = with_large_tree().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let page = browser.get(PRODUCT).await;
    let chosen = "name=\"categories\" value=\"cups\" checked><span>Home › Kitchen › Cups ";
    assert_has(&page, &[chosen, "formaction=\"/console/shop/products/mug/preview#categories\""]);
    assert!(!page.text().contains("<textarea class=\"short\" name=\"categories\""), "{}", page.text());
    let preview = format!("{PRODUCT}/preview");
    let typed = [("title", "Typed"), ("category-search", "ware"), FIND];
    let many = browser.submit(page.text(), &preview, &typed).await;
    assert_has(&many, &[chosen, "value=\"Typed\"", "The first 50 of 5,760 categories."]);
    assert_eq!(many.text().matches("type=\"checkbox\" name=\"categories\"").count(), 51);
    let one = browser.submit(many.text(), &preview, &[("category-search", "Ｃ-７-12")]).await;
    let found = "name=\"categories\" value=\"c-7-12\"><span>Shelf 7 › Ware 7 12 ";
    assert_has(&one, &[chosen, found, "value=\"Typed\""]);
    // A box that is ticked stays ticked during the next search.
    let ticked = [("categories", "cups"), ("categories", "c-7-12"), ("category-search", "nothing")];
    let none = browser.submit(one.text(), &preview, &ticked).await;
    assert_has(&none, &[chosen, "value=\"c-7-12\" checked", "No other category matches."]);
    assert_eq!(categories_of(&server, "mug").await, json!(["cups"]), "a search saves nothing");
    let saved = browser.submit(none.text(), PRODUCT, &[]).await;
    assert_eq!(saved.header("location"), Some(&*said("product-saved")), "{}", saved.text());
    assert_eq!(categories_of(&server, "mug").await, json!(["cups", "c-7-12"]));
}

#[tokio::test]
async fn the_first_button_saves_and_a_form_with_a_mistake_keeps_the_search() {
    let server = with_large_tree().await;
    let browser = Browser::of(&server, Role::Manager).await;
    for path in [PRODUCT, "/new-product"] {
        let page = browser.page(path).await;
        let (_, form) = page.split_once("id=\"editor\"").unwrap();
        let first = form.split("<button").nth(1).unwrap().split('>').next().unwrap();
        assert!(first.contains("formenctype") && !first.contains("formaction"), "Enter saves: {first}");
        let typed = [("regular_price", "1.5"), ("category-search", "shelf 59")];
        let refused = browser.submit(&page, path, &typed).await;
        assert_eq!(refused.status, 422, "{}", refused.text());
        assert_has(&refused, &["name=\"category-search\" value=\"shelf 59\"", "<span>Shelf 59 "]);
    }
    let reader = Browser::of(&server, Role::Support).await;
    let shown = reader.get(PRODUCT).await;
    assert_has(&shown, &["value=\"cups\" checked"]);
    assert!(!shown.text().contains("category-search"), "{}", shown.text());
}

#[tokio::test]
async fn an_unknown_category_is_refused_beside_its_field() {
    for server in [TestServer::with_sample().await, with_large_tree().await] {
        let browser = Browser::of(&server, Role::Manager).await;
        let before = server.stored().await;
        for path in [PRODUCT, "/new-product"] {
            let page = browser.page(path).await;
            let typed = [("id", "pot"), ("title", "Typed"), ("sku", "P"), ("regular_price", "5")];
            let values = [&typed[..], &[("categories", "cups"), ("categories", "no<b>where")]].concat();
            let refused = browser.submit(&page, path, &values).await;
            assert_eq!(refused.status, 422, "{}", refused.text());
            assert_has(&refused, &["Nothing was saved.", "value=\"Typed\"", "value=\"cups\" checked"]);
            let (_, field) = refused.text().split_once("id=\"categories\"").unwrap();
            let field = field.split("</fieldset>").next().unwrap();
            assert!(field.contains("No category has the ID no&lt;b&gt;where."), "{path}: {field}");
        }
        assert!(server.stored().await == before);
    }
}

#[tokio::test]
async fn a_product_keeps_an_id_that_the_tree_lacks() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let path = "/products/gift";
    let gone = "gifts-not-in-the-tree";
    for (values, expected) in [
        (vec![("title", "Card")], json!([gone])),
        (vec![("categories", gone), ("categories", "cups")], json!([gone, "cups"])),
        (vec![("categories", "cups")], json!(["cups"])),
    ] {
        let page = browser.page(path).await;
        assert!(!page.contains("No category has the ID"), "{page}");
        let saved = browser.submit(&page, path, &values).await;
        assert_eq!(saved.status, 303, "{values:?}: {}", saved.text());
        assert_eq!(categories_of(&server, "gift").await, expected);
    }
    let page = browser.page(path).await;
    let refused = browser.submit(&page, path, &[("categories", gone)]).await;
    assert!(refused.status == 422, "the product has the id no more: {}", refused.text());
}

#[tokio::test]
async fn a_large_tree_is_searched_for_the_category_above() {
    let server = with_large_tree().await;
    let browser = Browser::of(&server, Role::Manager).await;
    for (page, path, search) in [
        ("/categories", "/new-category", ("category-search", "KITCHEN")),
        ("/categories/drinks", "/categories/drinks/move", ("category-search", "home kitchen")),
    ] {
        let (shown, before) = (browser.page(page).await, server.stored().await);
        let found = browser.submit(&shown, path, &[("label", "Typed"), search, FIND]).await;
        assert_eq!(found.status, 200, "{}", found.text());
        let top = "name=\"parent\" value=\"\" checked";
        assert_has(&found, &[top, "name=\"parent\" value=\"kitchen\"><span>Home › Kitchen "]);
        assert!(server.stored().await == before, "a search changes nothing");
        let values = [("id", "bowls"), ("label", "Bowls"), ("parent", "kitchen")];
        let done = browser.submit(found.text(), path, &values).await;
        assert_eq!(done.status, 303, "{}", done.text());
        let id = if path == "/new-category" { "bowls" } else { "drinks" };
        let moved = browser.get(&format!("/categories/{id}")).await;
        assert_has(&moved, &["name=\"parent\" value=\"kitchen\" checked"]);
        if path == "/new-category" {
            let removed = browser.submit(moved.text(), "/categories/bowls/remove", &[]).await;
            assert_eq!(removed.status, 303, "{}", removed.text());
        }
    }
}

/// The links of the list, and the texts of each.
fn links(page: &str) -> Vec<(&str, &str)> {
    let Some((_, body)) = page.split_once("<tbody>") else { return Vec::new() };
    let begin = format!("<a href=\"{CONSOLE}/categories/");
    let rows = body.split("<tr>").skip(1);
    rows.map(|row| {
        let (_, link) = row.split_once(&*begin).unwrap_or_else(|| panic!("{row}"));
        link.split_once("</a>").unwrap().0.split_once("\">").unwrap()
    })
    .collect()
}

#[tokio::test]
async fn the_page_of_the_tree_finds_categories_with_their_path() {
    let server = with_large_tree().await;
    let browser = Browser::of(&server, Role::Auditor).await;
    let page = browser.page("/categories?search=%EF%BC%AB%EF%BC%A9tchen").await;
    let expected = [
        ("kitchen", "Home › Kitchen"),
        ("cups", "Home › Kitchen › Cups"),
        ("plates", "Home › Kitchen › Plates"),
    ];
    assert_eq!(links(&page), expected, "{page}");
    assert!(page.contains("1 to 3 of 3"), "{page}");
    let many = browser.get("/categories?search=ware&page=2").await;
    assert_eq!((links(many.text()).len(), links(many.text())[0]), (80, ("c-0-80", "Shelf 0 › Ware 0 80")));
    assert_has(&many, &["81 to 160 of 5,760", "categories?search=ware&amp;page=3", "value=\"ware\""]);
    let none = browser.page("/categories?search=nothing").await;
    assert!(none.contains("No category matches.") && links(&none).is_empty(), "{none}");
    let all = browser.page("/categories?search=%E3%80%80").await;
    assert_eq!(links(&all).len(), 80, "a search for spaces shows the tree");
}

/// The number of products that a list says.
fn found(page: &str) -> &str {
    page.split_once("id=\"found\" role=\"status\">").unwrap().1.split_once("</span>").unwrap().0
}

#[tokio::test]
async fn the_filter_of_products_searches_a_large_tree_by_name() {
    let server = with_large_tree().await;
    let browser = Browser::of(&server, Role::Support).await;
    let by_id = browser.page("/products?category=kitchen&max=2000").await;
    let by_name = browser.page("/products?category=%EF%BC%AB%EF%BC%A9tchen&max=2000").await;
    assert_eq!(found(&by_name), found(&by_id), "those of the category and below: {by_name}");
    for (id, path) in [("kitchen", "Home › Kitchen"), ("cups", "Home › Kitchen › Cups")] {
        let offered = format!("/products?category={id}&amp;max=2000&amp;page=1\"><span>{path} ");
        assert!(by_name.contains(&offered), "{offered}: {by_name}");
    }
    assert!(by_id.contains("<span>Home › Kitchen "), "a chosen category has its path: {by_id}");
    let many = browser.get("/products?category=ware").await;
    assert_has(&many, &["The first 50 of 5,760 categories.", "name=\"category\" value=\"ware\""]);
    assert!(browser.page("/products?category=gifts-not-in-the-tree").await.contains("/products/gift\""));
    assert!(browser.page("/products?category=nothing+at+all").await.contains("Nothing fits."));
}
