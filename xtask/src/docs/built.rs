//! Checks the links of the built pages: files and anchors must exist, and a page must load nothing from outside.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// Pages that mdBook builds from all others, or whose links fit another folder.
const LEFT_OUT: &[&str] = &["print.html", "404.html", "toc.html"];

/// Every broken link, as a message with its page.
pub(super) fn broken_links(book: &Path) -> Result<Vec<String>> {
    let mut files = BTreeMap::new();
    read_all(book, "", &mut files)?;
    let ids: BTreeMap<&str, BTreeSet<&str>> =
        files.iter().map(|(path, text)| (path.as_str(), values(text, " id=\"").collect())).collect();
    let mut broken = Vec::new();
    for (page, text) in
        files.iter().filter(|(path, _)| Path::new(path).extension().is_some_and(|end| end == "html"))
    {
        if LEFT_OUT.contains(&page.as_str()) {
            continue;
        }
        let links = values(text, " href=\"").filter(|link| !leads_to(&ids, page, link));
        let loads = values(text, " src=\"").filter(|link| is_outside(link) || !leads_to(&ids, page, link));
        broken.extend(links.chain(loads).map(|link| format!("{page}: `{link}` leads nowhere")));
    }
    Ok(broken)
}

/// The values of an attribute. `attribute` includes its opening quote.
fn values<'t>(text: &'t str, attribute: &'t str) -> impl Iterator<Item = &'t str> {
    text.split(attribute).skip(1).filter_map(|rest| rest.split('"').next())
}

fn is_outside(link: &str) -> bool {
    link.contains("://") || link.starts_with("mailto:")
}

/// Whether the book has the file and the anchor that a link of this page names.
fn leads_to(ids: &BTreeMap<&str, BTreeSet<&str>>, page: &str, link: &str) -> bool {
    if is_outside(link) || link.starts_with("data:") {
        return true;
    }
    let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
    let path = if file.is_empty() { Some(page.to_owned()) } else { resolved(page, file) };
    let found = path.and_then(|path| ids.get(path.as_str()));
    found.is_some_and(|ids| fragment.is_empty() || ids.contains(fragment))
}

fn resolved(page: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for step in link.split('/') {
        match step {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// Reads every file of the book. Files that are not UTF-8 count as empty.
fn read_all(book: &Path, folder: &str, files: &mut BTreeMap<String, String>) -> Result<()> {
    for entry in fs::read_dir(book.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().into_string().ok().context("a file name is not UTF-8")?;
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        if entry.file_type()?.is_dir() {
            read_all(book, &path, files)?;
        } else {
            let text = String::from_utf8(fs::read(entry.path())?).unwrap_or_default();
            files.insert(path, text);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn broken(pages: &[(&str, &str)]) -> Vec<String> {
        let book = tempfile::tempdir().unwrap();
        for (path, text) in pages {
            let path = book.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        broken_links(book.path()).unwrap()
    }

    #[test]
    fn links_to_files_and_places_are_followed() {
        let pages = [
            ("a.html", r##"<a href="b/c.html#d">x</a> <a href="#e">x</a> <h1 id="e">E</h1>"##),
            (
                "b/c.html",
                r#"<h2 id="d">D</h2> <a href="../a.html">x</a> <a href="https://example.com/x">x</a>"#,
            ),
        ];
        assert_eq!(broken(&pages), Vec::<String>::new());
    }

    #[test]
    fn missing_files_missing_places_and_outside_scripts_are_found() {
        let text =
            r##"<a href="b.html">x</a> <a href="#e">x</a> <script src="https://example.com/x.js"></script>"##;
        assert_eq!(
            broken(&[("a.html", text)]),
            [
                "a.html: `b.html` leads nowhere",
                "a.html: `#e` leads nowhere",
                "a.html: `https://example.com/x.js` leads nowhere"
            ]
        );
    }
}
