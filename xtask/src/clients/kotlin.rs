//! The client for Kotlin, built without Maven. The compiler and the JSON library come with the Kotlin kernel for notebooks
//! (a Python package). The HTTP client comes with the reporter Allure (a Node package).

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::{Client, Skipped};
use crate::check::quietly;
use crate::tools::{Tools, emptied, joined};

/// The jar of the kernel with the complete compiler and the serialization plugin.
const COMPILER: &str = "kotlin-jupyter-kernel-";

/// The jars that the client is compiled and run with, by the beginnings of their names.
const LIBRARIES: [&str; 4] = [
    "kotlin-stdlib-",
    "kotlin-reflect-",
    "kotlinx-serialization-core-jvm-",
    "kotlinx-serialization-json-jvm-",
];
const HTTP: [&str; 2] = ["okhttp-jvm-", "okio-jvm-"];

/// Compiles the client together with the program that uses it, and runs it.
pub(super) fn smoke(client: &Client<'_>) -> Result<Skipped> {
    let tools = client.tools;
    let classes = client.folder.join("classes");
    emptied(&classes)?;
    let mut libraries = libraries(tools)?;
    quietly(compile(client, &libraries, &classes)?)?;
    libraries.push(classes);
    let mut run = tools.java(&libraries)?;
    run.arg("SmokeKt").env("BASE_URL", &client.base_url);
    quietly(run)
}

fn compile(client: &Client<'_>, libraries: &[PathBuf], classes: &Path) -> Result<Command> {
    let tools = client.tools;
    let kernel = tools.python_package("run_kotlin_kernel/jars")?;
    let compiler = jar(&kernel, COMPILER)?;
    // The compiler also needs the standard library to run.
    let mut java = tools.java(&[vec![compiler.clone()], libraries.to_vec()].concat())?;
    java.args(["org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-no-stdlib", "-no-reflect", "-nowarn"]);
    // The jar is both a plugin and the compiler, so its scripting classes would be loaded twice.
    java.arg("-Xdisable-default-scripting-plugin").arg(format!("-Xplugin={}", compiler.display()));
    java.arg("-jdk-home").arg(tools.java_home()?).arg("-cp").arg(joined(libraries)).arg("-d").arg(classes);
    java.arg(client.folder.join("src/main/kotlin")).arg(client.source.join("Smoke.kt"));
    Ok(java)
}

fn libraries(tools: &Tools) -> Result<Vec<PathBuf>> {
    let kernel = tools.python_package("run_kotlin_kernel/jars")?;
    let reporter = tools.node_package("allure-commandline/dist/plugins/jira-plugin/lib");
    let of_kernel = LIBRARIES.iter().map(|name| jar(&kernel, name));
    of_kernel.chain(HTTP.iter().map(|name| jar(&reporter, name))).collect()
}

/// The only jar in the folder whose name begins with `name`. The rest of its name is a version, which the package decides.
fn jar(folder: &Path, name: &str) -> Result<PathBuf> {
    let entries = folder.read_dir().with_context(|| format!("cannot read {}", folder.display()))?;
    let mut found = entries.flatten().map(|entry| entry.path()).filter(|path| {
        path.file_name().and_then(|file| file.to_str()).is_some_and(|file| file.starts_with(name))
    });
    found.next().with_context(|| format!("no {name}*.jar in {}", folder.display()))
}
