//! Archives: the program of one target, and the Helm chart.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use pointbook_operate::root;

use super::payload::Payload;
use super::target::Target;
use super::{VERSION, commit};
use crate::check::quietly;

/// The path of the archive of a target.
pub(super) fn path(folder: &Path, target: &Target) -> PathBuf {
    folder.join(format!("{}.tar.gz", name(target)))
}

/// The archive's only folder.
pub(super) fn name(target: &Target) -> String {
    format!("pointbook-{VERSION}-{}", target.triple)
}

/// Packs the program, the pages, the completions and the documents.
pub(super) fn write(target: &Target, binary: &Path, payload: &Payload, folder: &Path) -> Result<()> {
    let staging = tempfile::tempdir()?;
    let inside = staging.path().join(name(target));
    fs::create_dir(&inside)?;
    payload.copy_into(&inside)?;
    fs::copy(binary, inside.join("pointbook"))
        .with_context(|| format!("cannot copy {}", binary.display()))?;
    let unit = root::repository().join("deploy/pointbook.service");
    fs::copy(unit, inside.join("pointbook.service"))?;
    pack(staging.path(), &name(target), &path(folder, target))
}

/// Packs the chart as `helm package` does: one folder with the name of the chart.
pub(super) fn chart(folder: &Path) -> Result<()> {
    let charts = root::repository().join("deploy/helm");
    pack(&charts, "pointbook", &folder.join(format!("pointbook-{VERSION}.tgz")))
}

/// Packs one folder of `parent`; the same content gives the same bytes.
fn pack(parent: &Path, name: &str, archive: &Path) -> Result<()> {
    let mut tar = Command::new("tar");
    tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX", "--gzip"]);
    tar.arg(format!("--mtime=@{}", commit("%ct")?)).arg("--create").arg("--file").arg(archive);
    // Helm leaves these files out as well.
    tar.args(["--exclude=.git", "--exclude=*.orig", "--exclude=*.tgz"]);
    tar.arg("--directory").arg(parent).arg(name);
    quietly(tar).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chart_is_one_folder_with_the_version_of_the_program_and_the_same_bytes_each_time() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        chart(one.path()).unwrap();
        chart(other.path()).unwrap();
        let file = format!("pointbook-{VERSION}.tgz");
        let archive = one.path().join(&file);
        assert_eq!(fs::read(&archive).unwrap(), fs::read(other.path().join(&file)).unwrap());
        let mut tar = Command::new("tar");
        tar.args(["--extract", "--to-stdout", "--file"]).arg(&archive).arg("pointbook/Chart.yaml");
        let output = tar.output().unwrap();
        let chart = String::from_utf8(output.stdout).unwrap();
        assert!(chart.contains(&format!("\nversion: {VERSION}\nappVersion: {VERSION}\n")), "{chart}");
    }
}
