//! Opens the pages at `/docs`, the shop and the console in a browser that can reach only the demo.

use std::fs;
use std::process::Command;

use anyhow::{Result, bail};
use xtask::operate::ci::in_ci;

use super::{Skipped, settings};
use crate::check::quietly;
use crate::demo::{Demo, program};
use crate::tools::{Tools, target};

const BROWSER: &str = "chromium";

/// The command that installs the browser, the only program here that is not a package of `tools/`.
const INSTALL: &str = "apt-get install chromium";

/// Opens the pages at `/docs`, tries an operation with the prefilled token, and fails on errors in the browser's console.
pub(super) fn docs(tools: &Tools, demo: &Demo) -> Result<Skipped> {
    run(tools, demo, "pages.cjs", &[])
}

/// Goes through the shop as a member, and fails on findings of axe-core and on errors in the browser's console. It draws a picture of the
/// shop, which the README shows: copy it to `docs/shop.png` when the shop looks different. The folder `shop` beside it gets a picture of each
/// page in each language: look at them after a change of the layout.
pub(super) fn shop(tools: &Tools, demo: &Demo) -> Result<Skipped> {
    let (picture, views) = (target()?.join("shop.png"), target()?.join("shop"));
    run(tools, demo, "shop.cjs", &[&picture.to_string_lossy(), &views.to_string_lossy()])
}

/// Goes through the console as an operator of each role, and fails on findings of axe-core and on errors in the browser's console. It draws a
/// picture of the overview, which the README shows: copy it to `docs/console.png` when the overview looks different. The folder `console` beside
/// it gets a picture of each page: look at them after a change of the layout.
///
/// `extent` is `whole`, or `once` for one window in one language.
pub(super) fn console(tools: &Tools, demo: &Demo, extent: &str) -> Result<Skipped> {
    let (picture, views) = (target()?.join("console.png"), target()?.join("console"));
    run(tools, demo, "console.cjs", &[&picture.to_string_lossy(), &views.to_string_lossy(), extent])
}

/// Signs in to the console with OpenID Connect. The script starts an issuer, and a server that trusts it, on the data of the demo: the demo
/// reads no configuration. The console of that server has its own address. The folder `openid` gets a picture of each page.
pub(super) fn openid(tools: &Tools, demo: &Demo) -> Result<Skipped> {
    let (program, database, views) = (program()?, demo.database(), target()?.join("openid"));
    fs::create_dir_all(&views)?;
    let words = [&program, &database, &views].map(|path| path.to_string_lossy().into_owned());
    browse(tools, "openid.cjs", &words)
}

fn run(tools: &Tools, demo: &Demo, script: &str, words: &[&str]) -> Result<Skipped> {
    let words: Vec<_> =
        [demo.origin()].into_iter().chain(words.iter().map(|&word| word.to_owned())).collect();
    browse(tools, script, &words)
}

/// Runs a script that opens the browser.
fn browse(tools: &Tools, script: &str, words: &[String]) -> Result<Skipped> {
    if Command::new(BROWSER).arg("--version").output().is_err() {
        return without_browser(in_ci());
    }
    let mut node = tools.node()?;
    node.arg(settings().join(script)).arg(BROWSER).args(words);
    node.env("NODE_PATH", tools.node_package(""));
    quietly(node)
}

/// A missing browser is skipped on a developer's machine and an error in CI.
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
    fn missing_browser_fails_in_ci_only() {
        assert!(without_browser(true).is_err());
        assert_eq!(without_browser(false).unwrap(), [format!("all of it, chromium is missing: {INSTALL}")]);
    }
}
