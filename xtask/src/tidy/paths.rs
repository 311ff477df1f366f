//! No file contains an absolute path of a developer's machine.

use super::finding::Finding;
use super::lexer::is_word;
use super::tree::Tree;

const RULE: &str = "machine-path";

/// Folders of the machines of this project. `concat!` builds them, so that this file contains none of them.
const FOLDERS: &[&str] = &[concat!("/", "work", "/"), concat!("/", "root", "/")];

/// Checks every line of every text file.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let lines = tree
        .files()
        .flat_map(|(path, text)| text.lines().zip(1..).map(move |(text, line)| (path, line, text)));
    let found = lines.filter_map(|(path, line, text)| {
        let folder = FOLDERS.iter().find(|folder| starts_path(text, folder))?;
        let message =
            format!("`{folder}` exists on one machine only: write a path relative to the repository");
        Some(Finding::new(path, line, RULE, message))
    });
    found.collect()
}

/// Whether the folder starts a path. As part of a longer path or of a URL, it is only a name.
fn starts_path(text: &str, folder: &str) -> bool {
    text.match_indices(folder).any(|(at, _)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        !before.is_some_and(|found| is_word(found) || matches!(found, '.' | '-' | '}' | '/'))
    })
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    #[test]
    fn path_of_one_machine_is_found_in_any_file() {
        for folder in FOLDERS {
            let text = format!("a\ncd {folder}main\n");
            let found = printed(&check(&Tree::of(&[("docs/a.md", &text)])));
            assert!(
                found.len() == 1 && found.iter().all(|line| line.starts_with("docs/a.md:2: machine-path: "))
            );
        }
    }

    #[test]
    fn same_name_inside_another_path_is_no_finding() {
        for folder in FOLDERS {
            let text = format!("https://example.com{folder}a crates{folder}b ..{folder}c");
            assert!(check(&Tree::of(&[("docs/a.md", &text)])).is_empty());
        }
    }
}
