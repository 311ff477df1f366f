//! Files of a room import each other in one direction.
//!
//! Cargo enforces the dependencies between rooms, and this rule those between the files of a room. Files that import each
//! other in a circle cannot be read, tested or moved alone. Up to three may: a type and its parts often need each other.

mod mentions;
mod room;

use std::collections::{BTreeMap, BTreeSet};

use self::room::Room;
use super::finding::Finding;
use super::tree::Tree;

const RULE: &str = "circles";

/// The most files of a circle.
const FILES_MAX: usize = 3;

/// Not checked, because only tests use it.
const TESTKIT: &str = "crates/testkit/src";

/// Checks each crate.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let folders =
        tree.crate_folders().map(|folder| format!("{folder}/src")).filter(|folder| folder != TESTKIT);
    let circles: Vec<_> =
        folders.flat_map(|folder| circles(&Room::new(&folder, tree.sources()).imports())).collect();
    circles.iter().filter_map(|files| too_large(files)).collect()
}

/// The groups of files that all import each other, directly or indirectly.
fn circles<'s>(imports: &BTreeMap<&'s str, BTreeSet<&'s str>>) -> Vec<Vec<&'s str>> {
    let reached: BTreeMap<_, _> = imports.keys().map(|&file| (file, reached(file, imports))).collect();
    let group = |file: &&'s str| -> Vec<&'s str> {
        let leads_back = |other: &&'s str| reached.get(*other).is_some_and(|files| files.contains(file));
        reached[file].iter().copied().filter(leads_back).collect()
    };
    let groups: BTreeSet<_> = reached.keys().map(group).filter(|files| files.len() > 1).collect();
    groups.into_iter().collect()
}

/// Every file that `file` imports, directly or indirectly. It includes `file` when that is in a circle.
fn reached<'s>(file: &'s str, imports: &BTreeMap<&'s str, BTreeSet<&'s str>>) -> BTreeSet<&'s str> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![file]);
    while let Some(file) = next.pop() {
        let further = imports.get(file).into_iter().flatten().copied();
        next.extend(further.filter(|file| reached.insert(*file)));
    }
    reached
}

fn too_large(files: &[&str]) -> Option<Finding> {
    let message = format!(
        "{} files import each other, {FILES_MAX} may: break the circle of {}",
        files.len(),
        files.join(", ")
    );
    (files.len() > FILES_MAX).then(|| Finding::new(files[0], 1, RULE, message))
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    /// The findings about a crate of these files, with their paths below `src`.
    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let placed: Vec<_> =
            files.iter().map(|(path, text)| (format!("crates/a/src/{path}"), *text)).collect();
        let mut all = vec![("crates/a/Cargo.toml", "")];
        all.extend(placed.iter().map(|(path, text)| (path.as_str(), *text)));
        printed(&check(&Tree::of(&all)))
    }

    /// Four files that import each other by these paths, one after the other.
    fn four(paths: [&'static str; 4]) -> Vec<(&'static str, &'static str)> {
        let names = ["b.rs", "c.rs", "d.rs", "e/mod.rs"];
        names.into_iter().zip(paths).chain([("lib.rs", "mod b;\nmod c;\nmod d;\nmod e;\n")]).collect()
    }

    const CIRCLE: [&str; 4] = [
        "use crate::c::{self as other, C};\nstruct B;",
        "fn c() { super::d::D::new() }\nstruct C;",
        "use crate::e;\nstruct D(e::E);",
        "use super::b::{B as Other};\nstruct E;",
    ];

    #[test]
    fn circle_of_four_is_found_by_any_form_of_path() {
        let found = found(&four(CIRCLE));
        let expected = "crates/a/src/b.rs:1: circles: 4 files import each other, 3 may: break the circle of \
                        crates/a/src/b.rs, crates/a/src/c.rs, crates/a/src/d.rs, crates/a/src/e/mod.rs";
        assert_eq!(found, [expected]);
    }

    #[test]
    fn circle_of_three_is_allowed_and_so_are_tests_and_visibilities() {
        for last in [
            "use super::c::C;",
            "#[cfg(test)]\nmod tests {\n    use crate::b::B;\n}\n",
            "pub(in crate::b) struct E;",
            "// use crate::b::B;",
            "use crate::b;",
        ] {
            let [b, c, d, _] = CIRCLE;
            assert!(found(&four([b, c, d, last])).is_empty(), "{last}");
        }
    }

    #[test]
    fn re_exported_name_counts_for_the_file_that_declares_it() {
        let [b, c, d, _] = CIRCLE;
        let mut files = four([b, c, d, "use crate::B;"]);
        files[4].1 = "mod b; mod c; mod d; mod e;\npub use b::B;";
        assert_eq!(found(&files).len(), 1);
        files[4].1 = "mod b; mod c; mod d; mod e;\nstruct B;";
        assert!(found(&files).is_empty(), "lib.rs uses nothing");
        files[4].1 = "mod b; mod c; mod d; mod e;\npub use b::B as Other;\nstruct B(Other);";
        assert_eq!(found(&files).len(), 1, "lib.rs re-exports and uses the name");
    }
}
