//! Servers with one fault each, and the rule that finds the fault.

mod answers;
mod categories;
pub(crate) mod edit;
mod filters;
mod history;
mod pages;
mod products;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pointbook_exchange::check::Origin as RuleOrigin;

use crate::checked_server::examined;
use crate::demo::Demo;
use crate::proxy;
use crate::proxy::{Origin, ProxiedRequest, ProxiedResponse, Tampering};

/// A server with one fault.
pub(crate) struct Fault {
    name: &'static str,
    /// The rule that finds it.
    rule: &'static str,
    /// Families of contract rules that the fault may break, too.
    also: &'static [&'static str],
    tampering: Tampering,
}

/// How many examinations run concurrently.
const WORKERS: usize = 4;

const TABLES: [&[Fault]; 16] = [
    products::FAULTS,
    pages::NUMBERS,
    pages::OF_LINKS,
    pages::OF_ITEMS,
    filters::SINGLE,
    filters::TOGETHER,
    filters::ORDERS,
    categories::FAULTS,
    history::WHOLE,
    history::OF_DAYS,
    history::OF_GROUPS,
    history::OF_TRANSACTIONS,
    history::OF_BONUSES,
    answers::OF_AUTH,
    answers::OF_ERRORS,
    answers::OF_HEADERS,
];

/// A fault in responses.
const fn in_response(
    name: &'static str,
    rule: &'static str,
    on_response: fn(&ProxiedRequest, &mut ProxiedResponse, &Origin),
) -> Fault {
    Fault { name, rule, also: &[], tampering: Tampering { on_request: |_| {}, on_response } }
}

/// A fault in requests.
const fn in_request(
    name: &'static str,
    rule: &'static str,
    on_request: fn(&mut ProxiedRequest),
    on_response: fn(&ProxiedRequest, &mut ProxiedResponse, &Origin),
) -> Fault {
    Fault { name, rule, also: &[], tampering: Tampering { on_request, on_response } }
}

impl Fault {
    const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    /// Returns what is wrong with the report on a server with this fault; `None` when it shows exactly this fault.
    fn missed(&self, origin: Arc<Origin>) -> Option<String> {
        let address = proxy::start(origin, self.tampering);
        let report = examined(&proxy::base_url(address), "demo-aiko", Some("demo-ben"));
        let broken: Vec<_> = report.broken().map(|found| found.rule).collect();
        let family = |id: &str| id.split('.').next().unwrap().to_owned();
        let expected: BTreeSet<String> =
            self.also.iter().map(|family| (*family).to_owned()).chain([family(self.rule)]).collect();
        let found = broken.iter().any(|rule| rule.id == self.rule);
        let absurd = broken
            .iter()
            .any(|rule| rule.origin == RuleOrigin::Contract && !expected.contains(&family(rule.id)));
        let ids: Vec<&str> = broken.iter().map(|rule| rule.id).collect();
        let examples: Vec<_> = report.broken().filter_map(|found| found.example.as_ref()).collect();
        (!found || absurd).then(|| format!("{} ({}): {ids:?} {examples:#?}", self.name, self.rule))
    }
}

#[test]
fn every_fault_is_found_by_its_rule() {
    let faults: Vec<&Fault> = TABLES.iter().copied().flatten().collect();
    let names: BTreeSet<_> = faults.iter().map(|fault| fault.name).collect();
    assert!(names.len() == faults.len() && faults.len() >= 60, "{} faults", faults.len());
    let demo = Demo::start(None);
    let (origin, next) = (Origin::new(&demo.authority), AtomicUsize::new(0));
    let missed: Vec<String> = thread::scope(|scope| {
        let work = || {
            let mut missed = Vec::new();
            while let Some(fault) = faults.get(next.fetch_add(1, Ordering::Relaxed)) {
                missed.extend(fault.missed(origin.clone()));
            }
            missed
        };
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    assert!(missed.is_empty(), "{} of {}:\n{}", missed.len(), faults.len(), missed.join("\n"));
}

#[test]
fn server_without_fault_keeps_every_rule_through_the_proxy() {
    let demo = Demo::start(None);
    let tampering = Tampering { on_request: |_| {}, on_response: |_, _, _| {} };
    let address = proxy::start(Origin::new(&demo.authority), tampering);
    let report = examined(&proxy::base_url(address), "demo-aiko", Some("demo-ben"));
    assert_eq!(report.broken().count(), 0, "{report}");
}
