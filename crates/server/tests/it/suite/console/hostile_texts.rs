//! Hostile text in every text field of the console, one field at a time, and then on every page.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use http::StatusCode;
use pointbook_domain::Role;

use super::operator::{Browser, CONSOLE};
use crate::client::Answer;
use crate::harness::TestServer;
use crate::suite::forms::{Control, controls, fields};

/// Texts that break out of an attribute, of an element and of a title when a page forgets to escape them. One is short.
const HOSTILE: [&str; 2] =
    ["'\"></textarea></title><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>"];
/// What a page has when a text became markup.
const SIGNS: [&str; 2] = ["<script>alert", "<img src=x"];
/// How many pages of one kind are looked at.
const OF_KIND: usize = 3;
/// These end the session of the test.
const ENDS: [&str; 3] = ["/sign-out", "/end", "/sign-in"];

/// The console of a tenant that has one of each thing.
async fn filled(server: &TestServer) -> Browser<'_> {
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
fn kind_of(path: &str) -> String {
    let parts = path.split('?').next().unwrap_or_default().split('/').enumerate();
    let is_id = |at: usize, part: &str| at > 1 && at % 2 == 0 && part != "new";
    parts.map(|(at, part)| if is_id(at, part) { "*" } else { part }).collect::<Vec<_>>().join("/")
}

/// All pages that links lead to, by path, some of each kind.
async fn crawl(browser: &Browser<'_>) -> BTreeMap<String, String> {
    let (mut waiting, mut seen) = (VecDeque::from([String::new()]), BTreeSet::new());
    let (mut kinds, mut pages) = (BTreeMap::<_, usize>::new(), BTreeMap::new());
    while let Some(path) = waiting.pop_front() {
        let count = kinds.entry(kind_of(&path)).or_default();
        if *count >= OF_KIND || !seen.insert(path.clone()) {
            continue;
        }
        *count += 1;
        let answer = browser.get(&path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        assert_harmless(&answer, &path);
        let links = answer.text().split("href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
        let own = links.filter_map(|link| link.strip_prefix(CONSOLE)).filter(|link| !link.contains(".csv"));
        waiting.extend(own.map(|link| link.replace("&amp;", "&")));
        pages.insert(path, answer.text().to_owned());
    }
    pages
}

fn assert_harmless(answer: &Answer, what: &str) {
    for sign in SIGNS {
        assert!(!answer.text().contains(sign), "{what}: {}", answer.text());
    }
}

/// The paths of the forms of a page, below the console.
fn forms(page: &str) -> BTreeSet<String> {
    let actions = page.split("action=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    let own = actions.filter_map(|action| action.strip_prefix(CONSOLE));
    own.filter(|path| !ENDS.iter().any(|end| path.ends_with(end))).map(str::to_owned).collect()
}

/// Sends the form with a hostile text in one field, and what else a field needs in the others.
async fn send(browser: &Browser<'_>, page: &str, path: &str, (field, text): (&str, &str)) -> Answer {
    let action = format!("{CONSOLE}{path}");
    let filler = |control: &Control| {
        let value = if control.kind == "number" { "7" } else { "text" };
        if control.value.is_empty() && control.is_required { value.to_owned() } else { control.value.clone() }
    };
    let typed: BTreeMap<_, _> =
        controls(page, &action).into_iter().map(|control| (control.name.clone(), filler(&control))).collect();
    let mut sent = fields(page, &action);
    for (name, value) in &mut sent {
        if let Some(typed) = typed.get(name) {
            value.clone_from(typed);
        }
        if name == field {
            text.clone_into(value);
        }
    }
    let sent: Vec<_> = sent.iter().map(|(name, value)| (&**name, &**value)).collect();
    if page.contains(&format!("method=\"get\" action=\"{action}\"")) {
        let query = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(sent).finish();
        return browser.get(&format!("{path}?{query}")).await;
    }
    browser.post(path, &sent).await
}

#[tokio::test]
async fn no_text_of_any_field_becomes_markup() {
    let server = TestServer::with_sample().await;
    let browser = filled(&server).await;
    let (mut tried, mut stored) = (BTreeSet::new(), 0);
    for (at, page) in crawl(&browser).await {
        for path in forms(&page) {
            for control in controls(&page, &format!("{CONSOLE}{path}")) {
                if control.is_choice || !tried.insert((kind_of(&path), control.name.clone())) {
                    continue;
                }
                for text in HOSTILE {
                    // A form may be sent once, and some pages are gone by now.
                    let Answer { status: StatusCode::OK, .. } = browser.get(&at).await else { continue };
                    let fresh = browser.page(&at).await;
                    if !forms(&fresh).contains(&path) {
                        continue;
                    }
                    let answer = send(&browser, &fresh, &path, (&control.name, text)).await;
                    let what = format!("{path} {}", control.name);
                    assert!(!answer.status.is_server_error(), "{what}: {}", answer.text());
                    assert_harmless(&answer, &what);
                    stored += usize::from(answer.status == 303);
                }
            }
        }
    }
    assert!(tried.len() > 120 && stored >= 20, "{stored} of {tried:?}");
    assert!(crawl(&browser).await.values().any(|page| page.contains("&lt;script&gt;alert")));
    server.assert_audit_is_clean().await;
}
