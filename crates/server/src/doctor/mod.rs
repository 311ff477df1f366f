//! Examines an installation without changing it, and gives advice for each problem.

mod database;
mod key_file;
mod machine;
mod network;
mod openid;

pub(crate) use database::examine_database;
pub(crate) use key_file::examine_key_file;
pub(crate) use machine::examine_machine;
pub(crate) use network::{examine_base_urls, examine_console, examine_listeners};
pub(crate) use openid::examine_openid;

use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Fine,
    /// The installation works, but has a risk.
    Warning,
    /// Something does not work.
    Problem,
}

impl State {
    fn as_str(self) -> &'static str {
        match self {
            Self::Fine => "ok",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The name of the check, such as `database` or `disk`.
    check: &'static str,
    pub(crate) state: State,
    /// The result, with its value.
    message: String,
    /// How to fix it; empty when the result is fine.
    advice: String,
}

impl Finding {
    pub(crate) fn fine(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, state: State::Fine, message: message.into(), advice: String::new() }
    }

    pub(crate) fn warning(
        check: &'static str,
        message: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self { check, state: State::Warning, message: message.into(), advice: advice.into() }
    }

    pub(crate) fn problem(
        check: &'static str,
        message: impl Into<String>,
        advice: impl Into<String>,
    ) -> Self {
        Self { check, state: State::Problem, message: message.into(), advice: advice.into() }
    }

    /// One line, and a second line when there is advice.
    pub(crate) fn to_text(&self) -> String {
        let Self { check, state, message, advice } = self;
        let line = format!("{:<8} {check:<14} {message}\n", state.as_str());
        if advice.is_empty() { line } else { format!("{line}{:24}-> {advice}\n", "") }
    }

    pub(crate) fn to_json(&self) -> Value {
        let Self { check, state, message, advice } = self;
        json!({ "check": check, "state": state.as_str(), "message": message, "advice": advice })
    }
}
