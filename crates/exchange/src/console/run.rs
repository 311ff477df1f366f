//! Imports a file in the background.

use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use pointbook_store::limits::MAX_TOLD_PROBLEMS;
use pointbook_store::{Clock, Context};

use crate::console::import_jobs::{ImportEnding, ImportJob, RefusedRow, RunningImport};
use crate::console::reasons::reasons_of;
use crate::console::refused_rows::RefusedRows;
use crate::import;
use crate::import::{
    Effect, Ending, Format, ImportError, Importer, Input, Options, Reached, RejectedRow, Summary, Target,
    Watch,
};

/// How many refused rows the page of an import shows.
const SHOWN_ROWS: usize = 50;

/// How many unknown categories the page names.
const NAMED_CATEGORIES: usize = 20;

/// How many problems of a row the page shows. The file has all of them.
const SHOWN_PROBLEMS: usize = 5;

/// Imports the file as the operator of the context.
pub(crate) async fn run(running: RunningImport, context: Context, clock: Arc<dyn Clock>, file: Bytes) {
    let job = &running.0;
    let Context { tenant, actor, ids, origin, .. } = &context;
    let by = Importer { actor: actor.clone(), origin: origin.clone() };
    let target = Target { tenant, clock: &clock, ids, by: &by };
    let follower = Follower { job: job.clone(), rows: RefusedRows::default() };
    let options = Options {
        effect: Effect::of_dry_run(job.new.is_dry),
        watch: Some(Box::new(follower)),
        ..Options::default()
    };
    let input = Input::reader(Cursor::new(file.clone()), Format::of_path(Path::new(&job.new.file_name)));
    let ending = match import::run(target, job.new.kind, input, options).await {
        Ok(summary) => ending(job, &summary),
        Err(error) => refusal(&error),
    };
    let mut state = job.state();
    if job.new.is_dry && ending == ImportEnding::Complete {
        state.tried_file = Some(file);
    }
    state.end(ending);
}

fn ending(job: &ImportJob, summary: &Summary) -> ImportEnding {
    note(job, summary);
    match &summary.ending {
        Ending::Complete => return ImportEnding::Complete,
        Ending::StoreFailed(error) => {
            let error: &dyn std::error::Error = error;
            tracing::error!(error, "an import of the console broke off");
        }
        Ending::InputBroke(error) => {
            let error: &dyn std::error::Error = error;
            tracing::error!(error, "an import of the console broke off");
        }
        Ending::Interrupted => {}
    }
    ImportEnding::BrokenOff
}

/// What is known only at the end. A tree of categories is one commit, so nothing followed it before.
fn note(job: &ImportJob, summary: &Summary) {
    let mut state = job.state();
    state.cleared_columns = summary.cleared_columns().to_vec();
    state.activating_column = summary.activating_column();
    let unknown = &summary.unknown_categories;
    state.in_unknown_categories = unknown.products;
    state.unknown_categories = unknown.first(NAMED_CATEGORIES).map(ToString::to_string).collect();
    state.unknown_category_count = u64::try_from(unknown.count()).unwrap_or(u64::MAX);
    if let Some(new) = &summary.new_users {
        state.new_members = u64::try_from(new.count()).unwrap_or(u64::MAX);
        state.first_new_members = new.first().iter().map(ToString::to_string).collect();
    }
    (state.created, state.replaced) = (summary.created, summary.replaced);
    (state.unchanged, state.removed) = (summary.unchanged, summary.removed);
}

fn refusal(error: &ImportError) -> ImportEnding {
    match error {
        ImportError::Input(rule) => {
            ImportEnding::Refused(reasons_of(&rule.clone().into(), MAX_TOLD_PROBLEMS))
        }
        ImportError::Header(problems) => ImportEnding::HeaderRefused(reasons_of(problems, MAX_TOLD_PROBLEMS)),
        ImportError::Content(problems) => ImportEnding::Refused(reasons_of(problems, MAX_TOLD_PROBLEMS)),
        // The section sets no options that need a file name or fit one kind only.
        ImportError::Usage(_)
        | ImportError::Unreadable(_)
        | ImportError::Rejects { .. }
        | ImportError::Store(_) => {
            let error: &dyn std::error::Error = error;
            tracing::error!(error, "an import of the console could not begin");
            ImportEnding::BrokenOff
        }
    }
}

fn shown(row: &RejectedRow) -> RefusedRow {
    RefusedRow { line: row.line, reasons: reasons_of(&row.problems, SHOWN_PROBLEMS) }
}

/// Keeps the state of a job up to date.
struct Follower {
    job: Arc<ImportJob>,
    rows: RefusedRows,
}

impl Watch for Follower {
    fn rejected(&mut self, row: RejectedRow) {
        let mut state = self.job.state();
        if state.first_refused.len() < SHOWN_ROWS {
            state.first_refused.push(shown(&row));
        }
        let is_added = self.rows.add(&mut state.refused_rows, &row);
        state.is_cut |= !is_added;
    }

    fn stored(&mut self, reached: Reached) {
        let Reached { line, created, replaced, unchanged, rejected } = reached;
        let mut state = self.job.state();
        (state.line, state.created, state.replaced) = (line, created, replaced);
        (state.unchanged, state.refused) = (unchanged, rejected);
    }
}
