//! The road of rows: one thread reads and checks, the runtime stores, and a short queue between
//! them keeps memory bounded. One batch is one commit.

use std::io;
use std::sync::Arc;
use std::thread;

use pointbook_app::{Clock, StoreResult};
use tokio::sync::mpsc;

use super::kind::{RowKind, RowOutcome, Target};
use super::limits::MAX_BATCH_BYTES;
use super::open::open_rows;
use super::problems::Problems;
use super::progress::Progress;
use super::rejects::{Reject, RejectFile};
use super::rows::{Column, RawRow, RowSource};
use super::{Ending, ImportError, Input, Options, Summary};

/// How many batches may wait to be stored.
const WAITING_BATCHES: usize = 2;

/// Rows in the order of the input.
struct Batch<T> {
    rows: Vec<(RawRow, Result<T, Problems>)>,
    columns: Option<Vec<Column>>,
    /// How the input ended, in its last batch.
    ending: Option<Ending>,
}

/// What the reading thread says: that the input is refused as a whole, or its next rows.
type Message<T> = Result<Batch<T>, ImportError>;

/// Imports all rows of the input, and says how that ended.
pub(super) async fn import_rows<K: RowKind>(
    kind: &mut K,
    target: Target<'_>,
    input: Input,
    options: &mut Options,
) -> Result<Summary, ImportError> {
    let mut summary = Summary::new(K::KIND);
    let mut rejects = RejectFile::new(options.rejects.take(), &input)?;
    let mut progress = Progress::start(options.progress, K::KIND, &input);
    let mut messages = start_reading::<K>(input, target.clock.clone())?;
    summary.ending = loop {
        let message = tokio::select! {
            message = messages.recv() => message,
            () = &mut options.stop => break Ending::Interrupted,
        };
        let Some(message) = message else {
            break Ending::InputBroke(io::Error::other("the reading thread ended early"));
        };
        let Batch { rows, columns, ending } = message?;
        summary.is_of_rejects |= columns.as_ref().is_some_and(|columns| columns.contains(&None));
        rejects.set_columns(columns);
        let outcomes = match store(kind, target, rows).await {
            Ok(outcomes) => outcomes,
            Err(error) => break Ending::StoreFailed(error),
        };
        for (row, outcome) in outcomes {
            keep(&mut summary, &mut rejects, &row, &outcome)?;
        }
        progress.show(summary.read);
        if let Some(ending) = ending {
            break ending;
        }
    };
    progress.finish();
    rejects.finish(summary.is_clean())?;
    Ok(summary)
}

fn start_reading<K: RowKind>(
    input: Input,
    clock: Arc<dyn Clock>,
) -> Result<mpsc::Receiver<Message<K::Item>>, ImportError> {
    let (sender, receiver) = mpsc::channel(WAITING_BATCHES);
    let read = move || match open_rows(input, K::COLUMNS) {
        Err(error) => drop(sender.blocking_send(Err(error))),
        Ok(mut rows) => loop {
            let batch = read_batch::<K>(&mut *rows, &*clock);
            let is_last = batch.ending.is_some();
            // A receiver that is gone wants no more: the import was stopped.
            if sender.blocking_send(Ok(batch)).is_err() || is_last {
                return;
            }
        },
    };
    let thread = thread::Builder::new().name("import-reader".to_owned()).spawn(read);
    thread.map_err(ImportError::Unreadable)?;
    Ok(receiver)
}

fn read_batch<K: RowKind>(source: &mut dyn RowSource, clock: &dyn Clock) -> Batch<K::Item> {
    let (mut rows, mut bytes) = (Vec::new(), 0);
    let ending = loop {
        if rows.len() >= K::BATCH_ROWS || bytes >= MAX_BATCH_BYTES {
            break None;
        }
        match source.next_row() {
            Ok(Some(row)) => {
                bytes += row.text.len();
                let checked = source.fields().and_then(|fields| K::check(fields, clock.now()));
                rows.push((row, checked));
            }
            Ok(None) => break Some(Ending::Complete),
            Err(error) => break Some(Ending::InputBroke(error)),
        }
    };
    Batch { rows, columns: source.columns(), ending }
}

/// Stores the good rows; gives every row with its outcome, in the order of the input.
async fn store<K: RowKind>(
    kind: &mut K,
    target: Target<'_>,
    rows: Vec<(RawRow, Result<K::Item, Problems>)>,
) -> StoreResult<Vec<(RawRow, RowOutcome)>> {
    let mut items = Vec::with_capacity(rows.len());
    let mut pending = Vec::with_capacity(rows.len());
    for (row, checked) in rows {
        let rejected = match checked {
            Ok(item) => {
                items.push(item);
                None
            }
            Err(problems) => Some(RowOutcome::Rejected(problems.to_string())),
        };
        pending.push((row, rejected));
    }
    let stored = if items.is_empty() { Vec::new() } else { kind.store(target, items).await? };
    let mut stored = stored.into_iter();
    let outcomes =
        pending.into_iter().filter_map(|(row, rejected)| Some((row, rejected.or_else(|| stored.next())?)));
    Ok(outcomes.collect())
}

fn keep(
    summary: &mut Summary,
    rejects: &mut RejectFile,
    row: &RawRow,
    outcome: &RowOutcome,
) -> Result<(), ImportError> {
    summary.count(outcome);
    summary.last_line = row.line;
    if let RowOutcome::Rejected(reason) = outcome {
        summary.first_reject.get_or_insert_with(|| Reject { line: row.line, reason: reason.clone() });
        rejects.add(row, reason)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::import::users::Users;
    use crate::sources::SystemClock;

    #[test]
    fn a_batch_is_bounded_by_rows_and_by_bytes() {
        let sizes = |text: String| {
            let mut rows = open_rows(Input::reader(Cursor::new(text), None), Users::COLUMNS).unwrap();
            let mut sizes = Vec::new();
            loop {
                let batch = read_batch::<Users>(&mut *rows, &SystemClock);
                sizes.push(batch.rows.len());
                if batch.ending.is_some() {
                    return sizes;
                }
            }
        };
        assert_eq!(sizes(format!("user_id\n{}", "ann\n".repeat(12_000))), [5_000, 5_000, 2_000]);
        let long = "x".repeat(MAX_BATCH_BYTES / 4);
        assert_eq!(sizes(format!("user_id\n{}", format!("{long}\n").repeat(10))), [4, 4, 2]);
    }
}
