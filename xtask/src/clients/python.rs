//! The client for Python, of which every file is compiled.

use anyhow::Result;

use super::{Client, Skipped};
use crate::check::quietly;

/// Compiles the package and runs the program that uses it.
pub(super) fn smoke(client: &Client<'_>) -> Result<Skipped> {
    let mut compile = client.tools.python("python");
    compile.args(["-m", "compileall", "-q"]).arg(client.folder.join("pointbook_client"));
    quietly(compile)?;
    let mut run = client.tools.python("python");
    // Warnings are errors, those of a wrong use of a model among them.
    run.args(["-W", "error"]).arg(client.source.join("smoke.py"));
    run.env("PYTHONPATH", &client.folder).env("BASE_URL", &client.base_url);
    quietly(run)
}
