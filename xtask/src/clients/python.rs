//! The client for Python. The smoke test compiles each of its files.

use anyhow::Result;

use super::{Client, Skipped};
use crate::check::quietly;

/// Compiles the package and runs the program that uses it.
pub(super) fn smoke(client: &Client<'_>) -> Result<Skipped> {
    let mut compile = client.tools.python("python");
    compile.args(["-m", "compileall", "-q"]).arg(client.folder.join("pointbook_client"));
    quietly(compile)?;
    let mut run = client.tools.python("python");
    // Warnings are errors, including those about a wrong use of a model.
    run.args(["-W", "error"]).arg(client.source.join("smoke.py"));
    run.env("PYTHONPATH", &client.folder).env("BASE_URL", &client.base_url);
    quietly(run)
}
