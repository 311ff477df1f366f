//! Collects the outcome of every rule.

use std::collections::BTreeMap;
use std::fmt::Display;

use crate::check::cursor::{Findings, shortened};
use crate::check::exchange::Response;
use crate::check::report::{Example, Outcome, RuleReport};
use crate::check::rule::{Origin, RULES, Rule};
use crate::check::secrets::Secrets;

/// Records the outcome of a rule: rule, request, whether the rule holds; what is expected; what came.
macro_rules! judge {
    ($examiner:ident, $rule:expr, $request:expr, $holds:expr; $expected:literal; $came:literal) => {
        $examiner.results.expect($rule, $request, $holds, format_args!($expected), format_args!($came))
    };
}
pub(crate) use judge;

#[derive(Debug, Default)]
pub(crate) struct RuleResults {
    reports: BTreeMap<&'static str, RuleReport>,
    notes: Vec<String>,
    secrets: Secrets,
}

impl RuleResults {
    pub(crate) fn new(secrets: Secrets) -> Self {
        Self { secrets, ..Self::default() }
    }

    pub(crate) fn held(&mut self, rule: &'static Rule) {
        let report = self.report(rule);
        report.tried += 1;
        if report.outcome == Outcome::Untried {
            report.outcome = Outcome::Held;
        }
    }

    /// Records that the response to this request broke a rule. The first such request becomes the example.
    pub(crate) fn broke(
        &mut self,
        rule: &'static Rule,
        request: impl Display,
        expected: impl Display,
        came: impl Display,
    ) {
        let clean = |text: &str| self.secrets.cleaned(text);
        let (request, expected) = (clean(&request.to_string()), clean(&expected.to_string()));
        let example = Example { request, expected, came: clean(&shortened(&came.to_string())) };
        let report = self.report(rule);
        report.tried += 1;
        report.broken += 1;
        report.outcome = Outcome::Broken;
        report.example.get_or_insert(example);
    }

    /// Records the outcome of a rule. Returns whether it holds.
    pub(crate) fn expect(
        &mut self,
        rule: &'static Rule,
        request: impl Display,
        holds: bool,
        expected: impl Display,
        came: impl Display,
    ) -> bool {
        if holds {
            self.held(rule);
        } else {
            self.broke(rule, request, expected, came);
        }
        holds
    }

    /// The same, with the whole response as what came.
    pub(crate) fn expect_of(
        &mut self,
        rule: &'static Rule,
        response: &Response,
        holds: bool,
        expected: impl Display,
    ) -> bool {
        self.expect(rule, &response.request, holds, expected, response)
    }

    pub(crate) fn judge(&mut self, request: &str, findings: &Findings) {
        let flaws = findings.flaws.borrow();
        for rule in findings.rules.borrow().iter().filter(|rule| flaws.iter().all(|flaw| flaw.rule != **rule))
        {
            self.held(rule);
        }
        for flaw in flaws.iter() {
            self.broke(flaw.rule, request, &flaw.expected, &flaw.came);
        }
    }

    /// Records why rules could not be tried. Keeps the first reason of a rule.
    pub(crate) fn untried(&mut self, rules: &[&'static Rule], why: &str) {
        for rule in rules {
            self.report(rule).why.get_or_insert_with(|| why.to_owned());
        }
    }

    /// Adds a note, unless the report has it already.
    pub(crate) fn note(&mut self, text: &str) {
        let text = self.secrets.cleaned(text);
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    pub(crate) fn example(&self, rule: &Rule) -> Option<&Example> {
        self.reports.get(rule.id)?.example.as_ref()
    }

    /// The first broken contract rule that is not in `forgiven`, with its example.
    pub(crate) fn first_broken_contract(&self, forgiven: &[&Rule]) -> Option<(&'static Rule, Example)> {
        let counts = |rule: &&&Rule| rule.origin == Origin::Contract && !forgiven.contains(rule);
        RULES.iter().filter(counts).find_map(|rule| Some((*rule, self.example(rule)?.clone())))
    }

    /// The reports of all rules, and the notes. `otherwise` is the reason for untried rules without another reason.
    pub(crate) fn close(mut self, otherwise: &str) -> (Vec<RuleReport>, Vec<String>) {
        let rules = RULES.iter().map(|rule| {
            let mut report = self.reports.remove(rule.id).unwrap_or_else(|| RuleReport::untried(rule));
            let why = report.why.unwrap_or_else(|| otherwise.to_owned());
            report.why = (report.tried == 0).then_some(why);
            report
        });
        (rules.collect(), self.notes)
    }

    fn report(&mut self, rule: &'static Rule) -> &mut RuleReport {
        self.reports.entry(rule.id).or_insert_with(|| RuleReport::untried(rule))
    }
}
