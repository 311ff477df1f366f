//! Relative links in documents lead to files that exist.

use super::documents::prose;
use super::finding::Finding;
use super::tree::{Tree, is_below};

const RULE: &str = "links";

/// Checks every link of every Markdown file that is not an address or a place in the same file.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let links = tree.with_extension("md").flat_map(|(path, text)| {
        prose(text)
            .flat_map(move |(line, text)| targets(text).into_iter().map(move |target| (path, line, target)))
    });
    let broken = links.filter(|(path, _, target)| is_relative(target) && !exists(tree, path, target));
    let found = broken.map(|(path, line, target)| {
        Finding::new(path, line, RULE, format!("`{target}` leads nowhere: mend the link or add the file"))
    });
    found.collect()
}

/// What stands in `](...)` and after `[name]:`, outside of code.
fn targets(line: &str) -> Vec<String> {
    // Every second piece between backticks is code.
    let text: String = line.split('`').step_by(2).collect::<Vec<_>>().join("code");
    let inline = text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next());
    let definition = text.starts_with('[').then(|| text.split_once("]: ")).flatten();
    let defined = definition.and_then(|(_, rest)| rest.split_whitespace().next());
    inline.chain(defined).map(|target| target.trim_matches(['<', '>']).to_owned()).collect()
}

fn is_relative(target: &str) -> bool {
    !target.is_empty()
        && !target.starts_with('#')
        && !target.contains("://")
        && !target.starts_with("mailto:")
}

fn exists(tree: &Tree, document: &str, target: &str) -> bool {
    let target = target.split('#').next().unwrap_or_default();
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    let Some(path) = resolve(folder, target) else {
        return false;
    };
    path.is_empty() || tree.text(&path).is_some() || tree.files().any(|(file, _)| is_below(file, &path))
}

/// Walks from the folder along the target; a path that leaves the repository is none.
fn resolve(folder: &str, target: &str) -> Option<String> {
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
        printed(&check(&Tree::of(&[("docs/a.md", text), ("docs/b.md", ""), ("crates/app/Cargo.toml", "")])))
    }

    #[test]
    fn link_to_a_file_that_is_not_there_is_found() {
        let found = findings("# A\n[gone](gone.md \"title\") and [b](b.md)\n");
        assert_eq!(found, ["docs/a.md:2: links: `gone.md` leads nowhere: mend the link or add the file"]);
        assert_eq!(findings("![picture](../picture.png)\n\n[b]: ../b.md\n").len(), 2);
        assert_eq!(findings("[outside](../../b.md)\n").len(), 1);
    }

    #[test]
    fn files_folders_places_and_addresses_are_fine() {
        let text = "[b](b.md#part) [b](./b.md) [app](../crates/app/) [root](..) [here](#a)\n\
                    [out](https://example.com/gone.md) [mail](mailto:a@example.com)\n\n[b]: b.md\n";
        assert_eq!(findings(text), Vec::<String>::new());
    }

    #[test]
    fn links_in_code_do_not_count() {
        assert!(findings("`[a](gone.md)`\n```\n[a](gone.md)\n```\n").is_empty());
    }
}
