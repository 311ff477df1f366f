//! Which room may use which other room, and which packages from outside.

mod outside;
mod rooms;

use toml::Table;

use super::finding::Finding;
use super::manifests::{line_naming, package_name};
use super::tree::Tree;
use outside::{CONFINED, EXAMINED, TESTKIT};
use rooms::ROOMS;

const RULE: &str = "imports";

/// Checks the dependencies of every package against the table.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let manifests = tree.files().filter(|(path, _)| path.ends_with("/Cargo.toml"));
    manifests.flat_map(|(path, text)| package_findings(path, text)).collect()
}

fn package_findings(path: &str, text: &str) -> Vec<Finding> {
    // A manifest that cannot be read is reported by the `manifests` rule.
    let Ok(manifest) = text.parse::<Table>() else {
        return Vec::new();
    };
    let package = package_name(&manifest);
    let Some((_, allowed)) = ROOMS.iter().find(|(room, _)| Some(*room) == room_of(package)) else {
        return vec![Finding::new(
            path,
            1,
            RULE,
            format!("{package} is not in the table of rooms: add it there"),
        )];
    };
    let judged = dependencies(&manifest).into_iter().filter_map(|dependency| {
        let complaint = complaint(package, allowed, &dependency)?;
        Some(Finding::new(path, line_naming(text, &dependency.name), RULE, complaint))
    });
    judged.collect()
}

/// A dependency, and whether only tests are built with it.
struct Dependency {
    name: String,
    dev: bool,
}

fn dependencies(manifest: &Table) -> Vec<Dependency> {
    let targets = manifest.get("target").and_then(|targets| targets.as_table());
    let tables = targets.into_iter().flat_map(Table::values).filter_map(|target| target.as_table());
    std::iter::once(manifest).chain(tables).flat_map(dependencies_of_table).collect()
}

fn dependencies_of_table(table: &Table) -> Vec<Dependency> {
    let kinds = [("dependencies", false), ("build-dependencies", false), ("dev-dependencies", true)];
    let named = kinds.into_iter().flat_map(|(kind, dev)| {
        let names = table.get(kind).and_then(|found| found.as_table()).into_iter().flat_map(Table::keys);
        names.map(move |name| Dependency { name: name.clone(), dev })
    });
    named.collect()
}

/// The name in the table of a package of the workspace.
fn room_of(package: &str) -> Option<&str> {
    package.strip_prefix("pointbook-").or_else(|| (package == "xtask").then_some(package))
}

fn complaint(package: &str, allowed: &[&str], dependency: &Dependency) -> Option<String> {
    let Dependency { name, dev } = dependency;
    let ours = ROOMS.iter().any(|(room, _)| Some(*room) == room_of(name));
    if ours {
        let for_tests = name == TESTKIT || EXAMINED.contains(&(package, name.as_str()));
        let permitted = room_of(name).is_some_and(|room| allowed.contains(&room)) || (*dev && for_tests);
        return (!permitted)
            .then(|| format!("{package} may not use {name}: move the code to a room that may"));
    }
    if *dev {
        return None;
    }
    if package == "pointbook-domain" {
        return Some(format!("the domain uses the standard library alone: do without {name}"));
    }
    let (_, rooms) = CONFINED.iter().find(|(confined, _)| confined == name)?;
    let permitted = rooms.contains(&package);
    (!permitted).then(|| format!("only {} may use {name}: use a port", rooms.join(", ")))
}

#[cfg(test)]
mod tests;
