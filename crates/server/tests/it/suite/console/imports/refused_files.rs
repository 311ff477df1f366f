//! Files that are refused as a whole, and what their pages say in each language.

use http::Method;
use pointbook_domain::Role;

use super::{PRODUCTS, ended, job, upload};
use crate::harness::TestServer;
use crate::suite::console::operator::Browser;

const CATEGORIES: &str = "/imports/categories";

/// A file: its section, its name and its text. The reasons follow in English, German, Japanese and Turkish.
type Case = (&'static str, &'static str, &'static str, [&'static str; 4]);

const HEADERS: [Case; 4] = [
    (
        PRODUCTS,
        "p.csv",
        "sku,tilte\n1,2\n",
        [
            "unknown column &quot;tilte&quot;",
            "unbekannte Spalte &quot;tilte&quot;",
            "&quot;tilte&quot;という列はありません",
            "bilinmeyen sütun &quot;tilte&quot;",
        ],
    ),
    (
        PRODUCTS,
        "p.csv",
        "SKU,title,regular_price\n",
        [
            "(did you mean &quot;sku&quot;?)",
            "(meinten Sie &quot;sku&quot;?)",
            "（&quot;sku&quot;ですか？）",
            "(&quot;sku&quot; mi demek istediniz?)",
        ],
    ),
    (
        PRODUCTS,
        "p.csv",
        "sku,sku,title\n",
        [
            "<li>sku: appears twice</li><li>regular_price: is required</li>",
            "<li>sku: kommt doppelt vor</li><li>regular_price: ist nötig</li>",
            "<li>sku: 重複しています</li><li>regular_price: 必須です</li>",
            "<li>sku: iki kez geçiyor</li><li>regular_price: zorunludur</li>",
        ],
    ),
    (
        PRODUCTS,
        "p.csv",
        "sku;\"title\";colour\n",
        [
            "<li>unknown column &quot;colour&quot;</li>",
            "<li>unbekannte Spalte &quot;colour&quot;</li>",
            "<li>&quot;colour&quot;という列はありません</li>",
            "<li>bilinmeyen sütun &quot;colour&quot;</li>",
        ],
    ),
];

const HEADER_REFUSED: [&str; 4] = [
    "The header line is refused:",
    "Die Kopfzeile wurde abgelehnt:",
    "見出しの行が拒否されました:",
    "Başlık satırı reddedildi:",
];

const FILES: [Case; 9] = [
    (
        PRODUCTS,
        "p.json",
        "[{}]",
        [
            "Only categories are sent as a list.",
            "Nur Kategorien werden als Liste gesendet.",
            "リストで送れるのはカテゴリーだけです",
            "Yalnızca kategoriler liste olarak gönderilir.",
        ],
    ),
    (
        CATEGORIES,
        "c.json",
        "[]",
        [
            "would remove every category",
            "würde jede Kategorie löschen",
            "すべてのカテゴリーが削除されます",
            "bütün kategorileri silerdi",
        ],
    ),
    (
        CATEGORIES,
        "c.csv",
        "id,label\na,A\n",
        [
            "must be one JSON list of categories",
            "muss eine einzige JSON-Liste",
            "カテゴリーの1つのJSONリスト",
            "tek bir JSON kategori listesi",
        ],
    ),
    (
        CATEGORIES,
        "c.json",
        "[{]",
        [
            "The file is not valid JSON: key must be a string",
            "Fehler in Zeile 1, Stelle 3",
            "（1行目、3文字目）",
            "1. satırın 3. karakterinde hata var",
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
    (
        CATEGORIES,
        "c.json",
        r#"[{"id":"a","label":"A","parent_id":"b"}]"#,
        ["has an unknown parent", "ist unbekannt", "親が見つかりません", "bilinmiyor"],
    ),
    (
        CATEGORIES,
        "c.json",
        r#"[{"id":"a","label":"A","parent_id":"a"}]"#,
        ["is below itself", "liegt unter sich selbst", "自分自身の下にあります", "kendi altında"],
    ),
    (
        CATEGORIES,
        "c.json",
        r#"[{"id":"a","children":[{"id":7,"label":"B"}]}]"#,
        [
            "<li>[0].label: is required</li><li>[0].children[0].id: must be a string</li>",
            "<li>[0].label: ist nötig</li><li>[0].children[0].id: muss ein Text sein</li>",
            "<li>[0].label: 必須です</li><li>[0].children[0].id: 文字列にしてください</li>",
            "<li>[0].label: zorunludur</li><li>[0].children[0].id: metin olmalıdır</li>",
        ],
    ),
    (
        CATEGORIES,
        "c.json",
        r#"[{"id":"a","label":"A","colour":"red"}]"#,
        [
            "[0]: &quot;colour&quot; is not a known field",
            "[0]: &quot;colour&quot; ist kein bekanntes Feld",
            "[0]: &quot;colour&quot;という項目はありません",
            "[0]: &quot;colour&quot; bilinen bir alan değil",
        ],
    ),
];

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
async fn the_reasons_of_a_refused_header_are_in_the_language_of_the_page() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    for (path, name, file, reasons) in HEADERS {
        for (place, page) in pages(&owner, path, name, file).await.iter().enumerate() {
            assert!(page.contains(HEADER_REFUSED[place]), "{file}: {page}");
            for (other, reason) in reasons.iter().enumerate() {
                assert_eq!(page.contains(reason), other == place, "{reason}: {page}");
            }
        }
    }
}

#[tokio::test]
async fn the_reasons_of_a_refused_file_are_in_the_language_of_the_page() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let before = server.stored().await;
    for (path, name, file, reasons) in FILES {
        for (place, page) in pages(&owner, path, name, file).await.iter().enumerate() {
            assert!(!page.contains(HEADER_REFUSED[place]), "{file}: {page}");
            for (other, reason) in reasons.iter().enumerate() {
                assert_eq!(page.contains(reason), other == place, "{reason}: {page}");
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
