//! What a release consists of, and the programs of others that write it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use xtask::operate::root;

use super::target::Target;
use super::{Release, VERSION, git, printed};
use crate::check::{Skipped, cargo, quietly};
use crate::tools::emptied;

/// A command that a machine may lack, and what installs it.
pub(super) type Tool<'a> = (&'a str, &'a str);

pub(super) const ABOUT: Tool = ("cargo about", "cargo install --locked cargo-about@0.9.3 --features cli");
pub(super) const CYCLONEDX: Tool = ("cargo cyclonedx", "cargo install --locked cargo-cyclonedx@0.5.9");
pub(super) const DEB: Tool = ("cargo deb", "cargo install --locked cargo-deb@3.8.0");
/// Tells cargo-deb which C library a program needs.
pub(super) const SHARED_LIBRARIES: Tool = ("dpkg-shlibdeps", "apt-get install dpkg-dev");

/// What to install. `None` when the tool runs here.
pub(super) fn missing((command, install): Tool) -> Option<String> {
    let mut words = command.split(' ');
    let output = Command::new(words.next()?).args(words).arg("--version").output();
    let runs = output.is_ok_and(|output| output.status.success());
    (!runs).then(|| format!("{command} is missing: {install}"))
}

/// Files of the repository that are in every archive.
const DOCUMENTS: &[&str] =
    &["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "deploy/pointbook.service"];

/// Each shell with the name of its completion file for `pointbook`.
const COMPLETIONS: &[(&str, &str)] =
    &[("bash", "pointbook"), ("zsh", "_pointbook"), ("fish", "pointbook.fish")];

/// The folder of these files. It is beside the program, where cargo-deb looks for files of a target.
pub(super) fn beside(binary: &Path) -> PathBuf {
    binary.with_file_name("pointbook-files")
}

impl Release {
    /// Writes the files of a target, and beside them the unit of its Debian package. The program of this machine writes the
    /// manual pages and completions of all targets.
    pub(super) fn payload(&self, target: &Target, binary: &Path) -> Result<Skipped> {
        let folder = beside(binary);
        emptied(&folder)?;
        let mut copy = Command::new("cp");
        copy.args(DOCUMENTS).arg(binary).arg(&folder).current_dir(root::repository());
        quietly(copy)?;
        let unit = fs::read_to_string(folder.join("pointbook.service"))?;
        fs::write(binary.with_file_name("pointbook.service"), packaged(&unit)?)?;
        let program = self.host.program(self.host)?;
        let program = program.to_string_lossy();
        let pages = folder.join("man/man1");
        fs::create_dir_all(&pages)?;
        printed(&program, &["man", "--dir", &pages.to_string_lossy()])?;
        for (shell, name) in COMPLETIONS {
            let completions = folder.join("completions").join(shell);
            fs::create_dir_all(&completions)?;
            fs::write(completions.join(name), printed(&program, &["completions", shell])?)?;
        }
        self.with("licence notices", missing(ABOUT), || notices(target, &folder))
    }

    /// Packs a folder under another name.
    pub(super) fn pack(&self, folder: &Path, name: &str, archive: &Path) -> Result<Skipped> {
        let mut tar = Command::new("tar");
        tar.args(["--create", "--gzip", "--sort=name", "--mode=u=rwX,go=rX"]);
        tar.args(["--owner=0", "--group=0", "--numeric-owner"])
            .arg(format!("--mtime=@{}", self.committed_at));
        // Helm leaves these files out as well.
        tar.args(["--exclude=.git", "--exclude=*.orig", "--exclude=*.tgz"]);
        tar.arg(format!("--transform=s,^[.],{name},")).arg("--file").arg(archive);
        tar.arg("--directory").arg(folder).arg(".");
        quietly(tar)
    }

    /// Packs what `crates/server/Cargo.toml` lists for a Debian package.
    pub(super) fn debian_package(&self, target: &Target, architecture: &str) -> Result<Skipped> {
        let mut deb =
            cargo(&["deb", "--locked", "--no-build", "--no-strip", "--package", "pointbook-server"]);
        deb.arg("--output").arg(&self.folder).env("SOURCE_DATE_EPOCH", &self.committed_at);
        if target.triple != self.host.triple {
            deb.args(["--target", target.triple]);
        }
        quietly(deb)?;
        let package = self.folder.join(format!("pointbook_{VERSION}_{architecture}.deb"));
        let depends = printed("dpkg-deb", &["--field", &package.to_string_lossy(), "Depends"])?;
        // cargo-deb only warns when it cannot find out.
        ensure!(depends.contains("libc6"), "{} depends on no C library: {depends}", package.display());
        Ok(Skipped::new())
    }

    /// Lists every package inside the program.
    pub(super) fn sbom(&self) -> Result<Skipped> {
        // cargo-cyclonedx writes a file beside the manifest of each program, so it gets a copy of the sources.
        let sources = tempfile::tempdir()?;
        let path = sources.path().display();
        git(&["checkout-index", "--all", &format!("--prefix={path}/")])?;
        let mut cyclonedx = cargo(&["cyclonedx", "--format", "json", "--spec-version", "1.5"]);
        cyclonedx.args(["--describe", "binaries", "--target", self.host.triple]);
        cyclonedx.env("SOURCE_DATE_EPOCH", &self.committed_at).current_dir(sources.path());
        quietly(cyclonedx)?;
        let list = fs::read_to_string(sources.path().join("crates/server/pointbook_bin.cdx.json"))?;
        // The references of our own packages contain their folder, which is another one each time.
        let list = list.replace(&format!("path+file://{path}/"), "path+file:///");
        fs::write(self.folder.join(format!("pointbook-{VERSION}.cdx.json")), list)?;
        Ok(Skipped::new())
    }

    /// Packs the chart as `helm package` does: one folder with the name of the chart.
    pub(super) fn chart(&self) -> Result<Skipped> {
        let chart = root::repository().join("deploy/helm/pointbook");
        self.pack(&chart, "pointbook", &self.folder.join(format!("pointbook-{VERSION}.tgz")))
    }

    /// The SHA-256 of every file, in the form that `sha256sum --check` reads.
    pub(super) fn checksums(&self) -> Result<Skipped> {
        let mut shell = Command::new("sh");
        shell.args(["-ec", r#"sums=$(sha256sum *); echo "$sums" > SHA256SUMS"#]);
        shell.env("LC_ALL", "C").current_dir(&self.folder);
        quietly(shell)
    }
}

/// The licences of the packages inside the program. Who passes the program on must pass them on, too.
fn notices(target: &Target, folder: &Path) -> Result<Skipped> {
    let mut about = cargo(&["about", "generate", "--locked", "--fail", "--target", target.triple]);
    about.args(["--manifest-path", "crates/server/Cargo.toml", "--output-file"]);
    let output = about.arg(folder.join("THIRD-PARTY-NOTICES.txt")).arg("about.hbs").output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    // cargo-about only warns when a file that `about.toml` names has another content than before.
    ensure!(output.status.success() && !told.contains("WARN"), "cargo about: {told}");
    Ok(Skipped::new())
}

/// The unit with the program's path in a package, and without the steps of a manual installation.
fn packaged(unit: &str) -> Result<String> {
    let (_, unit) = unit.split_once("\n[Unit]\n").context("pointbook.service has no section [Unit]")?;
    Ok(format!("[Unit]\n{}", unit.replace("/usr/local/bin/pointbook", "/usr/bin/pointbook")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNIT: &str = include_str!("../../../deploy/pointbook.service");

    #[test]
    fn unit_of_the_package_is_that_of_deploy_with_another_path() {
        let unit = packaged(UNIT).unwrap();
        assert!(unit.starts_with("[Unit]\nDescription="), "{unit}");
        assert!(unit.contains("\nExecStart=/usr/bin/pointbook serve\n"), "{unit}");
        assert!(!unit.contains("/usr/local"), "{unit}");
        assert!(unit.contains("\nEnvironmentFile=-/etc/pointbook/environment\n"), "{unit}");
        let manifest = include_str!("../../../crates/server/Cargo.toml");
        assert!(manifest.contains("\"etc/pointbook/environment\", \"600\""), "{manifest}");
    }

    #[test]
    fn user_of_the_unit_is_made_with_the_home_that_the_unit_documents() {
        assert!(UNIT.contains("\nUser=pointbook\n"), "{UNIT}");
        for text in [UNIT, include_str!("../../../deploy/debian/postinst")] {
            let line = text.lines().find(|line| line.contains("useradd")).unwrap();
            assert!(line.contains("--system ") && line.contains("--home-dir /var/lib/pointbook"), "{line}");
            assert!(line.ends_with("--shell /usr/sbin/nologin pointbook"), "{line}");
        }
    }

    #[test]
    fn guide_says_how_every_tool_is_installed() {
        let guide = include_str!("../../../docs/releasing.md");
        for (_, install) in [ABOUT, CYCLONEDX, DEB] {
            assert!(guide.lines().any(|line| line == install), "{install}");
        }
    }
}
