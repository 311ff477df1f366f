//! The HTML of each kind of page, in `snapshots/` beside this file. After a change that is meant, write it anew and read the
//! diff: `INSTA_UPDATE=always cargo test --package pointbook-server --test it -- console::snapshots`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use http::Method;
use pointbook_server::slices::pages;

use super::walk::{crawl, filled, kind_of};
use crate::harness::TestServer;
use crate::suite::forms::normalised;

/// What no link of this walk leads to: files, the page of a link that signs in, the results of imports,
/// and the clock of staging.
const UNLINKED: [&str; 7] = [
    "/sign-in",
    "/packing-list",
    "/imports/*/{id}",
    "/imports/*/{id}/*",
    "/reports/*/csv",
    "/members/*/ledger.csv",
    "/clock",
];

/// The part of the page that differs from those of others. The overview stands for the frame of all.
fn own_part<'p>(kind: &str, page: &'p str) -> &'p str {
    if kind.is_empty() {
        return page;
    }
    let (_, main) = page.split_once("<main").unwrap();
    main.split_once("</main>").unwrap().0
}

/// `/members/*/sessions` becomes `members-id-sessions`.
fn file_of(kind: &str) -> String {
    let name = kind.trim_start_matches('/').replace('*', "id").replace('/', "-");
    if name.is_empty() { "overview".to_owned() } else { name }
}

/// A page that is new in the table gets a new file. A file without a page fails.
#[tokio::test]
async fn each_page_has_the_html_of_its_file() {
    let server = TestServer::with_sample().await;
    let browser = filled(&server).await;
    let mut kinds = BTreeMap::new();
    for (path, page) in crawl(&browser).await {
        kinds.entry(kind_of(&path)).or_insert(page);
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/suite/console/snapshots");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(&folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let mut files = BTreeSet::new();
    for (kind, page) in &kinds {
        // The text of an id that no language has is empty.
        for empty in ["<dt></dt>", "<th scope=\"col\"></th>", "<h2></h2>", "<button></button>"] {
            assert!(!page.contains(empty), "{kind}: {empty}");
        }
        let html = normalised(own_part(kind, page)).replace(env!("CARGO_PKG_VERSION"), "…");
        settings.bind(|| insta::assert_snapshot!(file_of(kind), html));
        files.insert(format!("{}.snap", file_of(kind)));
    }
    let found =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(found.collect::<BTreeSet<_>>(), files);
    let in_table = pages().filter(|page| page.method == Method::GET);
    let in_table = in_table.map(|page| kind_of(page.path.strip_prefix("/console/{tenant}").unwrap()));
    let missing: BTreeSet<_> = in_table.filter(|kind| !kinds.contains_key(kind)).collect();
    assert_eq!(missing, UNLINKED.map(str::to_owned).into());
}
