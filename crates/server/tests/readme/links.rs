//! Relative links of documents lead to files and headings that exist, and the book has every page.

use std::collections::BTreeMap;

use super::tree::{files, root};

#[test]
fn every_relative_link_leads_to_a_file_and_a_heading() {
    let documents = files("", ".md");
    let (mut followed, mut broken) = (0, Vec::new());
    for (path, text) in &documents {
        let links =
            prose(text).flat_map(links).filter(|link| !link.contains("://") && !link.starts_with("mailto:"));
        for link in links {
            followed += 1;
            if !leads_to(&documents, path, &link) {
                broken.push(format!("{path}: {link}"));
            }
        }
    }
    assert!(followed > 500, "only {followed} links");
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn the_book_has_every_page_once() {
    let mut pages = files("docs", ".md");
    let contents = pages.remove("docs/SUMMARY.md").unwrap();
    let listed: Vec<String> = prose(&contents).flat_map(links).collect();
    pages
        .retain(|page, _| listed.iter().filter(|link| page.strip_prefix("docs/") == Some(link)).count() != 1);
    assert!(pages.is_empty(), "docs/SUMMARY.md must list once: {:?}", pages.keys());
}

/// The lines outside of fenced code.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut fence = None;
    text.lines().filter(move |line| {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        let is_inside = fence.is_some();
        if !is_inside {
            fence = mark;
        } else if mark == fence {
            fence = None;
        }
        !is_inside && mark.is_none()
    })
}

/// The targets in `](...)` and after `[name]:`, outside of code.
fn links(line: &str) -> Vec<String> {
    // Every second piece between backticks is code.
    let text: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
    let inline = text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    let defined = text.strip_prefix('[').and_then(|rest| rest.split_once("]: ")?.1.split(' ').next());
    inline.chain(defined).map(str::to_owned).collect()
}

/// Whether the file of a link exists, and has its heading.
fn leads_to(documents: &BTreeMap<String, String>, document: &str, link: &str) -> bool {
    let (file, heading) = link.split_once('#').unwrap_or((link, ""));
    let Some(path) = resolved(document, file) else { return false };
    let has_heading =
        |text: &String| prose(text).any(|line| line.starts_with('#') && anchor(line) == heading);
    if heading.is_empty() {
        root().join(path).exists()
    } else {
        documents.get(&path).is_some_and(has_heading)
    }
}

/// The path of a link from the root of the repository. `None` when it leaves the repository.
fn resolved(document: &str, file: &str) -> Option<String> {
    let mut parts: Vec<&str> = document.split('/').collect();
    if !file.is_empty() {
        parts.pop();
    }
    for step in file.split('/').filter(|step| !matches!(*step, "" | ".")) {
        if step == ".." {
            parts.pop()?;
        } else {
            parts.push(step);
        }
    }
    Some(parts.join("/"))
}

/// The anchor of a heading: its letters and digits in lower case, with hyphens for spaces.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().chars();
    let kept = kept.filter(|found| found.is_alphanumeric() || " -_".contains(*found));
    kept.flat_map(char::to_lowercase).map(|found| if found == ' ' { '-' } else { found }).collect()
}
