//! A temporary demo, against which contract and clients are tested.

use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Result;
use tempfile::TempDir;
use xtask::operate::pointbook::{Pointbook, Server};

use crate::tools::target;

/// The token of the demo's back office.
pub(crate) const SUPER_USER_TOKEN: &str = "demo-admin";

/// The name of the database file.
const DATABASE: &str = "demo.db";

/// The debug binary, which also panics on integer overflow, serving sample data from a temporary folder.
pub(crate) struct Demo {
    server: Server,
    folder: TempDir,
}

impl Demo {
    /// Starts the last build. Returns once it responds.
    pub(crate) fn start() -> Result<Self> {
        let folder = tempfile::tempdir()?;
        let pointbook = Pointbook::of(program()?, &folder.path().join(DATABASE));
        let server = pointbook.serve_as("demo", &[])?;
        server.first_answer()?;
        drop(server);
        // The second start finds the tenants that the first one created.
        let environments = ["acme/production", "acme/staging"];
        environments.into_iter().try_for_each(|tenant| lift_rate_limit(&pointbook, tenant))?;
        let server = pointbook.serve_as("demo", &[])?;
        server.first_answer()?;
        Ok(Self { server, folder })
    }

    /// The file of its database, which other processes may open, too.
    pub(crate) fn database(&self) -> PathBuf {
        self.folder.path().join(DATABASE)
    }

    /// Where it listens.
    pub(crate) fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// Its origin: scheme, host and port.
    pub(crate) fn origin(&self) -> String {
        format!("http://localhost:{}", self.server.address.port())
    }

    /// The base URL of its tenant in production.
    pub(crate) fn base_url(&self) -> String {
        format!("{}/acme/api", self.origin())
    }
}

/// The debug binary.
pub(crate) fn program() -> Result<PathBuf> {
    Ok(target()?.join("debug/pointbook"))
}

/// Raises the tenant's rate limit, because the tools send more requests than a person.
fn lift_rate_limit(pointbook: &Pointbook, tenant: &str) -> Result<()> {
    let limits = ["rate_limit_reads_per_minute=0", "rate_limit_writes_per_minute=0"];
    pointbook.quiet(&[&["tenant", "set", tenant], &limits[..]].concat())?;
    Ok(())
}
