//! Every package takes the workspace's lints, and every library turns doctests off. Otherwise `cargo test` starts rustdoc for
//! each library, even for one without an example.

use toml::{Table, Value};

use super::finding::Finding;
use super::tree::Tree;

const RULE: &str = "manifests";

/// Checks every `Cargo.toml` except the workspace's.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let manifests = tree.files().filter(|(path, _)| path.ends_with("/Cargo.toml"));
    manifests.flat_map(|(path, text)| findings(tree, path, text)).collect()
}

fn findings(tree: &Tree, path: &str, text: &str) -> Vec<Finding> {
    let Ok(manifest) = text.parse::<Table>() else {
        return vec![Finding::new(path, 1, RULE, "this is not valid TOML: correct it")];
    };
    let library = path.replace("Cargo.toml", "src/lib.rs");
    let is_library = tree.files().any(|(file, _)| file == library);
    let mut findings = Vec::new();
    if value(&manifest, "lints", "workspace") != Some(true) {
        let advice = "the workspace's lints are not taken: add `[lints]` with `workspace = true`";
        findings.push(Finding::new(path, line_naming(text, "[lints]"), RULE, advice));
    }
    if is_library && value(&manifest, "lib", "doctest") != Some(false) {
        let advice = "doctests are on: add `[lib]` with `doctest = false`";
        findings.push(Finding::new(path, line_naming(text, "[lib]"), RULE, advice));
    }
    findings
}

fn value(manifest: &Table, section: &str, key: &str) -> Option<bool> {
    manifest.get(section)?.get(key)?.as_bool()
}

/// The name of a manifest's package, or an empty string.
pub(crate) fn package_name(manifest: &Table) -> &str {
    let name = manifest.get("package").and_then(|package| package.get("name"));
    name.and_then(Value::as_str).unwrap_or_default()
}

/// The line that starts with `word`, or the first line. Parsed TOML does not keep line numbers.
pub(crate) fn line_naming(text: &str, word: &str) -> usize {
    let found = text.lines().position(|line| line.trim_start().starts_with(word));
    found.map_or(1, |index| index + 1)
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    fn findings(text: &str) -> Vec<String> {
        printed(&check(&Tree::of(&[("crates/app/Cargo.toml", text), ("Cargo.toml", "[workspace]\n")])))
    }

    #[test]
    fn package_without_the_lints_is_found() {
        assert!(findings("[package]\nname = \"a\"\n\n[lints]\nworkspace = true\n").is_empty());
        assert_eq!(findings("[package]\nname = \"a\"\n").len(), 1);
        let own = findings("[package]\nname = \"a\"\n[lints]\nrust.unsafe_code = \"allow\"\n");
        assert!(
            own.iter().all(|found| found.starts_with("crates/app/Cargo.toml:3: manifests: "))
                && own.len() == 1
        );
    }

    #[test]
    fn library_with_doctests_is_found() {
        let found = |lib: &str| {
            let manifest = format!("[package]\nname = \"a\"\n{lib}[lints]\nworkspace = true\n");
            check(&Tree::of(&[("crates/a/Cargo.toml", &manifest), ("crates/a/src/lib.rs", "")])).len()
        };
        assert_eq!(found("[lib]\ndoctest = false\n"), 0);
        assert_eq!((found("[lib]\ndoctest = true\n"), found("")), (1, 1));
    }

    #[test]
    fn manifest_that_is_not_toml_is_found() {
        assert_eq!(findings("[package\n").len(), 1);
    }
}
