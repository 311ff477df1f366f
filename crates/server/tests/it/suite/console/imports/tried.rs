//! A file that was tried, and is imported without choosing it again.

use pointbook_domain::Role;

use super::{ACTIVITIES, ACTIVITY_FILE, Browser, PRODUCTS, TestServer, ended, job, upload};

const BUTTON: &str = "Import this file";

#[tokio::test]
async fn a_tried_file_is_imported_once_without_choosing_it_again() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    let tried = job(&upload(&browser, ACTIVITIES, "try", "a.csv", ACTIVITY_FILE.as_bytes()).await);
    let page = ended(&browser, &tried).await;
    assert!(page.contains(BUTTON), "{page}");
    assert!(page.contains("New members: ") && page.contains("<code>u2</code>"), "{page}");
    assert!(!browser.page("/members/u1").await.contains("s-1"));
    let imported = job(&browser.submit(&page, &tried, &[]).await);
    assert_ne!(imported, tried);
    let done = ended(&browser, &imported).await;
    assert!(done.contains("a.csv") && !done.contains(BUTTON), "{done}");
    assert!(browser.page("/members/u1").await.contains("s-1"));
    assert_eq!(job(&browser.submit(&page, &tried, &[]).await), imported, "a second click leads to the first");
}

#[tokio::test]
async fn only_a_file_that_changes_something_is_offered_for_import() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Manager).await;
    for file in ["sku,colour\nx,red\n", "sku,title,regular_price\nbad,,x\n"] {
        let tried = job(&upload(&browser, PRODUCTS, "try", "p.csv", file.as_bytes()).await);
        let page = ended(&browser, &tried).await;
        assert!(!page.contains(BUTTON), "{page}");
    }
    let imported = job(&upload(&browser, ACTIVITIES, "import", "a.csv", ACTIVITY_FILE.as_bytes()).await);
    let page = ended(&browser, &imported).await;
    assert!(!page.contains(BUTTON), "{page}");
    let token = browser.form_token().await;
    let gone = browser.post(&imported, &[("form", &token)]).await;
    assert!(gone.status == 404 && gone.text().contains("Import the file again"), "{}", gone.text());
}
