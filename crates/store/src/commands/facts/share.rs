//! One share of the budget of a campaign while commands change it.

use crate::commands::changes::{BudgetChange, Changes};
use crate::schema::rows::BudgetShare;

/// A share as it was read, and as it is now.
#[derive(Debug)]
pub(super) struct ShareFact {
    before: Option<BudgetShare>,
    pub(super) now: BudgetShare,
}

impl ShareFact {
    pub(super) fn read(stored: BudgetShare) -> Self {
        Self { before: Some(stored.clone()), now: stored }
    }

    pub(super) fn new(share: BudgetShare) -> Self {
        Self { before: None, now: share }
    }

    pub(super) fn add_changes(self, changes: &mut Changes) {
        let Self { before, now: after } = self;
        if before.as_ref() != Some(&after) {
            changes.budgets.push(BudgetChange { before, after });
        }
    }
}
