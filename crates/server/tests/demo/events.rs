//! The printed command that follows the event feed.

use serde_json::Value;

use super::{Demo, program};

#[test]
fn printed_line_shows_what_was_done_meanwhile() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let line = demo.text.lines().find_map(|line| line.strip_prefix("pointbook events tail ")).unwrap();
    let activity = r#"{"type":"code","source_id":"tail-1","points":60,"title":"QR code scan"}"#;
    let recorded = demo.send("POST", "/acme/api/v1/manage/users/ben/activities", "demo-admin", activity);
    assert!(recorded.starts_with("HTTP/1.1 201 "), "{recorded}");
    let words: Vec<&str> = ["events", "tail", "--once"].into_iter().chain(line.split(' ')).collect();
    let output = program(folder.path(), &words).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).unwrap();
    // A job may tell of the campaigns at the same time.
    let is_new = |line: &str| {
        let event: Value = serde_json::from_str(line).unwrap();
        event["type"] == "transaction.recorded" && event["data"]["source_id"] == "tail-1"
    };
    assert!(printed.lines().any(is_new), "{printed}");
}
