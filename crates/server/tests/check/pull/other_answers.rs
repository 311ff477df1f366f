//! Pulls from servers with unusual responses.

use serde_json::Value;

use super::{LEAST_PRODUCTS, OnResponse, PullTarget, TOKENS, digests, rows};
use crate::demo::Demo;
use crate::proxy::{self, Origin, ProxiedRequest, Tampering};

const LIST: &str = "/v1/store/products";
const HISTORY: &str = "/v1/user/point-history";

/// A category of the demo with subcategories.
const PARENT_CATEGORY: &str = "kitchen";

/// The base URL of the demo behind a proxy that changes responses.
fn telling(demo: &Demo, on_response: OnResponse) -> String {
    proxy::base_url(proxy::start(Origin::new(&demo.authority), Tampering { on_request: |_| {}, on_response }))
}

/// The base URL of the demo behind a proxy that changes requests.
fn asking(demo: &Demo, on_request: fn(&mut ProxiedRequest)) -> String {
    proxy::base_url(proxy::start(
        Origin::new(&demo.authority),
        Tampering { on_request, on_response: |_, _, _| {} },
    ))
}

/// Removes parameters with this prefix from requests for products.
fn ignore(request: &mut ProxiedRequest, parameter: &str) {
    if request.path == LIST {
        let readable = request.query.replace("%5B", "[").replace("%5D", "]");
        let others = readable.split('&').filter(|pair| !pair.starts_with(parameter));
        request.query = others.collect::<Vec<_>>().join("&");
    }
}

/// The number before these words.
fn number(printed: &str, words: &str) -> usize {
    let (before, _) = printed.split_once(words).unwrap();
    before.rsplit([' ', '\n']).next().unwrap().parse().unwrap()
}

#[test]
fn changed_title_does_not_record_points_twice() {
    let (demo, target) = (Demo::start(None), PullTarget::new(TOKENS));
    assert_eq!(target.pull(&demo.base_url()).0, 0);
    let first = target.export("activities");
    let renamed = telling(&demo, |request, response, _| {
        if request.path == HISTORY {
            response.replace(r#""subtitle":""#, r#""subtitle":"Now: "#);
        }
    });
    let (code, printed, said) = target.pull(&renamed);
    assert_eq!(code, 1, "{printed}{said}");
    assert!(printed.contains(" 0 recorded, 0 skipped, "), "{printed}");
    assert!(said.contains("see acme.production.activities.rejects.csv; the first is on line 1: "), "{said}");
    assert_eq!(target.export("activities"), first);
    let rejects = target.folder.path().join("acme.production.activities.rejects.csv");
    let rejects = std::fs::read_to_string(rejects).unwrap();
    let refused = "source_id: recorded before with other content";
    assert_eq!(rejects.matches(refused).count(), rows(&first).len());
    assert!(rejects.contains("Now: ") && rejects.contains("aiko"), "{rejects}");
    let (code, printed, said) = target.pull(&demo.base_url());
    assert_eq!(code, 0, "{printed}{said}");
    target.run("audit");
}

#[test]
fn bad_account_is_reported_and_others_are_copied() {
    let demo = Demo::start(None);
    let expired = telling(&demo, |request, response, _| {
        if request.authorization.as_deref() == Some("Bearer demo-ben") {
            response.become_json(401, r#"{"message":"Unauthenticated."}"#);
        }
    });
    let wrong = telling(&demo, |request, response, _| {
        if request.path == HISTORY && request.authorization.as_deref() == Some("Bearer demo-ben") {
            response.replace(r#""totalBonusPoints":0"#, r#""totalBonusPoints":1"#);
        }
    });
    for (base_url, words) in [
        (expired, "\nben: the token is not accepted: the response to GET /v1/user/point-history"),
        (wrong, " breaks the rule history.sums: expected "),
    ] {
        let target = PullTarget::new(TOKENS);
        let (code, printed, said) = target.pull(&base_url);
        assert_eq!(code, 1, "{printed}{said}");
        assert!(said.contains(words) && said.contains("\nben: ") && !said.contains("demo-"), "{said}");
        for user in ["mia", "aiko", "leo"] {
            let days = format!("\n{user}: ");
            let (_, rest) = printed.split_once(&days).unwrap();
            assert!(rest.lines().next().unwrap().ends_with(" days compared, 0 differences"), "{printed}");
        }
        assert!(!printed.contains("ben: "), "{printed}");
    }
}

#[test]
fn failing_server_ends_the_pull_and_names_the_user() {
    let (demo, target) = (Demo::start(None), PullTarget::new(TOKENS));
    let failing = telling(&demo, |request, response, _| {
        if request.path == HISTORY && request.authorization.as_deref() == Some("Bearer demo-ben") {
            response.become_json(500, r#"{"message":"Server Error."}"#);
        }
    });
    let (code, printed, said) = target.pull(&failing);
    assert_eq!(code, 3, "{printed}{said}");
    assert!(said.contains("ben: the server does not respond: "), "{said}");
}

#[test]
fn transactions_whose_bonuses_do_not_add_up_are_not_copied() {
    let (demo, target) = (Demo::start(None), PullTarget::new(TOKENS));
    let without_bonuses = telling(&demo, |_, response, _| {
        let Some((before, rest)) = response.body.split_once(r#""bonus_breakdown":["#) else { return };
        let (_, after) = rest.split_once(']').unwrap();
        response.body = format!(r#"{before}"bonus_breakdown":[]{after}"#);
    });
    let (code, printed, said) = target.pull(&without_bonuses);
    assert_eq!(code, 1, "{printed}{said}");
    // The number depends on the day, because the history of the demo ends today. The command names ten and counts the rest.
    let reasons = said.lines().filter_map(|line| Some(line.split_once(": not copied: ")?.1));
    let counted = reasons.map(|reason| match reason.strip_suffix(" more transactions") {
        Some(more) => more.parse().unwrap(),
        None => usize::from(reason.ends_with(", but its bonuses add up to 0")),
    });
    let left_out: usize = counted.sum();
    let (here, there) = (target.export("activities"), demo.export("activities"));
    assert!(left_out > 0 && rows(&here).len() + left_out == rows(&there).len(), "{left_out}: {said}");
    let differs = |line: &str| line.contains(" days compared, ") && !line.ends_with(" 0 differences");
    assert!(printed.lines().any(differs), "{printed}");
}

#[test]
fn pull_detects_an_ignored_category_filter() {
    let (demo, target) = (Demo::start(None), PullTarget::new(TOKENS));
    let (code, printed, said) = target.pull(&asking(&demo, |request| ignore(request, "filter[category]")));
    assert_eq!((code, printed.as_str()), (1, ""), "{said}");
    assert!(said.contains(" breaks the rule filters.category: expected no products of "), "{said}");
    assert_eq!((target.export("products"), target.export("categories").trim()), (String::new(), "[]"));
}

#[test]
fn pull_notes_a_popular_filter_that_finds_everything() {
    let (demo, target) = (Demo::start(None), PullTarget::new(TOKENS));
    let (code, printed, said) = target.pull(&asking(&demo, |request| ignore(request, "filter[onlyPopular]")));
    assert_eq!(code, 0, "{printed}{said}");
    let products = number(&printed, " products compared, 0 differences\n");
    assert!(products >= LEAST_PRODUCTS, "{printed}");
    assert!(
        printed.contains(&format!("store: note: filter[onlyPopular] finds all {products} ")),
        "{printed}"
    );
}

#[test]
fn different_category_result_is_a_difference() {
    let (demo, target) = (Demo::start(None), PullTarget::new(TOKENS));
    let without_what_is_below = asking(&demo, |request| {
        if request.path == LIST && request.query.contains(PARENT_CATEGORY) {
            request.query = request.query.replace(PARENT_CATEGORY, "stranger-s");
        }
    });
    let (code, printed, said) = target.pull(&without_what_is_below);
    assert_eq!(code, 1, "{printed}{said}");
    let words = format!("store: category {PARENT_CATEGORY}: found only on the other server 0, only here ");
    assert!(printed.contains(&words) && printed.contains(" products compared, 1 differences\n"), "{printed}");
}

#[test]
fn refused_product_hides_no_other_difference() {
    let (demo, target) = (Demo::start(None), PullTarget::new(TOKENS));
    let first_without_title = telling(&demo, |request, response, _| {
        if request.path == LIST {
            response.replace(r#""title":"Café mug, speckled stoneware""#, r#""title":"""#);
        }
    });
    let (code, printed, said) = target.pull(&first_without_title);
    assert_eq!(code, 1, "{printed}{said}");
    assert!(printed.contains("store: product cafe-mug is missing here\n"), "{printed}");
    assert!(
        printed.contains("found only on the other server 1 (such as cafe-mug), only here 0\n"),
        "{printed}"
    );
    let kept: Vec<Value> = rows(&target.export("products"));
    assert_eq!(number(&printed, " products compared, "), kept.len());
    assert!(!printed.contains("the order differs"), "{printed}");
}

#[test]
fn existing_products_are_reported_as_differences() {
    let (demo, target) = (Demo::start(None), PullTarget::new("mia demo-mia\n"));
    let own = r#"{"id":"own","sku":"own","title":"Own","regular_price":5}"#;
    std::fs::write(target.folder.path().join("own.jsonl"), own).unwrap();
    target.run("import products own.jsonl --tenant acme");
    let (code, printed, said) = target.pull(&demo.base_url());
    assert_eq!(code, 1, "{printed}{said}");
    assert!(printed.contains("store: product own is missing on the other server\n"), "{printed}");
    assert!(number(&printed, " products compared, 1 differences\n") >= LEAST_PRODUCTS, "{printed}");
    let [there, here] = digests(&printed, "store");
    assert_ne!(there, here, "{printed}");
}

#[test]
fn pull_accepts_empty_arrays_of_laravel() {
    let (demo, target) = (Demo::start(None), PullTarget::new(TOKENS));
    let tampering = Tampering {
        on_request: |request| {
            if request.path == LIST {
                // The category `people` then has no products.
                request.query = request.query.replace("=people", "=stranger-s");
            }
        },
        on_response: |request, response, _| match request.path.as_str() {
            HISTORY => response.replace(r#""data":{}"#, r#""data":[]"#),
            LIST if response.body.starts_with(r#"{"data":[],"#) => {
                response.replace(r#""from":0,"#, r#""from":null,"#);
                response.replace(r#""to":0,"#, r#""to":null,"#);
            }
            _ => {}
        },
    };
    let address = proxy::start(Origin::new(&demo.authority), tampering);
    let (code, printed, said) = target.pull(&proxy::base_url(address));
    assert_eq!(code, 0, "{printed}{said}");
    assert!(printed.contains("\nmia: 0 days compared, 0 differences\n"), "{printed}");
}
