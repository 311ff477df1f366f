//! The report of an examination, as text and as JSON.

use std::fmt;

use serde::Serialize;

use crate::check::rule::{Origin, Rule};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Every response followed the rule.
    Held,
    /// At least one response broke the rule.
    Broken,
    /// No response could show whether the rule holds.
    Untried,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Example {
    /// Method, path and query, without the token.
    pub request: String,
    pub expected: String,
    pub came: String,
}

#[derive(Debug, Clone, Serialize)]
pub struct RuleReport {
    #[serde(flatten)]
    pub rule: &'static Rule,
    pub outcome: Outcome,
    pub tried: u64,
    pub broken: u64,
    pub example: Option<Example>,
    /// Why the rule could not be tried.
    pub why: Option<String>,
}

#[derive(Debug, Clone, Serialize)]
pub struct Report {
    pub base_url: String,
    pub requests: u32,
    pub rules: Vec<RuleReport>,
    /// Other observations, and limits of this examination.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    pub held: usize,
    pub broken: usize,
    pub untried: usize,
}

impl RuleReport {
    pub(crate) fn untried(rule: &'static Rule) -> Self {
        Self { rule, outcome: Outcome::Untried, tried: 0, broken: 0, example: None, why: None }
    }
}

impl Report {
    pub fn counts(&self, origin: Origin) -> Counts {
        let count = |outcome| {
            self.rules.iter().filter(|found| found.rule.origin == origin && found.outcome == outcome).count()
        };
        Counts {
            held: count(Outcome::Held),
            broken: count(Outcome::Broken),
            untried: count(Outcome::Untried),
        }
    }

    pub fn broken(&self) -> impl Iterator<Item = &RuleReport> {
        self.rules.iter().filter(|report| report.outcome == Outcome::Broken)
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { held, broken, untried } = self;
        write!(f, "{held} held, {broken} broken, {untried} not tried")
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.rules.iter().try_for_each(|report| report.fmt(f))?;
        self.notes.iter().try_for_each(|note| writeln!(f, "note: {note}"))?;
        let (contract, readings) = (self.counts(Origin::Contract), self.counts(Origin::Reading));
        let Self { base_url, requests, .. } = self;
        writeln!(f, "{base_url}, {requests} requests: contract {contract}; readings {readings}")
    }
}

impl fmt::Display for RuleReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule: Rule { id, origin, says }, outcome, tried, broken, example, why } = self;
        let word = match outcome {
            Outcome::Held => "held     ",
            Outcome::Broken => "BROKEN   ",
            Outcome::Untried => "not tried",
        };
        let origin = if *origin == Origin::Reading { " (reading)" } else { "" };
        let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        writeln!(f, "{word} {id:<22} {says}{origin}{why}")?;
        let Some(Example { request, expected, came }) = example else { return Ok(()) };
        writeln!(f, "          {request}")?;
        writeln!(f, "          expected: {expected}")?;
        writeln!(f, "          actual:   {came}")?;
        writeln!(f, "          {broken} of {tried} times")
    }
}
