//! Files as Excel writes them, and files that are not tables.

use pointbook_domain::Role;

use super::{PRODUCTS, counts, ended, job, upload};
use crate::harness::TestServer;
use crate::suite::console::operator::Browser;

/// A German Excel separates cells by semicolons.
#[tokio::test]
async fn a_downloaded_file_of_refused_rows_is_uploaded_as_it_is() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    for separator in [",", ";", "\t"] {
        let file = "\u{feff}sku|title|regular_price\r\nmug|\"Müller|,=1\"|x\r\n".replace('|', separator);
        let first = job(&upload(&owner, PRODUCTS, "import", "p.csv", file.as_bytes()).await);
        assert_eq!(counts(&ended(&owner, &first).await), ["0", "0", "0", "1"], "{separator}");
        let refused = owner.get(&format!("{first}/refused.csv")).await;
        let header = "\u{feff}line|reason|escaped|sku|title|regular_price\r\n".replace('|', separator);
        assert!(refused.text().starts_with(&header), "{}", refused.text());
        // In a file with commas, the quotes keep a comma from beginning a cell.
        let cell = if separator == "," { "Müller,,=1" } else { ",'=1" };
        assert!(refused.text().contains("Müller") && refused.text().contains(cell), "{}", refused.text());
        let again = job(&upload(&owner, PRODUCTS, "import", "refused.csv", &refused.body).await);
        assert_eq!(counts(&ended(&owner, &again).await), ["0", "0", "0", "1"], "{separator}");
        let twice = owner.get(&format!("{again}/refused.csv")).await;
        assert_eq!(twice.text(), refused.text());
    }
}

#[tokio::test]
async fn a_file_that_is_not_a_table_says_what_it_is() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let before = server.stored().await;
    for (path, name, file, reason) in [
        (PRODUCTS, "p.csv", &b"PK\x03\x04"[..], "The file is a spreadsheet or a zip archive."),
        (PRODUCTS, "p.csv", b"\xff\xfes\0k\0u\0", "The file is UTF-16."),
        (PRODUCTS, "p.csv", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "The file is not a table but a picture"),
        ("/imports/categories", "c.json", b"[\n{\"id\":\"\xfc\",\"label\":\"A\"}]", "Line 2 is not UTF-8."),
    ] {
        let page = ended(&owner, &job(&upload(&owner, path, "import", name, file).await)).await;
        assert!(
            page.contains("The file was refused. Nothing was stored.") && page.contains(reason),
            "{reason}: {page}"
        );
    }
    assert!(server.stored().await == before);
}

#[tokio::test]
async fn dates_and_truths_are_read_as_a_german_excel_writes_them() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    for (path, file) in [
        ("/imports/users", "user_id;birth_date\r\nu5;29.02.1984\r\n"),
        (PRODUCTS, "sku;title;regular_price;popular;active\r\nnew;New;5;WAHR;FALSCH\r\n"),
    ] {
        let page = ended(&owner, &job(&upload(&owner, path, "import", "p.csv", file.as_bytes()).await)).await;
        assert_eq!(counts(&page), ["1", "0", "0", "0"], "{page}");
    }
    assert!(owner.page("/members/u5").await.contains("29 February 1984"));
    assert!(owner.page("/products?hidden=1&popular=1").await.contains("/products/new\""));
}
