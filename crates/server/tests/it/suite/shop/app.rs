//! What a phone needs to install a shop, and the page without a network.

use http::Method;

use super::browser::{Browser, SHOP, link, with_shop};
use crate::client::{Answer, Call};
use crate::harness::TestServer;

async fn file(server: &TestServer, path: &str, languages: &str) -> Answer {
    let call = Call::new(server.address(), Method::GET, path.to_owned()).header("host", "shop.example");
    call.header("accept-language", languages).send().await
}

#[tokio::test]
async fn a_shop_has_a_manifest_with_its_name_and_its_own_pages() {
    let server = with_shop().await;
    let stranger = Browser::new(&server);
    let link = link(&server, "u1").await;
    let (_, path) = link.split_once(SHOP).unwrap();
    let page = stranger.page(path).await;
    assert!(
        page.contains(&format!("<link rel=\"manifest\" href=\"{SHOP}/manifest.webmanifest\">")),
        "{page}"
    );
    let manifest = file(&server, &format!("{SHOP}/manifest.webmanifest"), "en").await;
    assert_eq!(manifest.header("content-type"), Some("application/manifest+json"));
    let manifest = manifest.json();
    assert_eq!((&manifest["name"], &manifest["display"]), (&"The shop".into(), &"standalone".into()));
    assert_eq!((&manifest["start_url"], &manifest["scope"]), (&SHOP.into(), &SHOP.into()));
    for icon in manifest["icons"].as_array().unwrap() {
        let icon = file(&server, icon["src"].as_str().unwrap(), "en").await;
        assert_eq!(icon.header("content-type"), Some("image/svg+xml"));
        assert!(
            icon.text().starts_with("<svg xmlns=") && icon.text().contains(">T</text></svg>"),
            "{}",
            icon.text()
        );
    }
    for missing in ["/shop/nothing/icon.svg", "/shop/nothing/manifest.webmanifest", "/shop/shop/x/icon.svg"] {
        assert_eq!(file(&server, missing, "en").await.status, 404, "{missing}");
    }
    server.set("shop", "false").await;
    assert_eq!(file(&server, &format!("{SHOP}/icon.svg"), "en").await.status, 404);
}

#[tokio::test]
async fn pages_may_load_a_manifest_and_a_worker_of_this_server_only() {
    let server = with_shop().await;
    let page = Browser::of(&server, "u1").await.get("").await;
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("manifest-src 'self'; worker-src 'self';"), "{policy}");
}

/// The worker has the only page that a browser keeps. Without a member or a tenant in it, it may lie on a shared phone.
#[tokio::test]
async fn the_page_without_a_network_is_of_no_member_and_in_the_language_of_the_browser() {
    let server = with_shop().await;
    let worker = file(&server, "/shop/worker.js", "en").await;
    assert_eq!(worker.header("content-type"), Some("text/javascript; charset=utf-8"));
    let text = worker.text();
    assert!(text.contains("\"/shop/offline.html\"") && text.contains("mode === \"navigate\""), "{text}");
    assert_eq!(text.matches("cache.add").count(), 1, "it keeps one page: {text}");
    for (language, heading) in [
        ("en", "You are offline"),
        ("de", "Sie sind offline"),
        ("ja", "オフラインです"),
        ("tr", "Çevrimdışısınız"),
        ("fr", "You are offline"),
    ] {
        let page = file(&server, "/shop/offline.html", language).await;
        assert_eq!(page.status, 200);
        assert!(page.text().contains(&format!("<h1>{heading}</h1>")), "{}", page.text());
        assert!(page.text().contains("<a class=\"button\" href=\"\">"), "it tries the same address again");
    }
}

#[tokio::test]
async fn a_shop_has_the_colour_the_logo_and_the_welcome_of_its_tenant() {
    let server = with_shop().await;
    let logo = "https://shop.example/logo.png";
    for (name, value) in [
        ("brand_color", "#7a2456"),
        ("logo", logo),
        ("welcome.en", "Good <things>."),
        ("welcome.de", "Gutes."),
    ] {
        server.set(name, value).await;
    }
    let mut member = Browser::of(&server, "u1").await;
    let page = member.page("").await;
    for part in [
        "<link rel=\"stylesheet\" href=\"/brand.css?color=7a2456\">",
        "<meta name=\"theme-color\" content=\"#7a2456\"",
        &format!("<img class=\"letter\" src=\"{logo}\""),
        "<h1>Good &lt;things&gt;.</h1>",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let css = file(&server, "/brand.css?color=7a2456", "en").await;
    assert!(css.text().starts_with(":root {\n  --accent: light-dark(#7a2456, "), "{}", css.text());
    let icon = file(&server, &format!("{SHOP}/icon.svg"), "en").await;
    assert!(icon.text().contains("fill=\"#7a2456\""), "{}", icon.text());
    member.language = "de";
    let german = member.get("").await;
    assert!(german.text().contains("<h1>Gutes.</h1>"), "{}", german.text());
}
