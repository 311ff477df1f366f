//! The pages at `/docs`, in a browser that reaches nothing but the demo.

use std::process::Command;

use anyhow::{Result, bail};
use pointbook_operate::ci::in_ci;

use super::{Skipped, settings};
use crate::check::quietly;
use crate::demo::Demo;
use crate::tools::Tools;

const BROWSER: &str = "chromium";

/// How to have the browser: the one program here that no package of `tools/` brings.
const INSTALL: &str = "apt-get install chromium";

/// Opens the pages, tries an operation with the token that is filled in, and listens to what the browser says.
pub(super) fn run(tools: &Tools, demo: &Demo) -> Result<Skipped> {
    if Command::new(BROWSER).arg("--version").output().is_err() {
        return without_browser(in_ci());
    }
    let mut node = tools.node()?;
    node.arg(settings().join("pages.cjs")).args([BROWSER, &demo.origin()]);
    node.env("NODE_PATH", tools.node_package(""));
    quietly(node)
}

/// A developer may go on without it; the machine that guards the branch may not.
fn without_browser(in_ci: bool) -> Result<Skipped> {
    if in_ci {
        bail!("{BROWSER} is missing: {INSTALL}");
    }
    Ok(vec![format!("all of it, {BROWSER} is missing: {INSTALL}")])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_browser_fails_in_ci_only() {
        assert!(without_browser(true).is_err());
        assert_eq!(without_browser(false).unwrap(), [format!("all of it, chromium is missing: {INSTALL}")]);
    }
}
