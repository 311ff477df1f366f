//! The machine-readable list of components of the program: `CycloneDX` 1.5 in JSON.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::packages::{Package, Packages};
use super::{VERSION, commit};

/// Writes `pointbook-VERSION.cdx.json`.
pub(super) fn write(packages: &Packages, folder: &Path) -> Result<()> {
    let path = folder.join(format!("pointbook-{VERSION}.cdx.json"));
    let text = serde_json::to_string_pretty(&document(packages, &commit("%cI")?)?)?;
    fs::write(&path, text + "\n").with_context(|| format!("cannot write {}", path.display()))
}

fn document(packages: &Packages, released_at: &str) -> Result<Value> {
    let components: Vec<Value> =
        packages.all.iter().filter(|one| one.id != packages.program).map(component).collect();
    let dependencies: Vec<Value> = packages.all.iter().map(|one| dependency(packages, one)).collect();
    Ok(json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": released_at,
            "component": program(packages)?,
        },
        "components": components,
        "dependencies": dependencies,
    }))
}

fn program(packages: &Packages) -> Result<Value> {
    let package = packages.all.iter().find(|one| one.id == packages.program);
    let mut program = component(package.context("the program's package is missing")?);
    program["type"] = json!("application");
    program["name"] = json!("pointbook");
    Ok(program)
}

fn component(package: &Package) -> Value {
    let Package { name, version, licence, sha256, .. } = package;
    let mut component =
        json!({"type": "library", "bom-ref": reference(package), "name": name, "version": version});
    if let Some(licence) = licence {
        // Older manifests use a slash for OR.
        component["licenses"] = json!([{"expression": licence.replace('/', " OR ")}]);
    }
    // A package of this workspace is in no registry.
    if let Some(sha256) = sha256 {
        component["purl"] = json!(reference(package));
        component["hashes"] = json!([{"alg": "SHA-256", "content": sha256}]);
    }
    component
}

fn dependency(packages: &Packages, package: &Package) -> Value {
    let needed = packages.all.iter().filter(|other| package.needs.contains(&other.id));
    json!({"ref": reference(package), "dependsOn": needed.map(reference).collect::<Vec<_>>()})
}

fn reference(package: &Package) -> String {
    format!("pkg:cargo/{}@{}", package.name, package.version)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::target;
    use super::*;

    /// The list of this workspace.
    fn here() -> Value {
        document(&Packages::of(&target::host().unwrap()).unwrap(), "2026-01-01T00:00:00Z").unwrap()
    }

    #[test]
    fn program_is_described_with_what_it_links() {
        let document = here();
        assert_eq!(document["metadata"]["component"]["name"], "pointbook");
        assert_eq!(document["metadata"]["component"]["version"], VERSION);
        let names: BTreeSet<&str> = document["components"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["name"].as_str().unwrap())
            .collect();
        for linked in ["libsqlite3-sys", "ring", "hyper", "pointbook-domain"] {
            assert!(names.contains(linked), "{linked}");
        }
        for absent in ["proptest", "insta", "pointbook-testkit", "xtask"] {
            assert!(!names.contains(absent), "{absent}");
        }
    }

    #[test]
    fn every_component_has_a_licence_and_those_of_a_registry_a_hash() {
        for component in here()["components"].as_array().unwrap() {
            assert!(component["licenses"][0]["expression"].is_string(), "{component}");
            let is_ours = component["name"].as_str().unwrap().starts_with("pointbook-");
            let hash = component["hashes"][0]["content"].as_str().map(str::len);
            assert_eq!(hash, (!is_ours).then_some(64), "{component}");
        }
    }

    #[test]
    fn references_are_unique_and_every_dependency_is_a_component() {
        let document = here();
        let refs = |name: &str, key: &str| -> Vec<String> {
            let values = document[name].as_array().unwrap().iter();
            values.map(|one| one[key].as_str().unwrap().to_owned()).collect()
        };
        let listed = refs("dependencies", "ref");
        let known: BTreeSet<&String> = listed.iter().collect();
        assert_eq!(known.len(), listed.len());
        assert!(refs("components", "bom-ref").iter().all(|one| known.contains(one)));
        for one in document["dependencies"].as_array().unwrap() {
            for needed in one["dependsOn"].as_array().unwrap() {
                assert!(known.contains(&needed.as_str().unwrap().to_owned()), "{needed}");
            }
        }
    }
}
