//! What was seen of every rule.

use std::collections::BTreeMap;

use crate::cursor::{Flaws, shortened};
use crate::report::{Example, Outcome, RuleReport};
use crate::rule::{Origin, RULES, Rule};
use crate::secrets::Secrets;

/// How often each rule was looked at, and how often it was broken.
#[derive(Debug, Default)]
pub(crate) struct Book {
    entries: BTreeMap<&'static str, Entry>,
    notes: Vec<String>,
    secrets: Secrets,
}

#[derive(Debug, Default)]
struct Entry {
    tried: u64,
    broken: u64,
    /// The first time it was broken.
    example: Option<Example>,
    /// Why it could not be tried.
    why: Option<String>,
}

impl Book {
    /// An empty book, which shows nothing of these.
    pub(crate) fn new(secrets: Secrets) -> Self {
        Self { secrets, ..Self::default() }
    }

    fn entry(&mut self, rule: &'static Rule) -> &mut Entry {
        self.entries.entry(rule.id).or_default()
    }

    /// Notes that a rule held.
    pub(crate) fn held(&mut self, rule: &'static Rule) {
        self.entry(rule).tried += 1;
    }

    /// Notes that a rule was broken by the answer to this request.
    pub(crate) fn broke(&mut self, rule: &'static Rule, request: &str, expected: &str, came: &str) {
        let Self { entries, secrets, .. } = self;
        let entry = entries.entry(rule.id).or_default();
        entry.tried += 1;
        entry.broken += 1;
        entry.example.get_or_insert_with(|| Example {
            request: secrets.cleaned(request),
            expected: secrets.cleaned(expected),
            came: secrets.cleaned(&shortened(came)),
        });
    }

    /// Notes how a rule came out; gives whether it held.
    pub(crate) fn expect(
        &mut self,
        rule: &'static Rule,
        request: &str,
        holds: bool,
        words: impl FnOnce() -> (String, String),
    ) -> bool {
        if holds {
            self.held(rule);
        } else {
            let (expected, came) = words();
            self.broke(rule, request, &expected, &came);
        }
        holds
    }

    /// Notes what a reader found: these rules were looked at, and the flaws are theirs.
    pub(crate) fn judge(&mut self, request: &str, rules: &[&'static Rule], flaws: Flaws) {
        for rule in rules.iter().filter(|rule| flaws.iter().all(|flaw| flaw.rule != **rule)) {
            self.held(rule);
        }
        for flaw in flaws {
            self.broke(flaw.rule, request, &flaw.expected, &flaw.came);
        }
    }

    /// Notes why a rule could not be tried; of several reasons the first one stays.
    pub(crate) fn untried(&mut self, rules: &[&'static Rule], why: &str) {
        for rule in rules {
            self.entry(rule).why.get_or_insert_with(|| why.to_owned());
        }
    }

    /// Notes what was found out besides; once, however often it is seen.
    pub(crate) fn note(&mut self, text: &str) {
        let text = self.secrets.cleaned(text);
        if !self.notes.contains(&text) {
            self.notes.push(text);
        }
    }

    /// How a rule was broken first, where it was.
    pub(crate) fn example(&self, rule: &Rule) -> Option<&Example> {
        self.entries.get(rule.id)?.example.as_ref()
    }

    /// The first rule of the document that was broken, and how, but for the forgiven ones.
    pub(crate) fn first_broken_contract(&self, forgiven: &[&Rule]) -> Option<(&'static Rule, Example)> {
        let counts = |rule: &Rule| rule.origin == Origin::Contract && !forgiven.contains(&rule);
        let rules = RULES.iter().filter(|rule| counts(rule));
        rules.copied().find_map(|rule| Some((rule, self.example(rule)?.clone())))
    }

    /// What all came to; a rule that nobody looked at could not be tried, for this reason.
    pub(crate) fn close(mut self, otherwise: &str) -> (Vec<RuleReport>, Vec<String>) {
        let rules = RULES.iter().map(|rule| {
            let Entry { tried, broken, example, why } = self.entries.remove(rule.id).unwrap_or_default();
            let outcome = match (tried, broken) {
                (0, _) => Outcome::Untried,
                (_, 0) => Outcome::Held,
                (_, _) => Outcome::Broken,
            };
            let why = (tried == 0).then(|| why.unwrap_or_else(|| otherwise.to_owned()));
            RuleReport { rule, outcome, tried, broken, example, why }
        });
        (rules.collect(), self.notes)
    }
}
