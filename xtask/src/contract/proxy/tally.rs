//! How much was judged: a run with nothing to judge must not pass.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Result, bail, ensure};

use super::left_out::Reason;
use super::operations::Operations;

/// So many exchanges are the least; the suite has half as many again.
const EXCHANGES: usize = 3_000;

/// So many exchanges are the most that a rule may leave out because prism cannot judge them, lest it swallow the suite.
const LEFT_OUT: usize = 100;

/// What was judged, and what was not.
#[derive(Default)]
pub(super) struct Tally {
    judged: usize,
    /// The operations that were seen to do what they were asked.
    done: BTreeSet<String>,
    /// Those that were seen to refuse it.
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

    /// Fails unless every operation was seen to do something and to refuse something, all together were many, and few
    /// were left out.
    pub(super) fn ensure_enough(&self, operations: &Operations) -> Result<()> {
        for (seen, what) in [(&self.done, "do"), (&self.refused, "refuse")] {
            let missing: Vec<&str> = operations.ids().filter(|id| !seen.contains(*id)).collect();
            let message = format!("nothing to judge in which these {what} what they are asked: {missing:?}");
            ensure!(missing.is_empty(), message);
        }
        let judged = self.judged;
        ensure!(judged >= EXCHANGES, "{judged} exchanges to judge are fewer than {EXCHANGES}");
        let over = |(reason, count): &(&Reason, &usize)| !reason.is_free() && **count > LEFT_OUT;
        if let Some((reason, count)) = self.left_out.iter().find(over) {
            bail!("more than {LEFT_OUT} are left out: {count} {}", reason.told());
        }
        Ok(())
    }

    /// How much was judged.
    pub(super) fn told(&self) -> String {
        let operations = self.done.union(&self.refused).count();
        format!("{} exchanges of {operations} operations", self.judged)
    }

    /// A line for each rule that left something out.
    pub(super) fn left_out(&self) -> Vec<String> {
        self.left_out.iter().map(|(reason, count)| format!("{count} {}", reason.told())).collect()
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
    fn a_run_with_little_to_judge_is_none() {
        assert!(full().ensure_enough(&operations()).is_ok());
        assert!(refused(&Tally::default()).ends_with(r#"do what they are asked: ["getA", "putA"]"#));
        let fewer = Tally { judged: EXCHANGES - 1, ..full() };
        assert_eq!(refused(&fewer), "2999 exchanges to judge are fewer than 3000");
        let mut one_sided = full();
        one_sided.refused.remove("getA");
        assert!(refused(&one_sided).ends_with(r#"refuse what they are asked: ["getA"]"#));
        let mut other_sided = full();
        other_sided.done.remove("putA");
        assert!(refused(&other_sided).ends_with(r#"do what they are asked: ["putA"]"#));
    }

    #[test]
    fn a_rule_that_leaves_much_out_is_none() {
        let leaving = |reason, count| {
            let mut tally = full();
            (0..count).for_each(|_| tally.leave_out(reason));
            tally
        };
        assert!(leaving(Reason::GivenTwice, LEFT_OUT).ensure_enough(&operations()).is_ok());
        let swallowed = refused(&leaving(Reason::GivenTwice, LEFT_OUT + 1));
        assert_eq!(swallowed, format!("more than 100 are left out: 101 {}", Reason::GivenTwice.told()));
        for free in [Reason::Repeated, Reason::Nobodys, Reason::NoOperation] {
            assert!(leaving(free, 10 * LEFT_OUT).ensure_enough(&operations()).is_ok());
        }
    }

    #[test]
    fn what_is_left_out_is_counted_by_rule() {
        let mut tally = full();
        for reason in [Reason::Long, Reason::Zstd, Reason::Long] {
            tally.leave_out(reason);
        }
        let expected = [format!("2 {}", Reason::Long.told()), format!("1 {}", Reason::Zstd.told())];
        assert_eq!(tally.left_out(), expected);
        assert_eq!(tally.told(), "3000 exchanges of 2 operations");
    }
}
