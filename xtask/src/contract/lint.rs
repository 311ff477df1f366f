//! What linters say of the description: nothing, neither error nor warning.

use anyhow::Result;

use super::{description, settings};
use crate::check::{Skipped, quietly};
use crate::tools::Tools;

/// The rules for OpenAPI that spectral comes with, but for those that our file takes back.
pub(super) fn spectral(tools: &Tools) -> Result<Skipped> {
    let mut spectral = tools.node_program("spectral")?;
    spectral.args(["lint", "--fail-severity", "warn", "--ruleset"]).arg(settings().join("spectral.yaml"));
    spectral.arg(description());
    quietly(spectral)
}

/// The rules that redocly recommends. It may neither report home nor look for a newer one.
pub(super) fn redocly(tools: &Tools) -> Result<Skipped> {
    let mut redocly = tools.node_program("redocly")?;
    redocly.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    redocly.args(["lint", "--max-problems", "100", "--config"]).arg(settings().join("redocly.yaml"));
    redocly.arg(description());
    quietly(redocly)
}
