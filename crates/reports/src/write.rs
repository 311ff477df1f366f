//! Writes figures.

use pointbook_domain::Timestamp;
use pointbook_store::commands::{Command, CommandError, Facts, Needs, RowChange};
use pointbook_store::schema::rows::FiguresState;

use crate::step::FIGURES_JOB;

/// Moves the state and changes figures in the same commit, so that each event counts once.
pub(crate) struct WriteFigures {
    /// The new state, which is one write after the state that the changes were counted from.
    pub(crate) state: FiguresState,
    /// The changes of other tables, one for each row.
    pub(crate) changes: Vec<RowChange>,
    /// The real time at which the job is due, when more work may follow.
    pub(crate) due_at: Option<Timestamp>,
}

impl Command for WriteFigures {
    /// Whether it wrote. Otherwise another process was faster.
    type Outcome = bool;

    const NAME: &'static str = "write_figures";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<FiguresState>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<bool, CommandError> {
        let stored = facts.table::<FiguresState>()?.pop().map_or(0, |state| state.writes);
        if stored + 1 != self.state.writes {
            return Ok(false);
        }
        facts.put(self.state.clone())?;
        facts.change_rows(self.changes.iter().cloned());
        if let Some(due_at) = self.due_at {
            facts.make_due(FIGURES_JOB, due_at);
        }
        Ok(true)
    }
}
