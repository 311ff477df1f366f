use super::*;
use crate::tidy::finding::printed;

fn findings(folder: &str, package: &str, rest: &str) -> Vec<String> {
    let text = format!("[package]\nname = \"{package}\"\n{rest}");
    printed(&check(&Tree::of(&[(&format!("{folder}/Cargo.toml"), &text)])))
}

#[test]
fn dependency_on_a_higher_room_is_found() {
    let found = findings("crates/app", "pointbook-app", "[dependencies]\npointbook-http.workspace = true\n");
    let expected = "crates/app/Cargo.toml:4: imports: pointbook-app may not use pointbook-http: \
                    move the code to a room that may";
    assert_eq!(found, [expected]);
}

#[test]
fn only_the_tests_of_a_store_may_name_the_other() {
    let findings = |kind: &str| {
        let rest = format!("[{kind}]\npointbook-store-sqlite.workspace = true\n");
        findings("crates/store-postgres", "pointbook-store-postgres", &rest).len()
    };
    assert_eq!(findings("dependencies"), 1);
    assert_eq!(findings("dev-dependencies"), 0);
}

#[test]
fn only_examples_of_the_bench_use_internals() {
    let findings = |kind: &str| {
        let rest = format!("[{kind}]\npointbook-http.workspace = true\n");
        findings("bench", "pointbook-bench", &rest).len()
    };
    assert_eq!(findings("dependencies"), 1);
    assert_eq!(findings("dev-dependencies"), 0);
}

#[test]
fn domain_has_no_dependency_but_in_tests() {
    let found = findings("crates/domain", "pointbook-domain", "[dependencies]\nserde = \"1\"\n");
    assert_eq!(found.len(), 1);
    let tests = "[dev-dependencies]\nproptest = \"1\"\npointbook-testkit.workspace = true\n";
    assert!(findings("crates/domain", "pointbook-domain", tests).is_empty());
}

#[test]
fn testkit_is_for_tests_only() {
    let testkit = "pointbook-testkit.workspace = true\n";
    let normal = format!("[dependencies]\n{testkit}");
    assert_eq!(findings("crates/http", "pointbook-http", &normal).len(), 1);
    let dev = format!("[dev-dependencies]\n{testkit}");
    assert!(findings("crates/http", "pointbook-http", &dev).is_empty());
}

#[test]
fn database_driver_stays_in_its_store() {
    let target = "[target.'cfg(unix)'.dependencies]\nrusqlite.workspace = true\n";
    assert_eq!(findings("crates/app", "pointbook-app", target).len(), 1);
    assert!(findings("crates/store-sqlite", "pointbook-store-sqlite", target).is_empty());
    let dev = "[dev-dependencies]\nrusqlite.workspace = true\n";
    assert!(findings("crates/server", "pointbook-server", dev).is_empty());
}

#[test]
fn unknown_room_is_found() {
    assert_eq!(findings("crates/utils", "pointbook-utils", "").len(), 1);
}
