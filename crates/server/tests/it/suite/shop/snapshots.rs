//! The HTML of each page, in `snapshots/` beside this file. After a change that is meant, write it anew and read the diff:
//! `INSTA_UPDATE=always cargo test --package pointbook-server --test it -- shop::snapshots`.

use std::collections::BTreeSet;
use std::path::Path;

use http::Method;
use pointbook_shop::PAGES;

use super::browser::{Browser, link, with_shop};
use super::every_page::concrete;
use crate::suite::forms::normalised;

/// A page that is new in the table gets a new file. A file without a page fails.
#[tokio::test]
async fn each_page_has_the_html_of_its_file() {
    let server = with_shop().await;
    server.award(10_000).await;
    let order = server.ordered("mug", 2).await;
    let link = link(&server, "u2").await;
    let (_, text) = link.rsplit_once('=').unwrap();
    let (member, stranger) = (Browser::of(&server, "u1").await, Browser::new(&server));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/suite/shop/snapshots");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut files = BTreeSet::new();
    for page in PAGES.iter().filter(|page| page.method == Method::GET) {
        let browser = if page.name == "shop.sign_in" { &stranger } else { &member };
        let html = browser.page(&concrete(page.path, &order, text)).await;
        settings.bind(|| insta::assert_snapshot!(page.name, normalised(&html)));
        files.insert(format!("{}.snap", page.name));
    }
    let found =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(found.collect::<BTreeSet<_>>(), files);
}
