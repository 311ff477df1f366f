//! Linters must find no error and no warning in the OpenAPI document.

use anyhow::Result;

use super::{description, settings};
use crate::check::{Skipped, quietly};
use crate::tools::Tools;

/// Runs spectral with its rules for OpenAPI, except those that our settings switch off.
pub(super) fn spectral(tools: &Tools) -> Result<Skipped> {
    let mut spectral = tools.node_program("spectral")?;
    spectral.args(["lint", "--fail-severity", "warn", "--ruleset"]).arg(settings().join("spectral.yaml"));
    spectral.arg(description());
    quietly(spectral)
}

/// Runs redocly with its recommended rules, without telemetry and update checks.
pub(super) fn redocly(tools: &Tools) -> Result<Skipped> {
    let mut redocly = tools.node_program("redocly")?;
    redocly.env("REDOCLY_TELEMETRY", "off").env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
    redocly.args(["lint", "--max-problems", "100", "--config"]).arg(settings().join("redocly.yaml"));
    redocly.arg(description());
    quietly(redocly)
}
