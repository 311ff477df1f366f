//! What an examination came to, for people and as data.

use std::fmt;

use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};

use crate::rule::{Origin, Rule};

/// How a rule came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// Whenever it was looked at.
    Held,
    /// At least once.
    Broken,
    /// There was nothing to look at.
    Untried,
}

/// One answer that broke a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Example {
    /// Method, path and query of the request, without its token.
    pub request: String,
    /// What the rule asks for.
    pub expected: String,
    pub came: String,
}

/// What was seen of one rule.
#[derive(Debug, Clone)]
pub struct RuleReport {
    pub rule: &'static Rule,
    /// How it came out.
    pub outcome: Outcome,
    /// How often it was looked at.
    pub tried: u64,
    /// How often it was broken.
    pub broken: u64,
    /// The first answer that broke it.
    pub example: Option<Example>,
    /// Why it could not be tried.
    pub why: Option<String>,
}

/// What an examination came to.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The address that was examined.
    pub base_url: String,
    /// How many requests were sent.
    pub requests: u32,
    /// Every rule, in the order of the table.
    pub rules: Vec<RuleReport>,
    /// What was found out besides, and what was left out.
    pub notes: Vec<String>,
}

/// How many rules came out in which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Rules that held.
    pub held: usize,
    /// Rules that were broken.
    pub broken: usize,
    /// Rules that could not be tried.
    pub untried: usize,
}

impl Report {
    /// How the rules of one origin came out.
    pub fn counts(&self, origin: Origin) -> Counts {
        let mut counts = Counts::default();
        for report in self.rules.iter().filter(|report| report.rule.origin == origin) {
            *match report.outcome {
                Outcome::Held => &mut counts.held,
                Outcome::Broken => &mut counts.broken,
                Outcome::Untried => &mut counts.untried,
            } += 1;
        }
        counts
    }

    /// The rules that were broken.
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
        for report in &self.rules {
            write!(f, "{report}")?;
        }
        for note in &self.notes {
            writeln!(f, "note: {note}")?;
        }
        let (contract, readings) = (self.counts(Origin::Contract), self.counts(Origin::Reading));
        let Self { base_url, requests, .. } = self;
        writeln!(f, "{base_url}, {requests} requests: contract {contract}; readings {readings}")
    }
}

impl fmt::Display for RuleReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, outcome, tried, broken, example, why } = self;
        let word = match outcome {
            Outcome::Held => "held     ",
            Outcome::Broken => "BROKEN   ",
            Outcome::Untried => "not tried",
        };
        let Rule { id, origin, says } = rule;
        let origin = if *origin == Origin::Reading { " (reading)" } else { "" };
        let why = why.as_ref().map(|why| format!(": {why}")).unwrap_or_default();
        writeln!(f, "{word} {id:<22} {says}{origin}{why}")?;
        let Some(Example { request, expected, came }) = example else { return Ok(()) };
        writeln!(f, "          {request}")?;
        writeln!(f, "          expected: {expected}")?;
        writeln!(f, "          came:     {came}")?;
        writeln!(f, "          {broken} of {tried} times")
    }
}

impl Serialize for RuleReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { rule, outcome, tried, broken, example, why } = self;
        let Rule { id, origin, says } = rule;
        let mut fields = serializer.serialize_struct("RuleReport", 8)?;
        fields.serialize_field("id", id)?;
        fields.serialize_field("origin", origin)?;
        fields.serialize_field("says", says)?;
        fields.serialize_field("outcome", outcome)?;
        fields.serialize_field("tried", tried)?;
        fields.serialize_field("broken", broken)?;
        fields.serialize_field("example", example)?;
        fields.serialize_field("why", why)?;
        fields.end()
    }
}
