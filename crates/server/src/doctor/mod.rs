//! Examines an installation, and changes nothing: what is right, what is risky, what is wrong, and what to do.

mod database;
mod machine;
mod network;

pub(crate) use database::examine_database;
pub(crate) use machine::examine_machine;
pub(crate) use network::{examine_base_urls, examine_listeners};

use serde_json::{Value, json};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Fine,
    /// It works, but is risky.
    Warning,
    /// Something cannot work.
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

/// What one look found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// What was examined: `database`, `disk`.
    check: &'static str,
    pub(crate) state: State,
    /// What was found, with the value.
    message: String,
    /// What to do; empty where nothing is to be done.
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

    /// A line, and one with the advice.
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
