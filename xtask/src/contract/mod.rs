//! `cargo xtask contract`: third-party tools check `openapi.json`, and a server against it.
//!
//! The tools are those of `tools/`. The first run installs them below the target folder, which needs a network.
//! The server is the demo, on a temporary database.

mod examiner;
mod lint;
mod pages;
mod proxy;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use pointbook_operate::ci::in_ci;
use pointbook_operate::root;

use crate::check::{Skipped, build_binary, step};
use crate::demo::Demo;
use crate::tools::{INSTALL, Tools};

/// Runs every step.
///
/// # Errors
/// Names the first step that fails. Later steps do not run.
pub(crate) fn command(words: &[String]) -> Result<()> {
    if let Some(word) = words.first() {
        bail!("unknown option {word:?}; this command takes no options");
    }
    let started = Instant::now();
    let Some(tools) = installed()? else {
        return Ok(());
    };
    step("spectral", || lint::spectral(&tools))?;
    step("redocly", || lint::redocly(&tools))?;
    step("build", build_binary)?;
    let demo = Demo::start()?;
    step("pages", || pages::docs(&tools, &demo))?;
    step("shop", || pages::shop(&tools, &demo))?;
    step("console", || pages::console(&tools, &demo))?;
    step("openid", || pages::openid(&tools, &demo))?;
    let mut summary = String::new();
    step("prism", || {
        let judged = proxy::run(&tools)?;
        summary = judged.summary;
        Ok(judged.left_out)
    })?;
    println!("{:<12} judged: {summary}", "");
    step("schemathesis", || examiner::run(&tools, &demo))?;
    println!("contract: all steps passed after {:.0} s", started.elapsed().as_secs_f32());
    Ok(())
}

/// Installs the tools. When that fails, a developer's machine skips the checks and CI fails.
pub(crate) fn installed() -> Result<Option<Tools>> {
    let mut tools = None;
    step("tools", || match Tools::install() {
        Ok(installed) => {
            tools = Some(installed);
            Ok(Skipped::new())
        }
        Err(error) => without_tools(&error, in_ci()),
    })?;
    Ok(tools)
}

fn without_tools(error: &anyhow::Error, in_ci: bool) -> Result<Skipped> {
    if in_ci {
        bail!("the tools cannot be installed: {error:#}; {INSTALL}");
    }
    Ok(vec![format!("all of it, the tools cannot be installed: {INSTALL}")])
}

/// The path of the OpenAPI document.
pub(crate) fn description() -> PathBuf {
    root::repository().join("openapi.json")
}

/// The folder with the settings of the tools.
fn settings() -> PathBuf {
    root::repository().join("tools/contract")
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn missing_tools_fail_in_ci_only() {
        let error = without_tools(&anyhow!("no network"), true).unwrap_err();
        assert!(error.to_string().contains("no network"), "{error}");
        let skipped = without_tools(&anyhow!("no network"), false).unwrap();
        assert_eq!(skipped, [format!("all of it, the tools cannot be installed: {INSTALL}")]);
    }
}
