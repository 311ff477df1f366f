//! Hostile text in every text field of the console, one field at a time, and then on every page.

use std::collections::{BTreeMap, BTreeSet};

use http::StatusCode;

use super::operator::{Browser, CONSOLE};
use super::walk::{crawl, filled, kind_of};
use crate::client::Answer;
use crate::harness::TestServer;
use crate::suite::forms::{Control, controls, fields};

/// Texts that break out of an attribute, of an element and of a title when a page forgets to escape them. One is short.
const HOSTILE: [&str; 2] =
    ["'\"></textarea></title><script>alert(1)</script>", "\"><img src=x onerror=alert(1)>"];
/// What a page has when a text became markup.
const SIGNS: [&str; 2] = ["<script>alert", "<img src=x"];
/// These end the session of the test.
const ENDS: [&str; 3] = ["/sign-out", "/end", "/sign-in"];

fn assert_harmless(page: &str, what: &str) {
    for sign in SIGNS {
        assert!(!page.contains(sign), "{what}: {page}");
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
                    assert_harmless(answer.text(), &what);
                    stored += usize::from(answer.status == 303);
                }
            }
        }
    }
    assert!(tried.len() > 120 && stored >= 20, "{stored} of {tried:?}");
    let pages = crawl(&browser).await;
    for (path, page) in &pages {
        assert_harmless(page, path);
    }
    assert!(pages.values().any(|page| page.contains("&lt;script&gt;alert")));
    server.assert_audit_is_clean().await;
}
