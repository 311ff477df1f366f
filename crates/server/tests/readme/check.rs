//! Runs the commands of the guide to `pointbook check` and `pointbook pull`, with a running demo.

use super::document::{Block, blocks};
use super::expectation::mismatch;
use super::session::Session;
use super::tour::shell_is_there;

const GUIDE: &str = include_str!("../../../../docs/check.md");

/// The demo listens on a free port.
const PRELUDE: &str = r#"
pointbook() {
    command pointbook "${@//http:\/\/localhost:8080/$DEMO}" 2>&1 | sed "s,$DEMO,http://localhost:8080,g"
}
"#;

#[test]
fn guide_shows_the_real_output() {
    if !shell_is_there() {
        return;
    }
    let mut session = Session::start();
    session.run("cargo run --release -- demo");
    assert_eq!(session.run(PRELUDE), "");
    let typed: Vec<Block<'_>> = blocks(GUIDE);
    assert_eq!(typed.len(), 6);
    let mut printed = String::new();
    for block in &typed {
        if block.language == "sh" {
            printed = session.run(block.text);
            continue;
        }
        let wrong = mismatch(block, &printed);
        assert!(wrong.is_none(), "docs/check.md:{}: {}", block.line, wrong.unwrap_or_default());
    }
}
