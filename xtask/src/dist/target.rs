//! The systems that a release is built for, and what this machine needs to build for them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use pointbook_operate::root;

use crate::check::{cargo, quietly};
use crate::tools;

/// The value of `--target` for the building machine.
pub(super) const HOST: &str = "host";

/// A system that a release is built for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Target {
    /// The target triple of rustc.
    pub(super) triple: &'static str,
    /// The C compiler for SQLite and ring when the target is another machine.
    compiler: &'static str,
    /// Whether the C compiler also links. For musl, rustc has its own libraries. A `musl-gcc` that adds others produces a
    /// program that cannot start.
    compiler_links: bool,
    /// The Debian package that has the compiler.
    compiler_package: &'static str,
    /// The architecture of its Debian package, or `None` for no package.
    pub(super) debian: Option<&'static str>,
}

/// Binaries of `musl` are static and run on every Linux. Those of `gnu` need a C library as new as the build machine's, and
/// take less processor time (`docs/releasing.md`).
pub(super) const TARGETS: &[Target] = &[
    Target {
        triple: "x86_64-unknown-linux-gnu",
        compiler: "x86_64-linux-gnu-gcc",
        compiler_links: true,
        compiler_package: "gcc-x86-64-linux-gnu",
        debian: Some("amd64"),
    },
    Target {
        triple: "x86_64-unknown-linux-musl",
        compiler: "musl-gcc",
        compiler_links: false,
        compiler_package: "musl-tools",
        debian: None,
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        compiler: "aarch64-linux-gnu-gcc",
        compiler_links: true,
        compiler_package: "gcc-aarch64-linux-gnu",
        debian: Some("arm64"),
    },
];

/// The release target with this triple.
pub(super) fn find(triple: &str) -> Result<&'static Target> {
    let known = || TARGETS.iter().map(|target| target.triple).collect::<Vec<_>>().join(", ");
    let found = TARGETS.iter().find(|target| target.triple == triple);
    found.with_context(|| format!("unknown target {triple:?}; the targets are {HOST}, {}", known()))
}

/// This machine.
pub(super) fn host() -> Result<Target> {
    let output = Command::new("rustc").arg("-vV").output().context("cannot run rustc")?;
    let told = String::from_utf8(output.stdout)?;
    let triple = told.lines().find_map(|line| line.strip_prefix("host: "));
    find(triple.context("`rustc -vV` names no host")?).copied()
}

impl Target {
    /// The processor, the first part of the triple.
    pub(super) fn architecture(&self) -> &'static str {
        self.triple.split('-').next().unwrap_or(self.triple)
    }

    /// What to install before this machine can build the target. `None` when nothing is missing.
    pub(super) fn missing(&self) -> Result<Option<String>> {
        let mut rustc = Command::new("rustc");
        rustc.args(["--print", "target-libdir", "--target", self.triple]).current_dir(root::repository());
        let output = rustc.output().context("cannot run rustc")?;
        ensure!(output.status.success(), "rustc: {}", String::from_utf8_lossy(&output.stderr).trim());
        if !Path::new(String::from_utf8(output.stdout)?.trim()).exists() {
            return Ok(Some(format!("the standard library is missing: rustup target add {}", self.triple)));
        }
        let runs = Command::new(self.compiler).arg("--version").output().is_ok();
        let advice = || format!("{} is missing: apt-get install {}", self.compiler, self.compiler_package);
        Ok((!runs).then(advice))
    }

    /// Builds the release binary.
    pub(super) fn build(&self) -> Result<PathBuf> {
        let mut command =
            cargo(&["build", "--release", "--locked", "--package", "pointbook-server", "--bin", "pointbook"]);
        let folder = tools::target()?;
        // No `--target`, so that cargo reuses the builds of other tasks.
        if self.triple == host()?.triple {
            quietly(command)?;
            return Ok(folder.join("release/pointbook"));
        }
        let name = self.triple.replace('-', "_");
        command.args(["--target", self.triple]).env(format!("CC_{name}"), self.compiler);
        if self.compiler_links {
            command.env(format!("CARGO_TARGET_{}_LINKER", name.to_uppercase()), self.compiler);
        }
        quietly(command)?;
        Ok(folder.join(self.triple).join("release/pointbook"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guide_names_every_target_with_the_package_that_it_needs() {
        let guide = include_str!("../../../docs/releasing.md");
        for target in TARGETS {
            let row = guide.lines().find(|line| line.starts_with(&format!("| `{}` |", target.triple)));
            let row = row.unwrap_or_else(|| panic!("{} has no row", target.triple));
            assert!(row.contains(&format!("`{}`", target.compiler_package)), "{row}");
            assert!(target.debian.is_none_or(|name| row.contains(&format!("`{name}`"))), "{row}");
        }
    }

    #[test]
    fn missing_compiler_is_named_with_its_package() {
        let host = host().unwrap();
        assert_eq!(Target { compiler: "cc", ..host }.missing().unwrap(), None);
        let without = Target { compiler: "no-such-gcc", compiler_package: "gcc-such", ..host };
        let told = without.missing().unwrap().unwrap();
        assert_eq!(told, "no-such-gcc is missing: apt-get install gcc-such");
    }

    #[test]
    fn missing_standard_library_is_named_with_what_installs_it() {
        // No Linux machine has this target installed, but rustc knows it.
        let absent = Target { triple: "thumbv6m-none-eabi", ..host().unwrap() };
        let told = absent.missing().unwrap().unwrap();
        assert_eq!(told, "the standard library is missing: rustup target add thumbv6m-none-eabi");
    }
}
