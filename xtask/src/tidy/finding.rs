//! One violation of a rule.

use std::fmt;

/// A line that violates a rule. Printed as `path:line: rule: problem: advice`, which editors can jump to.
#[derive(Debug)]
pub(crate) struct Finding {
    path: String,
    line: usize,
    rule: &'static str,
    message: String,
}

impl Finding {
    /// `path` is relative to the repository, `line` counts from 1.
    pub(crate) fn new(path: &str, line: usize, rule: &'static str, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, rule, message: message.into() }
    }

    /// The file, relative to the repository.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, line, rule, message } = self;
        write!(formatter, "{path}:{line}: {rule}: {message}")
    }
}

/// The findings as printed, for tests.
#[cfg(test)]
pub(crate) fn printed(findings: &[Finding]) -> Vec<String> {
    findings.iter().map(ToString::to_string).collect()
}
