//! Files that are refused as a whole, and what their pages say in each language. `exchange::import` has all reasons and
//! their texts.

use http::Method;
use pointbook_domain::Role;

use super::{PRODUCTS, ended, job, upload};
use crate::harness::TestServer;
use crate::suite::console::operator::Browser;

const CATEGORIES: &str = "/imports/categories";

/// The pages of an import in English, German, Japanese and Turkish.
async fn pages(owner: &Browser<'_>, path: &str, name: &str, file: &str) -> Vec<String> {
    let job = job(&upload(owner, path, "import", name, file.as_bytes()).await);
    ended(owner, &job).await;
    let mut pages = Vec::new();
    for language in ["en", "de", "ja", "tr"] {
        let page = owner.call(Method::GET, &job).header("accept-language", language).send().await;
        pages.push(page.text().to_owned());
    }
    pages
}

#[tokio::test]
async fn the_reasons_are_in_the_language_of_the_page() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let before = server.stored().await;
    for (path, name, file, reasons) in [
        (
            PRODUCTS,
            "p.csv",
            "sku,sku,title\n",
            [
                "The header line is refused:|<li>sku: appears twice</li><li>regular_price: is required</li>",
                "Die Kopfzeile wurde abgelehnt:|<li>sku: kommt doppelt vor</li><li>regular_price: ist nötig</li>",
                "見出しの行が拒否されました:|<li>sku: 重複しています</li><li>regular_price: 必須です</li>",
                "Başlık satırı reddedildi:|<li>sku: iki kez geçiyor</li><li>regular_price: zorunludur</li>",
            ],
        ),
        (
            CATEGORIES,
            "c.json",
            r#"[{"id":"a","label":"A"},{"id":"a","label":"B"}]"#,
            [
                "the category &quot;a&quot; is there twice",
                "die Kategorie &quot;a&quot; kommt doppelt vor",
                "カテゴリー&quot;a&quot;が重複しています",
                "&quot;a&quot; kategorisi iki kez geçiyor",
            ],
        ),
    ] {
        for (place, page) in pages(&owner, path, name, file).await.iter().enumerate() {
            for (other, reason) in reasons.iter().enumerate() {
                for part in reason.split('|') {
                    assert_eq!(page.contains(part), other == place, "{part}: {page}");
                }
            }
        }
    }
    assert!(server.stored().await == before, "a refused file stored something");
}

#[tokio::test]
async fn a_page_shows_the_first_reasons_of_a_tree_and_counts_the_others() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let tree = format!("[{}]", ["7"; 25].join(","));
    let pages = pages(&owner, CATEGORIES, "c.json", &tree).await;
    for (page, more) in pages.iter().zip(["and 5 more", "und 5 weitere", "ほか5件", "ve 5 sorun daha"]) {
        assert_eq!(page.matches("id, label, children, parent_id").count(), 20, "{page}");
        assert!(page.contains(&format!("<li>{more}</li>")), "{page}");
    }
}
