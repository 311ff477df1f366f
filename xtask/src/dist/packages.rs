//! The packages of `cargo metadata` that are linked into the program on one target.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use pointbook_operate::root;
use serde_json::Value;

use super::target::Target;
use crate::check::cargo;

/// The package whose binary is released.
const PROGRAM: &str = "pointbook-server";

/// A package that is linked in, or that runs during the build.
pub(super) struct Package {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) version: String,
    /// An SPDX expression.
    pub(super) licence: Option<String>,
    /// The checksum of the lock file. `None` for a package of this workspace.
    pub(super) sha256: Option<String>,
    /// Ids of the packages that it needs.
    pub(super) needs: Vec<String>,
    /// The folder of its source.
    pub(super) folder: PathBuf,
}

/// All packages, ordered by name.
pub(super) struct Packages {
    pub(super) program: String,
    pub(super) all: Vec<Package>,
}

impl Packages {
    /// The packages that the program needs on a target, without dependencies of tests.
    pub(super) fn of(target: &Target) -> Result<Self> {
        let mut command = cargo(&["metadata", "--format-version", "1", "--locked", "--filter-platform"]);
        let output = command.arg(target.triple).output().context("cannot run cargo")?;
        ensure!(output.status.success(), "cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
        let lock = fs::read_to_string(root::repository().join("Cargo.lock"))?;
        Self::read(&serde_json::from_slice(&output.stdout)?, &checksums(&lock)?)
    }

    fn read(metadata: &Value, checksums: &BTreeMap<String, String>) -> Result<Self> {
        let packages = list(&metadata["packages"])?;
        let program = packages.iter().find(|package| package["name"] == PROGRAM);
        let program = string(&program.with_context(|| format!("the package {PROGRAM} is missing"))?["id"])?;
        let needs = needs(list(&metadata["resolve"]["nodes"])?)?;
        let reached = reached(&program, &needs);
        let mut all = Vec::new();
        for package in packages {
            let id = string(&package["id"])?;
            if reached.contains(&id) {
                all.push(one(package, id, &needs, checksums)?);
            }
        }
        all.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
        Ok(Self { program, all })
    }
}

fn one(
    package: &Value,
    id: String,
    needs: &BTreeMap<String, Vec<String>>,
    checksums: &BTreeMap<String, String>,
) -> Result<Package> {
    let (name, version) = (string(&package["name"])?, string(&package["version"])?);
    let folder =
        Path::new(&string(&package["manifest_path"])?).parent().context("a manifest has no folder")?.into();
    let licence = package["license"].as_str().map(str::to_owned);
    let sha256 = checksums.get(&format!("{name} {version}")).cloned();
    Ok(Package {
        needs: needs.get(&id).cloned().unwrap_or_default(),
        id,
        name,
        version,
        licence,
        sha256,
        folder,
    })
}

/// The checksums of the lock file, by `NAME VERSION`.
fn checksums(lock: &str) -> Result<BTreeMap<String, String>> {
    let lock: toml::Table = lock.parse()?;
    let packages =
        lock.get("package").and_then(toml::Value::as_array).context("Cargo.lock has no packages")?;
    let checksum = |package: &toml::Value| {
        let field = |name| package.get(name)?.as_str();
        Some((format!("{} {}", field("name")?, field("version")?), field("checksum")?.to_owned()))
    };
    Ok(packages.iter().filter_map(checksum).collect())
}

/// The dependencies of each package by id, without those of tests.
fn needs(nodes: &[Value]) -> Result<BTreeMap<String, Vec<String>>> {
    let mut needs = BTreeMap::new();
    for node in nodes {
        let mut needed = Vec::new();
        for dependency in list(&node["deps"])? {
            if list(&dependency["dep_kinds"])?.iter().any(|kind| kind["kind"] != "dev") {
                needed.push(string(&dependency["pkg"])?);
            }
        }
        needs.insert(string(&node["id"])?, needed);
    }
    Ok(needs)
}

fn reached(program: &str, needs: &BTreeMap<String, Vec<String>>) -> BTreeSet<String> {
    let mut reached = BTreeSet::from([program.to_owned()]);
    let mut left = vec![program];
    while let Some(id) = left.pop() {
        for needed in needs.get(id).into_iter().flatten() {
            if reached.insert(needed.clone()) {
                left.push(needed);
            }
        }
    }
    reached
}

fn list(value: &Value) -> Result<&Vec<Value>> {
    value.as_array().context("unexpected output of cargo metadata: a list is missing")
}

fn string(value: &Value) -> Result<String> {
    let text = value.as_str().context("unexpected output of cargo metadata: a string is missing")?;
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn packages_of_tests_and_of_other_programs_are_left_out() {
        let package = |name: &str| json!({"id": name, "name": name, "version": "1.0.0", "license": "MIT", "manifest_path": "/a/Cargo.toml"});
        let needs = |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": [package("zlib"), package("cc"), package("insta"), package("bench"), package(PROGRAM)],
            "resolve": {"nodes": [
                {"id": PROGRAM, "deps": [needs("zlib", Value::Null), needs("insta", json!("dev"))]},
                {"id": "zlib", "deps": [needs("cc", json!("build"))]},
                {"id": "bench", "deps": [needs("zlib", Value::Null)]},
            ]},
        });
        let lock = "[[package]]\nname = \"zlib\"\nversion = \"1.0.0\"\nchecksum = \"abc\"\n";
        let packages = Packages::read(&metadata, &checksums(lock).unwrap()).unwrap();
        let names: Vec<&str> = packages.all.iter().map(|package| package.name.as_str()).collect();
        assert_eq!(names, ["cc", PROGRAM, "zlib"]);
        assert_eq!(packages.all[2].sha256.as_deref(), Some("abc"));
        assert_eq!(packages.all[2].needs, ["cc"]);
    }
}
