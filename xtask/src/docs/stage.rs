//! Copies the documents into one folder, as mdBook requires, and changes their links to fit.
//!
//! A file of `docs/` keeps its path below `docs`. A file outside of it goes to `repository/`, with its path below. A
//! `README.md` becomes an `index.md`: mdBook renames its page so, but does not change the links to it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

/// The folder of the book's documents.
const DOCS: &str = "docs";

/// The folder in the book for files outside of `docs/`.
const OUTSIDE: &str = "repository";

/// Copies `docs/` and every file that its documents link to.
pub(super) fn copy(repository: &Path, target: &Path) -> Result<()> {
    let mut waiting: Vec<String> = files_below(repository, DOCS)?;
    let mut known: BTreeSet<String> = waiting.iter().cloned().collect();
    while let Some(path) = waiting.pop() {
        for linked in copy_one(repository, target, &path)? {
            if known.insert(linked.clone()) {
                waiting.push(linked);
            }
        }
    }
    Ok(())
}

/// Copies a file and returns the files that it links to.
fn copy_one(repository: &Path, target: &Path, path: &str) -> Result<Vec<String>> {
    let bytes = fs::read(repository.join(path)).with_context(|| format!("cannot read {path}"))?;
    let to = target.join(staged(path));
    fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
    if Path::new(path).extension().is_none_or(|end| end != "md") {
        fs::write(to, bytes)?;
        return Ok(Vec::new());
    }
    let is_file = |path: &str| repository.join(path).is_file();
    let (text, linked) = relinked(path, &String::from_utf8(bytes)?, is_file);
    fs::write(to, text)?;
    Ok(linked)
}

/// The text with its links changed for the book, and the files that they lead to.
fn relinked(path: &str, text: &str, is_file: impl Fn(&str) -> bool) -> (String, Vec<String>) {
    let (mut new, mut linked) = (String::with_capacity(text.len()), Vec::new());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let end = after.find([')', ' ', '\n']).unwrap_or(after.len());
        let (target, tail) = after.split_at(end);
        let (file, fragment) =
            target.split_once('#').map_or((target, None), |(file, part)| (file, Some(part)));
        let is_inside = !file.is_empty() && !file.contains("://");
        let leads_to = resolved(path, file).filter(|found| is_inside && is_file(found));
        new.push_str(before);
        new.push_str("](");
        match leads_to {
            Some(found) => {
                new.push_str(&relative(&staged(path), &staged(&found)));
                new.extend(fragment.map(|part| format!("#{part}")));
                linked.push(found);
            }
            None => new.push_str(target),
        }
        rest = tail;
    }
    new.push_str(rest);
    (new, linked)
}

/// The path of a repository file in the book.
fn staged(path: &str) -> String {
    let inside = path.strip_prefix(DOCS).and_then(|rest| rest.strip_prefix('/'));
    let staged = inside.map_or_else(|| format!("{OUTSIDE}/{path}"), str::to_owned);
    match staged.strip_suffix("README.md") {
        Some(folder) => format!("{folder}index.md"),
        None => staged,
    }
}

/// The file that a link of this document leads to, from the root of the repository.
fn resolved(document: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = document.split('/').collect();
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

/// The link from one file to another.
fn relative(from: &str, to: &str) -> String {
    let (from, to): (Vec<&str>, Vec<&str>) = (from.split('/').collect(), to.split('/').collect());
    let folders = from.len().min(to.len()) - 1;
    let shared = (0..folders).take_while(|&at| from[at] == to[at]).count();
    let up = vec![".."; from.len() - 1 - shared];
    up.into_iter().chain(to.into_iter().skip(shared)).collect::<Vec<_>>().join("/")
}

/// Every file below a folder, by its path from the root of the repository.
fn files_below(repository: &Path, folder: &str) -> Result<Vec<String>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(repository.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().into_string().ok().context("a file name is not UTF-8")?;
        let path = format!("{folder}/{name}");
        if entry.file_type()?.is_dir() {
            files.extend(files_below(repository, &path)?);
        } else {
            files.push(path);
        }
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_as_between_staged_files() {
        let text = "[a](b.md#c) [d](../deploy/x.cfg) [e](https://example.com/b.md) [f](#g) [h](gone.md)";
        let (new, linked) = relinked("docs/a.md", text, |path| path != "docs/gone.md");
        assert_eq!(
            new,
            "[a](b.md#c) [d](repository/deploy/x.cfg) [e](https://example.com/b.md) [f](#g) [h](gone.md)"
        );
        assert_eq!(linked, ["docs/b.md", "deploy/x.cfg"]);
    }

    #[test]
    fn documents_outside_lead_back_into_the_book() {
        let (new, _) = relinked("deploy/README.md", "[a](../docs/README.md#b)", |_| true);
        assert_eq!(new, "[a](../../index.md#b)");
        let (new, _) = relinked("deploy/README.md", "[a](../docs/operating/b.md)", |_| true);
        assert_eq!(new, "[a](../../operating/b.md)");
        assert_eq!(relative("operating/a.md", "operating/b.md"), "b.md");
    }

    #[test]
    fn linked_files_are_copied_with_documents() {
        let [repository, target] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        let write = |path: &str, text: &str| {
            let path = repository.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("docs/SUMMARY.md", "- [A](../A.md)");
        write("A.md", "[b](deploy/b.cfg)");
        write("deploy/b.cfg", "b");
        copy(repository.path(), target.path()).unwrap();
        let read = |path: &str| fs::read_to_string(target.path().join(path)).unwrap();
        assert_eq!(read("SUMMARY.md"), "- [A](repository/A.md)");
        assert_eq!(
            (read("repository/A.md"), read("repository/deploy/b.cfg")),
            ("[b](deploy/b.cfg)".into(), "b".into())
        );
    }
}
