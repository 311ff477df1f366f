//! The Debian package: the program, its systemd unit, and the user that it runs as.
//!
//! `dpkg-deb`, which every Debian has, builds it. `deploy/debian` has the scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use pointbook_operate::root;

use super::payload::{COMPLETIONS, NOTICES, Payload};
use super::{VERSION, commit};
use crate::check::{Skipped, quietly};

/// Scripts that dpkg runs, in `deploy/debian`.
const SCRIPTS: &[&str] = &["postinst", "prerm", "postrm"];

/// The folder in which each shell looks for the completions of a package.
const COMPLETION_FOLDERS: &[(&str, &str)] = &[
    ("bash", "usr/share/bash-completion/completions"),
    ("zsh", "usr/share/zsh/vendor-completions"),
    ("fish", "usr/share/fish/vendor_completions.d"),
];

const BUILDER: &str = "dpkg-deb";

const ENVIRONMENT: &str = "etc/pointbook/environment";

/// Writes `pointbook_VERSION_ARCHITECTURE.deb`, where this machine has `dpkg-deb`.
pub(super) fn write(architecture: &str, binary: &Path, payload: &Payload, folder: &Path) -> Result<Skipped> {
    if Command::new(BUILDER).arg("--version").output().is_err() {
        return Ok(vec![format!(
            "no Debian package for {architecture}: {BUILDER} is missing: apt-get install dpkg"
        )]);
    }
    let staging = tempfile::tempdir()?;
    let package = Package { root: staging.path().join("pointbook") };
    package.files(binary, payload)?;
    package.control(architecture, &fs::read(binary)?)?;
    let mut build = Command::new(BUILDER);
    // The same commit gives the same bytes.
    build.env("SOURCE_DATE_EPOCH", commit("%ct")?).args(["--build", "--root-owner-group"]);
    build.arg(&package.root).arg(folder.join(format!("pointbook_{VERSION}_{architecture}.deb")));
    quietly(build)
}

/// A package that is being built.
struct Package {
    root: PathBuf,
}

impl Package {
    fn files(&self, binary: &Path, payload: &Payload) -> Result<()> {
        self.put("usr/bin/pointbook", fs::read(binary)?, 0o755)?;
        self.put("usr/lib/systemd/system/pointbook.service", unit(&deployed("pointbook.service")?)?, 0o644)?;
        self.put(ENVIRONMENT, deployed("debian/environment")?, 0o600)?;
        for ((shell, name), (_, place)) in COMPLETIONS.iter().zip(COMPLETION_FOLDERS) {
            let script = fs::read(payload.folder.join("completions").join(shell).join(name))?;
            self.put(&format!("{place}/{name}"), script, 0o644)?;
        }
        for page in fs::read_dir(payload.folder.join("man/man1"))? {
            let page = page?;
            let place = format!("usr/share/man/man1/{}", page.file_name().display());
            self.put(&place, fs::read(page.path())?, 0o644)?;
        }
        let document =
            |name: &str| fs::read_to_string(payload.folder.join(name)).map_err(anyhow::Error::from);
        let copyright = ["LICENSE-MIT", "LICENSE-APACHE", NOTICES].map(document);
        let copyright = copyright.into_iter().collect::<Result<Vec<_>>>()?.join("\n\n");
        self.put("usr/share/doc/pointbook/copyright", copyright, 0o644)?;
        self.put("usr/share/doc/pointbook/CHANGELOG.md", document("CHANGELOG.md")?, 0o644)
    }

    fn control(&self, architecture: &str, binary: &[u8]) -> Result<()> {
        for script in SCRIPTS {
            self.put(&format!("DEBIAN/{script}"), deployed(&format!("debian/{script}"))?, 0o755)?;
        }
        self.put("DEBIAN/conffiles", format!("/{ENVIRONMENT}\n"), 0o644)?;
        let glibc = newest_glibc(binary).context("the program names no version of the C library")?;
        let control = format!(
            "Package: pointbook\n\
             Version: {VERSION}\n\
             Architecture: {architecture}\n\
             Maintainer: the pointbook authors <pointbook@localhost>\n\
             Section: net\n\
             Priority: optional\n\
             Depends: libc6 (>= {glibc}), libgcc-s1, passwd\n\
             Recommends: ca-certificates\n\
             Description: loyalty-points service: gift store and point history\n \
             It serves the store catalogue and each user's point history as a JSON API, for\n \
             many tenants, on SQLite or PostgreSQL.\n"
        );
        self.put("DEBIAN/control", control, 0o644)
    }

    fn put(&self, place: &str, content: impl AsRef<[u8]>, mode: u32) -> Result<()> {
        let path = self.root.join(place);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, content).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(fs::set_permissions(&path, fs::Permissions::from_mode(mode))?)
    }
}

fn deployed(name: &str) -> Result<String> {
    let path = root::repository().join("deploy").join(name);
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

/// The unit of `deploy/` with the program's path in a package, and without the steps of a manual installation.
fn unit(text: &str) -> Result<String> {
    let (_, unit) = text.split_once("\n[Unit]\n").context("pointbook.service has no section [Unit]")?;
    Ok(format!("[Unit]\n{}", unit.replace("/usr/local/bin/pointbook", "/usr/bin/pointbook")))
}

/// The newest `GLIBC_2.N` whose symbols a program uses, as `2.N`.
fn newest_glibc(binary: &[u8]) -> Option<String> {
    const MARK: &[u8] = b"GLIBC_2.";
    let at = |start: usize| binary.get(start..start + MARK.len()) == Some(MARK);
    let starts = (0..binary.len()).filter(|&start| binary.get(start) == Some(&b'G') && at(start));
    let minors = starts.filter_map(|start| {
        let digits = binary.get(start + MARK.len()..)?.iter().take_while(|byte| byte.is_ascii_digit());
        digits.map(|&byte| char::from(byte)).collect::<String>().parse::<u32>().ok()
    });
    minors.max().map(|minor| format!("2.{minor}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newest_version_of_the_c_library_counts_as_a_number() {
        let binary = b"\0GLIBC_2.9\0GLIBC_2.34\0GLIBC_2.4\0GLIBC_PRIVATE\0GLIBC_2.";
        assert_eq!(newest_glibc(binary).as_deref(), Some("2.34"));
        assert_eq!(newest_glibc(b"static"), None);
    }

    #[test]
    fn unit_of_the_package_is_that_of_deploy_with_another_path() {
        let unit = unit(&deployed("pointbook.service").unwrap()).unwrap();
        assert!(unit.starts_with("[Unit]\nDescription="), "{unit}");
        assert!(unit.contains("\nExecStart=/usr/bin/pointbook serve\n"), "{unit}");
        assert!(!unit.contains("/usr/local"), "{unit}");
        let named = format!("\nEnvironmentFile=-/{ENVIRONMENT}\n");
        assert!(unit.contains(&named) && unit.contains("\nUser=pointbook\n"), "{unit}");
    }

    #[test]
    fn user_of_the_unit_is_made_with_the_home_that_the_unit_documents() {
        let made = |text: String| {
            let line = text.lines().find(|line| line.contains("useradd")).unwrap().to_owned();
            assert!(line.contains("--system ") && line.contains("--home-dir /var/lib/pointbook"), "{line}");
            assert!(line.ends_with("--shell /usr/sbin/nologin pointbook"), "{line}");
        };
        made(deployed("pointbook.service").unwrap());
        made(deployed("debian/postinst").unwrap());
    }
}
