//! The command line of `pointbook check`: arguments, exit codes, output.

use std::process::Output;

use tempfile::TempDir;

use crate::demo::{Demo, program};

/// Runs the program with these arguments in a folder with token files.
fn run(words: &[&str]) -> Output {
    let folder = folder();
    program(&folder).args(words).env("POINTBOOK_CHECK_TOKEN", "demo-aiko").output().unwrap()
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ben"), "demo-ben\n").unwrap();
    std::fs::write(folder.path().join("two"), "demo ben\n").unwrap();
    folder
}

fn texts(output: &Output) -> (i32, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn report_of_a_correct_server_is_text_or_json() {
    let demo = Demo::start(None);
    let base = demo.base_url();
    let (code, report, said) =
        texts(&run(&["check", &base, "--other-token-file", "ben", "--rate", "1000", "--strict"]));
    assert_eq!(code, 0, "{report}{said}");
    assert!(report.contains("held      products.fields") && !report.contains("BROKEN"), "{report}");
    assert!(said.contains("at most 400 requests, 1000 per second"), "{said}");
    let (code, report, _) = texts(&run(&["check", &base, "--json", "--rate", "1000"]));
    let json: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!((code, &json["base_url"]), (0, &base.clone().into()));
    let rule = |id: &str| json["rules"].as_array().unwrap().iter().find(|rule| rule["id"] == id).unwrap();
    assert_eq!(rule("products.fields")["outcome"], "held");
    assert_eq!(rule("auth.other-history")["why"], "no other token was given");
    assert!(!report.contains("demo-aiko") && !said.contains("demo-"), "{report}");
}

#[test]
fn used_up_requests_break_no_rule() {
    let demo = Demo::start(None);
    let words = ["check", &demo.base_url(), "--max-requests", "30", "--rate", "1000", "--strict"];
    let (code, report, _) = texts(&run(&words));
    assert_eq!(code, 0, "{report}");
    assert!(
        report.contains(", 30 requests: ") && report.contains("the maximum number of requests was used up"),
        "{report}"
    );
}

#[test]
fn invalid_token_is_reported_at_once() {
    let demo = Demo::start(None);
    let (code, report, said) = texts(&run(&["check", &demo.base_url(), "--token", "demo-stranger"]));
    assert_eq!((code, report.as_str()), (2, ""), "{said}");
    assert!(said.contains("does not accept the given token: GET /v1/store/products returns 401"), "{said}");
    assert!(!said.contains("demo-stranger"), "{said}");
}

#[test]
fn other_servers_are_reported() {
    let demo = Demo::start(None);
    // The root of the listener has no API, and no server listens on the other port.
    let root = format!("http://{}/nothing/api", demo.authority);
    let (code, report, said) = texts(&run(&["check", &root, "--rate", "1000"]));
    assert_eq!((code, report.as_str()), (1, ""), "{said}");
    for part in ["the server has no API at this base URL", "the base URL ends with /api"] {
        assert!(said.contains(part), "{said}");
    }
    let (code, _, said) = texts(&run(&["check", "http://127.0.0.1:1/api", "--rate", "1000"]));
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("cannot be reached"), "{said}");
}

#[test]
fn invalid_arguments_are_refused() {
    for (words, part) in [
        (&["check", "shop.example/api"][..], "BASE_URL is not a valid base URL: it must begin with http"),
        (&["check", "http://me:hush@shop.example/api"], "must not contain a user or a password"),
        (&["check", "http://a/api", "--token-file", "none"], "cannot read none"),
        (&["check", "http://a/api", "--token-file", "two"], "the token is not valid: "),
        (&["check", "http://a/api", "--rate", "0"], "--rate"),
    ] {
        let (code, report, said) = texts(&run(words));
        assert_eq!((code, report.as_str()), (2, ""), "{words:?}: {said}");
        assert!(said.contains(part) && !said.contains("hush"), "{words:?}: {said}");
    }
    let folder = folder();
    let (code, _, said) = texts(&program(&folder).args(["check", "http://a/api"]).output().unwrap());
    assert!(code == 2 && said.contains("--token-file, POINTBOOK_CHECK_TOKEN or --token"), "{said}");
}
