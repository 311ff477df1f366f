//! What holds for every page of the table.

use http::Method;
use pointbook_shop::{PAGES, languages};

use super::browser::{Browser, SHOP, link, with_shop};
use crate::harness::Act;

/// The path of a page with a value for each parameter: a product, this order, this link.
pub(super) fn concrete(path: &str, order: &str, link: &str) -> String {
    let path = path.strip_prefix("/shop/{tenant}").unwrap();
    let path = path.replace("/products/{id}", "/products/mug").replace("{id}", order);
    match &*path {
        "/points/{day}/{type}" => "/points/2026-03-01/order".to_owned(),
        "/order" => "/order?product=mug&quantity=1".to_owned(),
        "/sign-in" => format!("/sign-in?link={link}"),
        _ => path,
    }
}

fn paths(order: &str, link: &str) -> Vec<(&'static Method, String)> {
    PAGES.iter().map(|page| (&page.method, concrete(page.path, order, link))).collect()
}

#[tokio::test]
async fn every_page_has_the_policy_and_none_changes_by_get() {
    let server = with_shop().await;
    server.award(10_000).await;
    let order = server.ordered("mug", 1).await;
    let link = link(&server, "u2").await;
    let (_, text) = link.rsplit_once('=').unwrap();
    for browser in [Browser::new(&server), Browser::of(&server, "u1").await] {
        for (method, path) in paths(&order, text) {
            let page = browser.call(method.clone(), &path).send().await;
            if page.status == 303 {
                continue;
            }
            assert_eq!(page.header("cache-control"), Some("no-store"), "{path}");
            let policy = page.header("content-security-policy").unwrap_or_else(|| panic!("{method} {path}"));
            assert!(
                policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"),
                "{policy}"
            );
            assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
            let text = page.text();
            for inline in [" style=", "<style", " onclick=", "<script>"] {
                assert!(!text.contains(inline), "{path}: {inline}");
            }
        }
    }
    let browser = Browser::of(&server, "u1").await;
    let stored = server.stored().await;
    for (method, path) in paths(&order, text) {
        let page = browser.get(&path).await;
        // A path with a form alone has no page.
        let expected = if *method == Method::GET { vec![200] } else { vec![200, 405] };
        assert!(expected.contains(&page.status.as_u16()), "{path}: {}", page.text());
        assert_eq!(page.header("allow"), (page.status == 405).then_some("POST"), "{path}");
    }
    assert_eq!(server.stored().await, stored);
}

/// Texts that break out of HTML when a page forgets to escape them.
const HOSTILE: [&str; 4] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "{{7*7}}</title><svg onload=alert(1)>",
];

#[tokio::test]
async fn no_text_of_members_or_catalogues_becomes_markup() {
    let server = with_shop().await;
    server.award(1_000).await;
    for (number, text) in HOSTILE.into_iter().enumerate() {
        let change = |product: &mut pointbook_domain::Product| {
            text.clone_into(&mut product.title);
            product.thumbnail = format!("https://x.example/{text}");
            product.gallery = vec![product.thumbnail.clone()];
        };
        server.add_changed_product(&format!("hostile-{number}"), change).await;
        server.record(&[Act::new("code", 50, "2026-02-01T10:00:00Z").titles(text, text)]).await;
    }
    let browser = Browser::of(&server, "u1").await;
    let search = |filter: &str, text: &str| {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        format!("?{}", query.append_pair(&format!("filter[{filter}]"), text).finish())
    };
    let hostile = Browser::of(&server, HOSTILE[0]).await;
    let link = link(&server, HOSTILE[1]).await;
    let (_, path) = link.split_once(SHOP).unwrap();
    let mut pages = vec![browser.page("").await, browser.page("/points").await, hostile.page("").await];
    pages.push(browser.page(path).await);
    for (number, text) in HOSTILE.into_iter().enumerate() {
        pages.push(browser.page(&format!("/products/hostile-{number}")).await);
        // One that is offered, and one that the points do not cover.
        for quantity in [1, 1_000] {
            pages.push(browser.page(&format!("/order?product=hostile-{number}&quantity={quantity}")).await);
        }
        pages.push(browser.page(&search("title", text)).await);
        pages.push(browser.page(&search("maxPrice", text)).await);
    }
    for page in pages {
        for sign in ["<script>alert", "<img src=x", "<svg onload"] {
            assert!(!page.contains(sign), "{sign}: {page}");
        }
    }
}

#[tokio::test]
async fn pages_speak_the_language_of_the_browser() {
    let server = with_shop().await;
    let mut browser = Browser::of(&server, "u1").await;
    for (language, gifts) in
        [("en", "Gifts"), ("de", "Prämien"), ("ja", "ギフト"), ("tr", "Hediyeler"), ("fr", "Gifts")]
    {
        browser.language = language;
        let answer = browser.get("").await;
        assert!(answer.text().contains(&format!("<h1>{gifts}</h1>")), "{language}");
        let expected = if language == "fr" { "en" } else { language };
        assert_eq!(answer.header("content-language"), Some(expected));
        assert!(answer.text().contains(&format!("<html lang=\"{expected}\">")));
    }
    assert_eq!(languages().count(), 4);
}

#[tokio::test]
async fn pages_count_with_the_requests_of_the_member() {
    let server = with_shop().await;
    server.set("rate_limit_reads_per_minute", "3").await;
    let browser = Browser::of(&server, "u1").await;
    for _ in 0..3 {
        browser.page("").await;
    }
    let page = browser.get("").await;
    assert!(page.status == 429 && page.text().contains("Wait a minute"), "{}", page.text());
    assert_eq!(page.header("retry-after"), Some("60"));
    server.advance_seconds(50);
    assert_eq!(browser.get("").await.header("retry-after"), Some("10"), "until the next minute");
    // Also for a page that does not exist.
    assert_eq!(browser.get("/nothing").await.status, 429);
}
