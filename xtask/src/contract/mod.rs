//! Steps of `cargo xtask check` in which third-party tools judge `openapi.json`, a server against it, and the pages.
//!
//! The tools are those of `tools/`. The first run installs them below the target folder, which needs a network.
//! The server is the demo, on a temporary database.

mod browser;
mod examiner;
mod expectations;

use std::path::PathBuf;

use anyhow::{Result, bail};
use xtask::operate::ci::in_ci;
use xtask::operate::root;

use crate::check::{Skipped, build_binary, quietly, step};
use crate::demo::Demo;
use crate::tools::{INSTALL, Tools};

/// Linter: no error and no warning by the rules for OpenAPI, except those that our settings switch off.
pub(crate) fn spectral() -> Result<Skipped> {
    with(Tools::node_alone(), |tools| {
        let mut spectral = tools.node_program("spectral")?;
        spectral.args(["lint", "--fail-severity", "warn", "--ruleset"]).arg(settings().join("spectral.yaml"));
        spectral.arg(description());
        quietly(spectral)
    })
}

/// Opens the page at `/docs` in a browser and tries an operation with the prefilled token.
pub(crate) fn pages() -> Result<Skipped> {
    with(Tools::node_alone(), |tools| browser::docs(tools, &Demo::start()?))
}

/// Goes through the shop in a browser.
pub(crate) fn shop() -> Result<Skipped> {
    with(Tools::node_alone(), |tools| browser::shop(tools, &Demo::start()?))
}

/// Does in the console what operators do, in one window, and looks at each page of an owner once.
pub(crate) fn console() -> Result<Skipped> {
    with(Tools::node_alone(), |tools| browser::console(tools, &Demo::start()?, "once"))
}

/// The console in all windows, languages and roles, and without script.
pub(crate) fn whole_console() -> Result<Skipped> {
    with(Tools::node_alone(), |tools| browser::console(tools, &Demo::start()?, "whole"))
}

/// Signs in to the console with OpenID Connect in a browser.
pub(crate) fn openid() -> Result<Skipped> {
    with(Tools::node_alone(), |tools| browser::openid(tools, &Demo::start()?))
}

/// Sends thousands of generated requests to the demo.
pub(crate) fn schemathesis() -> Result<Skipped> {
    with(Tools::install(), |tools| examiner::run(tools, &Demo::start()?))
}

/// Runs a step with the tools and a current debug binary. Without the tools, a developer's machine skips it and CI fails.
fn with(tools: Result<Tools>, run: impl FnOnce(&Tools) -> Result<Skipped>) -> Result<Skipped> {
    match tools {
        Ok(tools) => {
            build_binary()?;
            run(&tools)
        }
        Err(error) => without_tools(&error, in_ci()),
    }
}

/// Installs all tools for another task, which prints this as a step.
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
