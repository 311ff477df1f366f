//! A demo that is thrown away: what contracts and clients are tried against.

use anyhow::{Result, ensure};
use tempfile::TempDir;

use crate::check::cargo;
use crate::pointbook::{Pointbook, Server};
use crate::tools::target;

/// The token of the demo's back office.
pub(crate) const SUPER_USER_TOKEN: &str = "demo-admin";

/// The debug binary, which also fails where a number overflows, serving sample data from a folder of its own.
pub(crate) struct Demo {
    server: Server,
    _folder: TempDir,
}

impl Demo {
    /// Builds the program.
    pub(crate) fn build() -> Result<()> {
        let status = cargo(&["build", "--quiet", "--locked", "--package", "pointbook-server"]).status()?;
        ensure!(status.success(), "the build failed");
        Ok(())
    }

    /// Starts the program as it was built last; gives it back once it answers.
    pub(crate) fn start() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let database = folder.path().join("demo.db");
        let pointbook = Pointbook::of(target()?.join("debug/pointbook"), &database);
        let server = pointbook.serve_as("demo", &[])?;
        server.first_answer()?;
        Ok(Self { server, _folder: folder })
    }

    /// Its address, without a path.
    pub(crate) fn origin(&self) -> String {
        format!("http://localhost:{}", self.server.address.port())
    }

    /// The base address of its tenant in production.
    pub(crate) fn base_url(&self) -> String {
        format!("{}/acme/api", self.origin())
    }
}
