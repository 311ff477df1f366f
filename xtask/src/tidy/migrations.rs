//! Migrations are numbered without gaps and alike in every store.

use std::collections::BTreeMap;

use super::finding::Finding;
use super::tree::Tree;

const RULE: &str = "migrations";

/// Checks the names in each `crates/store-*/migrations`, then the stores against each other.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let stores = migrations_by_store(tree);
    let numbering = stores.iter().flat_map(|(store, names)| numbering(store, names));
    numbering.chain(differences(&stores)).collect()
}

/// The file names of each store's migrations in order. A store without the folder has none.
fn migrations_by_store(tree: &Tree) -> BTreeMap<&str, Vec<&str>> {
    let stores = tree.crate_folders().filter(|folder| folder.starts_with("crates/store-"));
    let named = stores.map(|store| {
        let paths = tree.below(store).filter_map(|(path, _)| path.strip_prefix(store));
        (store, paths.filter_map(|path| path.strip_prefix("/migrations/")).collect())
    });
    named.collect()
}

fn numbering(store: &str, names: &[&str]) -> Vec<Finding> {
    let wrong = names.iter().zip(1..).filter(|&(name, number)| number_of(name) != Some(number));
    let found = wrong.map(|(name, number)| {
        let message = format!("expected `{number:04}_verb_noun.sql` here: number from 0001 without a gap");
        Finding::new(&path(store, name), 1, RULE, message)
    });
    found.collect()
}

/// The number of `NNNN_verb_noun.sql`, or `None` when the name has another form.
fn number_of(name: &str) -> Option<usize> {
    let (number, words) = name.strip_suffix(".sql")?.split_once('_')?;
    let words: Vec<&str> = words.split('_').collect();
    let is_word = |word: &&str| {
        !word.is_empty() && word.chars().all(|found| found.is_ascii_lowercase() || found.is_ascii_digit())
    };
    let well_formed = number.len() == 4 && words.len() >= 2 && words.iter().all(is_word);
    well_formed.then(|| number.parse().ok()).flatten()
}

fn differences(stores: &BTreeMap<&str, Vec<&str>>) -> Vec<Finding> {
    let pairs =
        stores.iter().flat_map(|(store, names)| stores.keys().map(move |other| (store, names, other)));
    let missing = pairs.flat_map(|(_, names, other)| {
        let theirs = stores.get(other).into_iter().flatten().collect::<Vec<_>>();
        let lacking = names.iter().filter(move |name| !theirs.contains(name));
        lacking.map(move |name| {
            let message = "another store has this migration: add one with the same name";
            Finding::new(&path(other, name), 1, RULE, message)
        })
    });
    missing.collect()
}

fn path(store: &str, name: &str) -> String {
    format!("{store}/migrations/{name}")
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    fn findings(paths: &[&str]) -> Vec<String> {
        let mut files = vec![("crates/store-sqlite/Cargo.toml", ""), ("crates/app/Cargo.toml", "")];
        files.extend(paths.iter().map(|&path| (path, "")));
        printed(&check(&Tree::of(&files)))
    }

    #[test]
    fn gap_and_double_number_are_found() {
        let gap = [
            "crates/store-sqlite/migrations/0001_create_a.sql",
            "crates/store-sqlite/migrations/0003_create_b.sql",
        ];
        let expected = "crates/store-sqlite/migrations/0003_create_b.sql:1: migrations: \
                        expected `0002_verb_noun.sql` here: number from 0001 without a gap";
        assert_eq!(findings(&gap), [expected]);
        let double = [
            "crates/store-sqlite/migrations/0001_add_a.sql",
            "crates/store-sqlite/migrations/0001_add_b.sql",
        ];
        assert_eq!(findings(&double).len(), 1);
    }

    #[test]
    fn name_of_another_form_is_found() {
        for name in [
            "1_create_a.sql",
            "0001_create.sql",
            "0001_Create_a.sql",
            "0001_create_a.txt",
            "0001_create__a.sql",
        ] {
            assert_eq!(findings(&[&format!("crates/store-sqlite/migrations/{name}")]).len(), 1, "{name}");
        }
        assert!(findings(&["crates/store-sqlite/migrations/0001_create_a.sql"]).is_empty());
    }

    #[test]
    fn store_that_lacks_a_migration_is_found() {
        let uneven = [
            "crates/store-postgres/Cargo.toml",
            "crates/store-postgres/migrations/0001_create_a.sql",
            "crates/store-sqlite/migrations/0001_create_a.sql",
            "crates/store-sqlite/migrations/0002_create_b.sql",
        ];
        let found = findings(&uneven);
        assert!(
            found.len() == 1
                && found.iter().all(|line| line.starts_with("crates/store-postgres/migrations/0002"))
        );
    }
}
