//! Relative links in documents lead to files and headings that exist.

use super::documents::prose;
use super::finding::Finding;
use super::tree::{Tree, is_below};

const RULE: &str = "links";

/// Checks every link of every Markdown file that is not a URL. A `#` in a link is always followed by a heading.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let links = tree.with_extension("md").flat_map(|(path, text)| {
        prose(text)
            .flat_map(move |(line, text)| targets(text).into_iter().map(move |target| (path, line, target)))
    });
    let broken = links.filter(|(path, _, target)| is_relative(target) && !exists(tree, path, target));
    let found = broken.map(|(path, line, target)| {
        Finding::new(
            path,
            line,
            RULE,
            format!("`{target}` is a broken link: correct it, or add the file or the heading"),
        )
    });
    found.collect()
}

/// The targets in `](...)` and after `[name]:`, outside of code.
pub(super) fn targets(line: &str) -> Vec<String> {
    // Every second piece between backticks is code.
    let text: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
    let inline = text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    let definition = text.starts_with('[').then(|| text.split_once("]: ")).flatten();
    let defined = definition.and_then(|(_, rest)| rest.split_whitespace().next());
    inline.chain(defined).map(|target| target.trim_matches(['<', '>']).to_owned()).collect()
}

fn is_relative(target: &str) -> bool {
    !target.is_empty() && !target.contains("://") && !target.starts_with("mailto:")
}

fn exists(tree: &Tree, document: &str, target: &str) -> bool {
    let (target, heading) = target.split_once('#').unwrap_or((target, ""));
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = if target.is_empty() { Some(document.to_owned()) } else { resolve(folder, target) };
    let Some(path) = path else {
        return false;
    };
    match tree.text(&path) {
        Some(text) => heading.is_empty() || has_heading(text, heading),
        None => {
            path.is_empty() || tree.has_binary(&path) || tree.files().any(|(file, _)| is_below(file, &path))
        }
    }
}

/// Whether a document has the heading that a link names. Of headings with the same text, the second ends in `-1`.
fn has_heading(text: &str, name: &str) -> bool {
    let headings = prose(text).filter_map(|(_, line)| line.strip_prefix('#'));
    let names: Vec<String> = headings.map(|rest| heading_name(rest.trim_start_matches('#'))).collect();
    let repeated = name.rsplit_once('-').is_some_and(|(first, number)| {
        let times = names.iter().filter(|found| *found == first).count();
        number.parse::<usize>().is_ok_and(|number| number > 0 && number < times)
    });
    repeated || names.iter().any(|found| found == name)
}

/// The anchor of a heading: its letters and digits in lower case, with hyphens for spaces.
fn heading_name(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|found| found.is_alphanumeric() || " -_".contains(*found));
    kept.flat_map(char::to_lowercase).map(|found| if found == ' ' { '-' } else { found }).collect()
}

/// Resolves the target against the folder. Returns `None` for a path that leaves the repository.
pub(super) fn resolve(folder: &str, target: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for step in target.split('/') {
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

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    fn findings(text: &str) -> Vec<String> {
        printed(&check(&Tree::of(&[
            ("docs/a.md", text),
            ("docs/b.md", "# B\n## A part\n## A part\n## `c` and D?\n"),
            ("crates/app/Cargo.toml", ""),
        ])))
    }

    #[test]
    fn link_to_a_file_that_is_not_there_is_found() {
        let found = findings("# A\n[gone](gone.md \"title\") and [b](b.md)\n");
        let gone =
            "docs/a.md:2: links: `gone.md` is a broken link: correct it, or add the file or the heading";
        assert_eq!(found, [gone]);
        assert_eq!(findings("![picture](../picture.png)\n\n[b]: ../b.md\n").len(), 2);
        assert_eq!(findings("[outside](../../b.md)\n").len(), 1);
    }

    #[test]
    fn files_folders_headings_and_urls_are_fine() {
        let text = "# A\n[b](b.md#a-part-1) [b](b.md#c-and-d) [b](b.md#a-part) [b](./b.md) [app](../crates/app/) [root](..) [here](#a)\n\
                    [out](https://example.com/gone.md) [mail](mailto:a@example.com)\n\n[b]: b.md\n";
        assert_eq!(findings(text), Vec::<String>::new());
    }

    #[test]
    fn link_to_a_heading_that_is_not_there_is_found() {
        assert_eq!(findings("[b](b.md#other) [b](b.md#a-part-2) [here](#b)\n").len(), 3);
    }

    #[test]
    fn links_in_code_do_not_count() {
        assert!(findings("`[a](gone.md)`\n```\n[a](gone.md)\n```\n").is_empty());
    }
}
