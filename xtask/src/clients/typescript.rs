//! The client for TypeScript: compiled as strictly as the compiler can, and run by Node.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;

use anyhow::Result;

use super::{Client, Skipped};
use crate::check::quietly;
use crate::tools::emptied;

/// Builds the package, then a program that uses it as an installed package.
pub(super) fn smoke(client: &Client<'_>) -> Result<Skipped> {
    let mut build = compiler(client)?;
    build.args(["--strict", "--project"]).arg(&client.folder);
    quietly(build)?;

    let smoke = client.folder.join("smoke");
    emptied(&smoke.join("node_modules"))?;
    symlink(&client.folder, smoke.join("node_modules/pointbook-client"))?;
    client.copy("smoke.ts", &smoke)?;
    client.copy("tsconfig.json", &smoke)?;
    // Node treats the program as a module only when a file says so.
    fs::write(smoke.join("package.json"), "{\"type\": \"commonjs\"}\n")?;
    let mut compile = compiler(client)?;
    compile.arg("--typeRoots").arg(client.tools.node_package("@types")).arg("--project").arg(&smoke);
    quietly(compile)?;

    let mut run = client.tools.node()?;
    run.arg(smoke.join("smoke.js")).env("BASE_URL", &client.base_url);
    quietly(run)
}

fn compiler(client: &Client<'_>) -> Result<Command> {
    client.tools.node_program("tsc")
}
