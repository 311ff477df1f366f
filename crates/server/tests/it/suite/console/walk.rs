//! Walks the console of a tenant that has one of each thing, by the links of its pages.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use pointbook_domain::Role;

use super::operator::{Browser, CONSOLE};
use crate::harness::TestServer;

/// How many pages of one kind are looked at.
const OF_KIND: usize = 3;

/// The console of a tenant that has one of each thing.
pub(super) async fn filled(server: &TestServer) -> Browser<'_> {
    server.award(10_000).await;
    server.ordered("mug", 1).await;
    let browser = Browser::of(server, Role::Owner).await;
    let campaign = [("id", "mondays"), ("title", "Mondays"), ("number", "100"), ("weekdays", "mon")];
    let webhook = [("url", "https://shop.example.com/hooks"), ("type", "order.placed")];
    for (path, values, status) in [("/new-campaign", &campaign[..], 303), ("/webhooks/new", &webhook, 200)] {
        let made = browser.submit(&browser.page(path).await, path, values).await;
        assert_eq!(made.status, status, "{}", made.text());
    }
    browser
}

/// The path with a star for each id.
pub(super) fn kind_of(path: &str) -> String {
    let parts = path.split('?').next().unwrap_or_default().split('/').enumerate();
    let is_id = |at: usize, part: &str| at > 1 && at.is_multiple_of(2) && part != "new";
    parts.map(|(at, part)| if is_id(at, part) { "*" } else { part }).collect::<Vec<_>>().join("/")
}

/// All pages that links lead to, and the gallery, by path, some of each kind.
pub(super) async fn crawl(browser: &Browser<'_>) -> BTreeMap<String, String> {
    let (mut waiting, mut seen) = (VecDeque::from([String::new(), "/gallery".to_owned()]), BTreeSet::new());
    let (mut kinds, mut pages) = (BTreeMap::<_, usize>::new(), BTreeMap::new());
    while let Some(path) = waiting.pop_front() {
        let count = kinds.entry(kind_of(&path)).or_default();
        if *count >= OF_KIND || !seen.insert(path.clone()) {
            continue;
        }
        *count += 1;
        let answer = browser.get(&path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        if !answer.header("content-type").unwrap().starts_with("text/html") {
            continue;
        }
        let links = answer.text().split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
        // The console of staging begins with the same name.
        let own = links.filter_map(|link| link.strip_prefix(CONSOLE)).filter(|link| !link.starts_with('.'));
        let own = own.filter(|link| !link.contains(".csv"));
        waiting.extend(own.map(|link| link.replace("&amp;", "&")));
        pages.insert(path, answer.text().to_owned());
    }
    pages
}
