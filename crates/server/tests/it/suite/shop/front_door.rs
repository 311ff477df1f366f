//! The front door at `/`, and pages of shops that do not exist.

use http::Method;

use super::browser::{SHOP, with_shop};
use crate::client::{Answer, Call};
use crate::harness::TestServer;

async fn opened(server: &TestServer, path: &str, languages: &str) -> Answer {
    let call = Call::new(server.address(), Method::GET, path.to_owned()).header("host", "shop.example");
    call.header("accept", "text/html").header("accept-language", languages).send().await
}

#[tokio::test]
async fn pages_outside_of_shops_speak_the_language_of_the_browser() {
    let server = with_shop().await;
    for (languages, language, developers, missing) in [
        ("en", "en", "For programs and developers", "Page not found"),
        ("de-AT,de;q=0.9,en;q=0.8", "de", "Für Programme und Entwickler", "Seite nicht gefunden"),
        ("ja", "ja", "開発者の方へ", "ページが見つかりません"),
        ("fr, tr;q=0.5", "tr", "Programlar ve geliştiriciler için", "Sayfa bulunamadı"),
        ("fr", "en", "For programs and developers", "Page not found"),
    ] {
        for (path, status, text) in [("/", 200, developers), ("/shop/nothing", 404, missing)] {
            let page = opened(&server, path, languages).await;
            let html = page.text();
            assert_eq!(page.status, status, "{html}");
            assert_eq!(page.header("content-language"), Some(language), "{path} {languages}");
            assert!(html.starts_with(&format!("<!DOCTYPE html><html lang=\"{language}\">")), "{html}");
            assert!(html.contains(text), "{path} {languages}: {html}");
            assert!(path == "/" || html.contains("<a class=\"button\" href=\"/\">"), "{html}");
            assert!(path != "/" || html.contains(&format!("<a href=\"{SHOP}\">The shop</a>")), "{html}");
        }
    }
}
