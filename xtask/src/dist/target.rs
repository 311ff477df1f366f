//! The systems that a release is built for, and what this machine needs to build for them.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::{files, printed};
use crate::check::{cargo, quietly};
use crate::tools::target as target_folder;

/// The value of `--target` for the building machine.
pub(super) const HOST: &str = "host";

type Name = &'static str;

/// A system that a release is built for.
#[derive(Clone, Copy)]
pub(super) struct Target {
    /// The target triple of rustc.
    pub(super) triple: Name,
    /// The C compiler for SQLite and ring when the target is another machine.
    compiler: Name,
    /// The Debian package that has the compiler.
    compiler_package: Name,
    /// The architecture of its Debian package, or `None` for no package.
    pub(super) debian: Option<Name>,
}

/// Programs of `musl` are static and run on every Linux. Those of `gnu` need a C library as new as the build machine's, and
/// take less processor time (`docs/releasing.md`).
pub(super) const TARGETS: &[Target] = &[
    target("x86_64-unknown-linux-gnu", "x86_64-linux-gnu-gcc", "gcc-x86-64-linux-gnu", Some("amd64")),
    target("x86_64-unknown-linux-musl", "musl-gcc", "musl-tools", None),
    target("aarch64-unknown-linux-gnu", "aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu", Some("arm64")),
];

const fn target(triple: Name, compiler: Name, compiler_package: Name, debian: Option<Name>) -> Target {
    Target { triple, compiler, compiler_package, debian }
}

/// The release target with this triple.
pub(super) fn find(triple: &str) -> Result<&'static Target> {
    let known = || TARGETS.iter().map(|target| target.triple).collect::<Vec<_>>().join(", ");
    let found = TARGETS.iter().find(|target| target.triple == triple);
    found.with_context(|| format!("unknown target {triple:?}; the targets are {HOST}, {}", known()))
}

/// This machine.
pub(super) fn host() -> Result<&'static Target> {
    find(printed("rustc", &["--print", "host-tuple"])?.trim())
}

impl Target {
    /// The processor, the first part of the triple.
    pub(super) fn architecture(&self) -> &'static str {
        self.triple.split('-').next().unwrap_or(self.triple)
    }

    /// What to install before this machine can build the target. `None` when nothing is missing.
    pub(super) fn missing(&self, host: &Target) -> Result<Option<String>> {
        if self.triple == host.triple {
            return Ok(None);
        }
        let library = printed("rustc", &["--print", "target-libdir", "--target", self.triple])?;
        if !Path::new(library.trim()).exists() {
            return Ok(Some(format!("the standard library is missing: rustup target add {}", self.triple)));
        }
        Ok(files::missing((self.compiler, &format!("apt-get install {}", self.compiler_package))))
    }

    /// Where cargo writes the release program.
    pub(super) fn program(&self, host: &Target) -> Result<PathBuf> {
        // The build of this machine has no `--target`, so that cargo reuses the builds of other tasks.
        let folder = if self.triple == host.triple { "" } else { self.triple };
        Ok(target_folder()?.join(folder).join("release/pointbook"))
    }

    /// Builds the release program.
    pub(super) fn build(&self, host: &Target) -> Result<PathBuf> {
        let mut command =
            cargo(&["build", "--release", "--locked", "--package", "pointbook-server", "--bin", "pointbook"]);
        if self.triple != host.triple {
            let name = self.triple.replace('-', "_");
            command.args(["--target", self.triple]).env(format!("CC_{name}"), self.compiler);
            // For musl, rustc has its own libraries. A `musl-gcc` that adds others produces a program that cannot start.
            if self.triple.ends_with("-gnu") {
                command.env(format!("CARGO_TARGET_{}_LINKER", name.to_uppercase()), self.compiler);
            }
        }
        quietly(command)?;
        self.program(host)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guide_names_every_target_with_the_package_that_it_needs() {
        let guide = include_str!("../../../docs/releasing.md");
        for target in TARGETS {
            let row =
                guide.lines().find(|line| line.starts_with(&format!("| `{}` |", target.triple))).unwrap();
            assert!(row.contains(&format!("`{}`", target.compiler_package)), "{row}");
            assert!(target.debian.is_none_or(|name| row.contains(&format!("`{name}`"))), "{row}");
        }
    }

    #[test]
    fn missing_compiler_or_library_is_named_with_what_installs_it() {
        let here = host().unwrap();
        let told =
            |triple, compiler| target(triple, compiler, "gcc-such", None).missing(&TARGETS[1]).unwrap();
        assert_eq!(told(here.triple, "cc"), None);
        let compiler = told(here.triple, "no-such-gcc").unwrap();
        assert_eq!(compiler, "no-such-gcc is missing: apt-get install gcc-such");
        // No Linux machine has this target installed, but rustc knows it.
        let library = told("thumbv6m-none-eabi", "cc").unwrap();
        assert_eq!(library, "the standard library is missing: rustup target add thumbv6m-none-eabi");
    }
}
