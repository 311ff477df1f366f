//! Files of a room import each other in one direction.
//!
//! Cargo holds the arrows between rooms. Between the files of a room nothing else does, and of files that import each
//! other in a circle none can be read, tested or moved alone. Up to three may: a type and its parts often need each other.

mod mentions;
mod room;

use std::collections::{BTreeMap, BTreeSet};

use self::room::Room;
use super::finding::Finding;
use super::tree::Tree;

const RULE: &str = "circles";

/// No circle has more files than this.
const FILES_MAX: usize = 3;

/// Circles that are still there: one of their files, how many files they have, and why. The numbers may only shrink.
const EXCEPTIONS: &[(&str, usize, &str)] = &[];

/// Checks each product crate.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let folders = tree.crate_folders().map(|folder| format!("{folder}/src"));
    let circles = folders.flat_map(|folder| circles(&Room::new(&folder, tree.sources()).imports()));
    circles.filter_map(|files| finding(&files)).collect()
}

/// The groups of files that all lead to each other.
fn circles<'s>(imports: &BTreeMap<&'s str, BTreeSet<&'s str>>) -> Vec<Vec<&'s str>> {
    let reached: BTreeMap<_, _> = imports.keys().map(|&file| (file, reached(file, imports))).collect();
    let group = |file: &&'s str| -> Vec<&'s str> {
        let leads_back = |other: &&'s str| reached.get(*other).is_some_and(|files| files.contains(file));
        reached[file].iter().copied().filter(leads_back).collect()
    };
    let groups: BTreeSet<_> = reached.keys().map(group).filter(|files| files.len() > 1).collect();
    groups.into_iter().collect()
}

/// Every file that one leads to; itself when it is in a circle.
fn reached<'s>(file: &'s str, imports: &BTreeMap<&'s str, BTreeSet<&'s str>>) -> BTreeSet<&'s str> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![file]);
    while let Some(file) = next.pop() {
        let further = imports.get(file).into_iter().flatten().copied();
        next.extend(further.filter(|file| reached.insert(*file)));
    }
    reached
}

fn finding(files: &[&str]) -> Option<Finding> {
    let (first, granted) = (files.first()?, granted(files));
    let message =
        format!("{} files import each other in a circle, {granted} may: {}", files.len(), files.join(", "));
    (files.len() > granted).then(|| Finding::new(first, 1, RULE, message))
}

fn granted(files: &[&str]) -> usize {
    let listed = EXCEPTIONS.iter().find(|(file, ..)| files.contains(file));
    listed.map_or(FILES_MAX, |(_, granted, _)| *granted)
}
