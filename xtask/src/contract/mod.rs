//! `cargo xtask contract`: what tools of others say of `openapi.json`, and of a server that claims to be like it.
//!
//! The tools are those of `tools/`; they are installed below the target folder first, which needs a network once.
//! The server is the demo, on a database that is thrown away.

mod examiner;
mod lint;
mod pages;
mod proxy;

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Result, bail};
use pointbook_operate::ci::in_ci;
use pointbook_operate::root;

use crate::check::{Skipped, step};
use crate::demo::Demo;
use crate::tools::{INSTALL, Tools};

/// Runs every step.
///
/// # Errors
/// Names the first step that fails; the ones after it are not run.
pub(crate) fn command(words: &[String]) -> Result<()> {
    if let Some(word) = words.first() {
        bail!("unknown option {word:?}; there are none");
    }
    let started = Instant::now();
    let Some(tools) = installed()? else {
        return Ok(());
    };
    step("spectral", || lint::spectral(&tools))?;
    step("redocly", || lint::redocly(&tools))?;
    step("build", || Demo::build().map(|()| Skipped::new()))?;
    let demo = Demo::start()?;
    step("pages", || pages::run(&tools, &demo))?;
    let mut told = String::new();
    step("prism", || {
        let judged = proxy::run(&tools)?;
        told = judged.told;
        Ok(judged.left_out)
    })?;
    println!("{:<12} judged: {told}", "");
    step("schemathesis", || examiner::run(&tools, &demo))?;
    println!("contract: all is well after {:.0} s", started.elapsed().as_secs_f32());
    Ok(())
}

/// Installs the tools. A developer may go on without them; the machine that guards the branch may not.
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

/// The description that is judged.
pub(crate) fn description() -> PathBuf {
    root::repository().join("openapi.json")
}

/// The folder with what the tools are told.
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
