//! The licences of dependencies. Redistributing the binary requires these notices too.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Result;

use super::packages::{Package, Packages};

/// How the names of licence and notice files begin.
const NAMES: &[&str] = &["license", "licence", "copying", "copyright", "notice", "unlicense"];

/// Every licence text once, below the packages that have it.
pub(super) fn text(packages: &Packages) -> Result<String> {
    let mut holders: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut listed = vec!["Packages that are part of this program, with their licences:\n".to_owned()];
    for package in &packages.all {
        let name = format!("{} {}", package.name, package.version);
        listed.push(format!("{name}: {}", package.licence.as_deref().unwrap_or("see below")));
        for text in texts(package)? {
            holders.entry(text).or_default().push(name.clone());
        }
    }
    for (text, names) in holders {
        listed.push(format!("\n{}\n{}\n\n{}", "-".repeat(78), names.join(", "), text.trim_end()));
    }
    Ok(listed.join("\n") + "\n")
}

fn texts(package: &Package) -> Result<Vec<String>> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(&package.folder)? {
        let path = entry?.path();
        if path.is_file() && is_notice(&path) {
            texts.push(fs::read_to_string(path)?.replace('\r', ""));
        }
    }
    texts.sort();
    Ok(texts)
}

fn is_notice(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    NAMES.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::super::target;
    use super::*;

    #[test]
    fn packages_are_listed_and_each_text_appears_once() {
        let text = text(&Packages::of(&target::host().unwrap()).unwrap()).unwrap();
        for package in ["ring 0.17", "serde 1.0", "rusqlite 0."] {
            assert!(text.lines().any(|line| line.starts_with(package) && line.contains(": ")), "{package}");
        }
        let texts: Vec<&str> = text.split(&"-".repeat(78)).skip(1).collect();
        assert!(texts.len() > 20, "{}", texts.len());
        assert!(texts.iter().any(|text| text.contains("Permission is hereby granted")));
    }
}
