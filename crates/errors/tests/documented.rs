//! `docs/errors.md` explains every code, and no other.

use std::fmt::Write as _;

use pointbook_errors::{ErrorCode, FieldCode};

/// The sections below a heading, in order; each must have a text.
fn sections(page: &str, heading: &str) -> String {
    let (_, part) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    let part = part.split("\n## ").next().unwrap();
    let mut names = String::new();
    for section in part.split("\n### ").skip(1) {
        let (name, text) = section.split_once('\n').unwrap();
        assert!(text.trim().len() > 20, "{name} lacks a text");
        writeln!(names, "{name}").unwrap();
    }
    names
}

fn sorted<'c>(codes: impl Iterator<Item = &'c str>) -> String {
    let mut codes: Vec<_> = codes.collect();
    codes.sort_unstable();
    codes.iter().map(|code| format!("`{code}`\n")).collect()
}

#[test]
fn every_code_has_a_section() {
    let page = include_str!("../../../docs/errors.md");
    assert_eq!(sections(page, "Codes of requests"), sorted(ErrorCode::ALL.iter().map(|code| code.as_str())));
    assert_eq!(sections(page, "Codes of fields"), sorted(FieldCode::ALL.iter().map(|code| code.as_str())));
}
