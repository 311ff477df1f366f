//! The category tree in the console.

use http::Method;
use pointbook_domain::Role;
use serde_json::Value;

use super::operator::{Browser, CONSOLE, NOTHING_SAVED};
use crate::harness::TestServer;

/// The tree as `home(kitchen(cups plates)) drinks`.
pub(super) async fn tree(server: &TestServer) -> String {
    fn level(categories: &Value) -> String {
        let one = |category: &Value| match category["children"].as_array().unwrap().len() {
            0 => category["id"].as_str().unwrap().to_owned(),
            _ => format!("{}({})", category["id"].as_str().unwrap(), level(&category["children"])),
        };
        categories.as_array().unwrap().iter().map(one).collect::<Vec<_>>().join(" ")
    }
    let token = server.issue_super_user().await;
    let answer = server.request(Method::GET, "/v1/manage/categories", &token).send().await;
    level(&answer.json()["data"])
}

/// A page, the path of its form, what is typed, and the tree after it.
type Case<'c> = (&'c str, &'c str, &'c [(&'c str, &'c str)], &'c str);

const CASES: [Case<'static>; 4] = [
    (
        "/categories?below=kitchen",
        "/new-category",
        &[("id", "bowls"), ("label", "Bowls")],
        "home(kitchen(cups plates bowls)) drinks",
    ),
    (
        "/categories/bowls",
        "/categories/bowls/move",
        &[("parent", "drinks")],
        "home(kitchen(cups plates)) drinks(bowls)",
    ),
    (
        "/categories/drinks",
        "/categories/drinks/rename",
        &[("label", "Tea & more")],
        "home(kitchen(cups plates)) drinks(bowls)",
    ),
    ("/categories/drinks", "/categories/drinks/remove", &[], "home(kitchen(cups plates)) bowls"),
];

#[tokio::test]
async fn the_tree_is_built_step_by_step() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    assert_eq!(tree(&server).await, "home(kitchen(cups plates)) drinks");
    for (page, path, values, expected) in CASES {
        let page = browser.page(page).await;
        let done = browser.submit(&page, path, values).await;
        assert_eq!(done.status, 303, "{path}: {}", done.text());
        assert!(
            done.header("location").unwrap().starts_with(&format!("{CONSOLE}/categories?said=category-"))
        );
        assert_eq!(tree(&server).await, expected, "{path}");
    }
}

#[tokio::test]
async fn buttons_change_the_order_of_siblings() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    for (button, id, expected) in [
        ("up", "plates@1", "home(kitchen(plates cups)) drinks"),
        ("down", "home@0", "drinks home(kitchen(plates cups))"),
        ("up", "drinks@0", "drinks home(kitchen(plates cups))"),
        // Sent again.
        ("down", "home@0", "drinks home(kitchen(plates cups))"),
    ] {
        let page = browser.page("/categories").await;
        let moved = browser.submit(&page, "/categories?page=1", &[(button, id)]).await;
        let place = format!("{CONSOLE}/categories?said=category-moved&page=1");
        assert_eq!(moved.header("location"), Some(&*place), "{}", moved.text());
        assert_eq!(tree(&server).await, expected);
    }
}

#[tokio::test]
async fn a_move_to_the_same_place_keeps_the_order() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let before = tree(&server).await;
    for path in ["/categories/home", "/categories/cups"] {
        let page = browser.page(path).await;
        let stays = browser.submit(&page, &format!("{path}/move"), &[]).await;
        let next = format!("{CONSOLE}{path}?said=category-unmoved");
        assert_eq!(stays.header("location"), Some(&*next), "{}", stays.text());
        assert_eq!(tree(&server).await, before);
    }
}

#[tokio::test]
async fn a_mistake_of_a_new_category_is_beside_its_field() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/categories").await;
    let refused = browser.submit(&page, "/new-category", &[("id", "cups"), ("label", "Cups")]).await;
    assert!(refused.text().contains(NOTHING_SAVED), "{}", refused.text());
    let blank = browser.submit(&page, "/new-category", &[("id", ""), ("label", "")]).await;
    assert!(blank.status == 422 && blank.text().contains(NOTHING_SAVED), "{}", blank.text());
    let (_, form) = refused.text().split_once("id=\"add\"").unwrap();
    assert!(form.contains("role=\"alert\">Another category has this ID."), "{form}");
}

#[tokio::test]
async fn an_impossible_step_changes_nothing_and_says_why() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let before = tree(&server).await;
    let add = browser.page("/categories").await;
    let home = browser.page("/categories/home").await;
    let cases: [Case<'_>; 4] = [
        (&add, "/new-category", &[("id", "x"), ("label", "   ")], "This is required."),
        (
            &add,
            "/new-category",
            &[("id", "x"), ("label", "X"), ("parent", "gone")],
            "The category above does not exist: no category has this ID.",
        ),
        (&home, "/categories/home/move", &[("parent", "cups")], "A category cannot be below itself."),
        (&add, "/categories?page=1", &[("up", "gone@0")], "This category is gone."),
    ];
    for (page, path, values, text) in cases {
        let refused = browser.submit(page, path, values).await;
        assert!(
            refused.status == 422 && refused.text().contains(text),
            "{path} {values:?}: {}",
            refused.text()
        );
        assert_eq!(tree(&server).await, before);
    }
    let typed = browser.submit(&add, "/new-category", &[("id", ""), ("label", "Typed")]).await;
    assert!(typed.text().contains("value=\"Typed\""));
    assert_eq!(browser.get("/categories/gone").await.status, 404);
    let token = browser.form_token().await;
    assert_eq!(browser.post("/categories/gone/remove", &[("form", &token)]).await.status, 404);
}

#[tokio::test]
async fn a_step_means_the_same_in_a_tree_that_another_person_changed() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let (page, drinks) = (browser.page("/categories").await, browser.page("/categories/drinks").await);
    let added = browser.submit(&page, "/new-category", &[("id", "toys"), ("label", "Toys")]).await;
    assert_eq!(added.status, 303);
    assert_eq!(browser.submit(&drinks, "/categories/drinks/move", &[("parent", "home")]).await.status, 303);
    assert_eq!(tree(&server).await, "home(kitchen(cups plates) drinks) toys");
}

#[tokio::test]
async fn a_tree_without_categories_says_how_it_gets_one() {
    let server = TestServer::start().await;
    let browser = Browser::of(&server, Role::Owner).await;
    assert!(browser.page("/categories").await.contains("There are no categories yet. Add the first one."));
}
