//! Counts the judged exchanges: a run with too few must not pass.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail, ensure};

use super::left_out::Reason;
use super::operations::Operations;

/// The least number of judged exchanges. The suite has half as many again.
const EXCHANGES: usize = 3_000;

/// How many exchanges a rule may leave out because prism cannot judge them.
const LEFT_OUT: usize = 100;

/// The numbers of judged and of left-out exchanges.
#[derive(Default)]
pub(super) struct Tally {
    judged: usize,
    /// The operations with a successful exchange.
    done: BTreeSet<String>,
    /// The operations with a refused exchange.
    refused: BTreeSet<String>,
    left_out: BTreeMap<Reason, usize>,
}

impl Tally {
    pub(super) fn leave_out(&mut self, reason: Reason) {
        *self.left_out.entry(reason).or_default() += 1;
    }

    pub(super) fn judge(&mut self, operation: &str, status: u16) {
        self.judged += 1;
        let seen = if status < 400 { &mut self.done } else { &mut self.refused };
        seen.insert(operation.to_owned());
    }

    /// Fails unless every operation has a successful and a refused exchange, enough were judged, and each rule left out few.
    pub(super) fn ensure_enough(&self, operations: &Operations) -> Result<()> {
        for (found, kind) in [(&self.done, "successful"), (&self.refused, "refused")] {
            let missing: Vec<&str> = operations.ids().filter(|id| !found.contains(*id)).collect();
            let message = format!("no {kind} exchange to judge for these operations: {missing:?}");
            ensure!(missing.is_empty(), message);
        }
        let judged = self.judged;
        ensure!(judged >= EXCHANGES, "only {judged} exchanges to judge, at least {EXCHANGES} are required");
        let over = |(reason, count): &(&Reason, &usize)| !reason.is_free() && **count > LEFT_OUT;
        if let Some((reason, count)) = self.left_out.iter().find(over) {
            bail!("a rule may leave out at most {LEFT_OUT} exchanges: {count} {}", reason.text());
        }
        Ok(())
    }

    /// The number of judged exchanges and operations.
    pub(super) fn summary(&self) -> String {
        let operations = self.done.union(&self.refused).count();
        format!("{} exchanges of {operations} operations", self.judged)
    }

    /// A line for each rule that left something out.
    pub(super) fn left_out(&self) -> Vec<String> {
        self.left_out.iter().map(|(reason, count)| format!("{count} {}", reason.text())).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn operations() -> Operations {
        let item = json!({"get": {"operationId": "getA"}, "put": {"operationId": "putA"}});
        Operations::of(&json!({"paths": {"/a": item}})).unwrap()
    }

    fn full() -> Tally {
        let mut tally = Tally::default();
        for _ in 0..EXCHANGES / 4 {
            for operation in ["getA", "putA"] {
                tally.judge(operation, 200);
                tally.judge(operation, 404);
            }
        }
        tally
    }

    fn refused(tally: &Tally) -> String {
        tally.ensure_enough(&operations()).unwrap_err().to_string()
    }

    #[test]
    fn run_with_too_few_exchanges_fails() {
        assert!(full().ensure_enough(&operations()).is_ok());
        assert!(refused(&Tally::default()).starts_with("no successful exchange"));
        assert!(refused(&Tally::default()).ends_with(r#"for these operations: ["getA", "putA"]"#));
        let fewer = Tally { judged: EXCHANGES - 1, ..full() };
        assert_eq!(refused(&fewer), "only 2999 exchanges to judge, at least 3000 are required");
        let mut one_sided = full();
        one_sided.refused.remove("getA");
        assert_eq!(refused(&one_sided), r#"no refused exchange to judge for these operations: ["getA"]"#);
        let mut other_sided = full();
        other_sided.done.remove("putA");
        assert_eq!(
            refused(&other_sided),
            r#"no successful exchange to judge for these operations: ["putA"]"#
        );
    }

    #[test]
    fn rule_that_leaves_out_too_many_fails() {
        let leaving = |reason, count| {
            let mut tally = full();
            (0..count).for_each(|_| tally.leave_out(reason));
            tally
        };
        assert!(leaving(Reason::GivenTwice, LEFT_OUT).ensure_enough(&operations()).is_ok());
        let swallowed = refused(&leaving(Reason::GivenTwice, LEFT_OUT + 1));
        let expected =
            format!("a rule may leave out at most 100 exchanges: 101 {}", Reason::GivenTwice.text());
        assert_eq!(swallowed, expected);
        for free in [Reason::Repeated, Reason::NoTenant, Reason::NoOperation] {
            assert!(leaving(free, 10 * LEFT_OUT).ensure_enough(&operations()).is_ok());
        }
    }

    #[test]
    fn left_out_exchanges_are_counted_by_rule() {
        let mut tally = full();
        for reason in [Reason::Long, Reason::Zstd, Reason::Long] {
            tally.leave_out(reason);
        }
        let expected = [format!("2 {}", Reason::Long.text()), format!("1 {}", Reason::Zstd.text())];
        assert_eq!(tally.left_out(), expected);
        assert_eq!(tally.summary(), "3000 exchanges of 2 operations");
    }
}
