//! Runs the commands of the guides from beginning to end.

use std::collections::BTreeSet;

use pointbook_server::slices::routes;

use super::document::blocks;
use super::expectation::mismatch;
use super::session::Session;
use super::tour::shell_is_there;

const QUICK_START: &str = include_str!("../../../../docs/quick-start.md");
const APP: &str = include_str!("../../../../docs/tutorials/app-developer.md");
const BACK_OFFICE: &str = include_str!("../../../../docs/tutorials/back-office.md");
const OPERATOR: &str = include_str!("../../../../docs/tutorials/operator.md");
const ENDPOINTS: &str = include_str!("../../../../docs/endpoints.md");

#[test]
fn the_quick_start_ends_with_an_order() {
    type_all("docs/quick-start.md", QUICK_START, 5);
}

#[test]
fn the_tutorial_for_apps_prints_what_it_says() {
    type_all("docs/tutorials/app-developer.md", APP, 7);
}

#[test]
fn the_tutorial_for_back_offices_prints_what_it_says() {
    type_all("docs/tutorials/back-office.md", BACK_OFFICE, 8);
}

#[test]
fn the_tutorial_for_operators_prints_what_it_says() {
    type_all("docs/tutorials/operator.md", OPERATOR, 7);
}

#[test]
fn every_endpoint_responds_as_in_its_example() {
    type_all("docs/endpoints.md", ENDPOINTS, 30);
}

/// The tables of requests link to the example below the heading that an endpoint has as its name.
#[test]
fn each_example_is_one_of_an_endpoint() {
    let there: BTreeSet<String> = routes().map(|route| format!("{} {}", route.method, route.path)).collect();
    let shown: BTreeSet<String> =
        ENDPOINTS.lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_owned).collect();
    assert!(shown.len() > 70 && shown.is_subset(&there), "{:?}", shown.difference(&there));
}

/// Runs the commands of a guide and compares their output with the output in the guide.
fn type_all(name: &str, guide: &str, outputs_min: usize) {
    if !shell_is_there() {
        return;
    }
    let mut session = Session::start();
    let (mut printed, mut compared) = (String::new(), 0);
    for block in blocks(guide) {
        if block.language == "sh" {
            printed = session.run(block.text);
            continue;
        }
        assert!(block.follows, "{name}:{}: output without commands above it", block.line);
        let wrong = mismatch(&block, &printed);
        assert!(wrong.is_none(), "{name}:{}: {}", block.line, wrong.unwrap_or_default());
        compared += 1;
    }
    assert!(compared >= outputs_min, "{name}: {compared} outputs");
}
