//! What was seen of every rule.

use std::collections::BTreeMap;
use std::fmt::Display;

use crate::answer::Answer;
use crate::cursor::{Findings, shortened};
use crate::report::{Example, Outcome, RuleReport};
use crate::rule::{Origin, RULES, Rule};
use crate::secrets::Secrets;

/// Notes how a rule came out: the rule, the request, whether the rule holds; what is expected; what came.
macro_rules! judge {
    ($examiner:ident, $rule:expr, $request:expr, $holds:expr; $expected:literal; $came:literal) => {
        $examiner.book.expect($rule, $request, $holds, format_args!($expected), format_args!($came))
    };
}
pub(crate) use judge;

#[derive(Debug, Default)]
pub(crate) struct Book {
    reports: BTreeMap<&'static str, RuleReport>,
    notes: Vec<String>,
    secrets: Secrets,
}

impl Book {
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

    /// Notes that the response to this request broke a rule; the first one becomes the example.
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

    /// Notes how a rule came out; returns whether it held.
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

    /// The same where all of the response is shown.
    pub(crate) fn expect_of(
        &mut self,
        rule: &'static Rule,
        answer: &Answer,
        holds: bool,
        expected: impl Display,
    ) -> bool {
        self.expect(rule, &answer.request, holds, expected, answer)
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

    /// Notes why a rule could not be tried; of several reasons the first one stays.
    pub(crate) fn untried(&mut self, rules: &[&'static Rule], why: &str) {
        for rule in rules {
            self.report(rule).why.get_or_insert_with(|| why.to_owned());
        }
    }

    /// Notes what was found out besides; once, however often it is seen.
    pub(crate) fn note(&mut self, text: &str) {
        let text = self.secrets.cleaned(text);
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    pub(crate) fn example(&self, rule: &Rule) -> Option<&Example> {
        self.reports.get(rule.id)?.example.as_ref()
    }

    /// The first broken rule of the contract, and how it was broken, without the forgiven rules.
    pub(crate) fn first_broken_contract(&self, forgiven: &[&Rule]) -> Option<(&'static Rule, Example)> {
        let counts = |rule: &&&Rule| rule.origin == Origin::Contract && !forgiven.contains(rule);
        RULES.iter().filter(counts).find_map(|rule| Some((*rule, self.example(rule)?.clone())))
    }

    /// Every rule, and the notes. `otherwise` is why a rule without another reason could not be tried.
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
