//! One thread reads and checks rows, and the runtime stores them. A short queue between them keeps
//! memory bounded. Each batch is one commit.

use std::io;
use std::sync::Arc;

use pointbook_domain::Timestamp;
use pointbook_store::background::in_background;
use pointbook_store::{Clock, StoreResult};
use tokio::sync::mpsc;

use super::header::Header;
use super::kind::{RowKind, RowOutcome, Target};
use super::problems::Problems;
use super::progress::Progress;
use super::rejects::{Reject, RejectFile, rejected_row};
use super::rows::{RawRow, Rows};
use super::{CheckedRow, Ending, ImportError, Input, Options, RejectedRow, Summary, Watch};

/// How many batches the queue holds.
const WAITING_BATCHES: usize = 2;
/// A batch that has reached this many bytes takes no more rows.
const MAX_BATCH_BYTES: usize = 4 << 20;

/// Rows in the order of the input.
struct Batch<T> {
    rows: Vec<(RawRow, Result<T, Problems>)>,
    header: Option<Header>,
    /// How the input ended; `None` in every batch but the last.
    ending: Option<Ending>,
}

type Batches<T> = mpsc::Receiver<Result<Batch<T>, ImportError>>;

pub(super) async fn import_rows<K: RowKind>(
    kind: &mut K,
    target: Target<'_>,
    mut input: Input,
    options: &mut Options,
) -> Result<Summary, ImportError> {
    let mut summary = Summary::new(K::KIND);
    let mut rejects = RejectFile::new(options.rejects.take(), &input)?;
    let mut progress = Progress::start(options.progress, K::KIND, &mut input);
    let mut batches = start_reading::<K>(input, target.clock.clone());
    summary.ending = loop {
        let batch = tokio::select! {
            batch = batches.recv() => batch,
            () = &mut options.stop => break Ending::Interrupted,
        };
        let Some(batch) = batch else {
            break Ending::InputBroke(io::Error::other("the reading thread ended early"));
        };
        let Batch { rows, header, ending } = batch?;
        if let Some(header) = &header {
            summary.note_header(&header.columns, K::CLEARED_WITHOUT_COLUMN, K::ACTIVE_WITHOUT_COLUMN);
        }
        let outcomes = match store(kind, target, rows).await {
            Ok(outcomes) => outcomes,
            Err(error) => break Ending::StoreFailed(error),
        };
        take_outcomes(outcomes, header.as_ref(), &mut summary, &mut rejects, &mut options.watch)?;
        progress.show(summary.read);
        if let Some(ending) = ending {
            break ending;
        }
    };
    drop(progress);
    rejects.finish(summary.is_clean())?;
    Ok(summary)
}

/// Reads and checks all rows as an import does, and stores none.
pub(super) fn check_rows<K: RowKind>(input: Input, now: Timestamp) -> Result<Vec<CheckedRow>, ImportError> {
    let (mut source, mut checked) = (Rows::open(input, K::COLUMNS)?, Vec::new());
    while let Some(row) = source.next_row().map_err(ImportError::Unreadable)? {
        let item = source.fields(&row).and_then(|fields| K::check(fields, now));
        let refused = item.err().map(|problems| {
            let reason = problems.to_string();
            RejectedRow { problems, ..rejected_row(source.header.as_ref(), &row, &reason) }
        });
        checked.push(CheckedRow { line: row.line, refused });
    }
    Ok(checked)
}

/// Counts the outcomes of a batch, and tells about refused rows.
fn take_outcomes(
    outcomes: Vec<(RawRow, RowOutcome)>,
    header: Option<&Header>,
    summary: &mut Summary,
    rejects: &mut RejectFile,
    watch: &mut Option<Box<dyn Watch>>,
) -> Result<(), ImportError> {
    for (row, outcome) in outcomes {
        summary.count(row.line, &outcome);
        if let Err(problems) = outcome {
            let reason = problems.to_string();
            if let Some(watch) = watch {
                watch.rejected(RejectedRow { problems, ..rejected_row(header, &row, &reason) });
            }
            rejects.add(header, &row, &reason)?;
            summary.first_reject.get_or_insert(Reject { line: row.line, reason });
        }
    }
    if let Some(watch) = watch {
        watch.stored(summary.reached());
    }
    Ok(())
}

/// Starts the reading thread and returns its batches. The first message is an error when the whole input is refused.
fn start_reading<K: RowKind>(input: Input, clock: Arc<dyn Clock>) -> Batches<K::Item> {
    let (sender, receiver) = mpsc::channel(WAITING_BATCHES);
    let read = move || match Rows::open(input, K::COLUMNS) {
        Err(error) => drop(sender.blocking_send(Err(error))),
        Ok(mut rows) => loop {
            let batch = read_batch::<K>(&mut rows, &*clock);
            let is_last = batch.ending.is_some();
            // The receiver is gone when the import was stopped.
            if sender.blocking_send(Ok(batch)).is_err() || is_last {
                return;
            }
        },
    };
    tokio::spawn(in_background(read));
    receiver
}

fn read_batch<K: RowKind>(source: &mut Rows, clock: &dyn Clock) -> Batch<K::Item> {
    let (mut rows, mut bytes) = (Vec::new(), 0);
    let ending = loop {
        if rows.len() >= K::BATCH_ROWS || bytes >= MAX_BATCH_BYTES {
            break None;
        }
        match source.next_row() {
            Ok(Some(row)) => {
                bytes += row.text.len();
                let checked = source.fields(&row).and_then(|fields| K::check(fields, clock.now()));
                rows.push((row, checked));
            }
            Ok(None) => break Some(Ending::Complete),
            Err(error) => break Some(Ending::InputBroke(error)),
        }
    };
    Batch { rows, header: source.header.clone(), ending }
}

/// Stores the valid rows. Returns every row with its outcome, in the order of the input.
async fn store<K: RowKind>(
    kind: &mut K,
    target: Target<'_>,
    rows: Vec<(RawRow, Result<K::Item, Problems>)>,
) -> StoreResult<Vec<(RawRow, RowOutcome)>> {
    let mut items = Vec::with_capacity(rows.len());
    let mut checked = Vec::with_capacity(rows.len());
    for (row, item) in rows {
        checked.push((row, item.map(|item| items.push(item)).err()));
    }
    kind.note_refused(checked.len() - items.len());
    let stored = if items.is_empty() { Vec::new() } else { kind.store(target, items).await? };
    let mut stored = stored.into_iter();
    let mut outcome = |problems: Option<Problems>| problems.map(Err).or_else(|| stored.next());
    Ok(checked.into_iter().map_while(|(row, problems)| Some((row, outcome(problems)?))).collect())
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use pointbook_testkit::FixedClock;

    use super::*;
    use crate::import::users::Users;

    #[test]
    fn batch_is_bounded_by_rows_and_bytes() {
        let sizes = |text: String| {
            let clock = FixedClock::new(Timestamp::from_micros(0).unwrap());
            let mut rows = Rows::open(Input::reader(Cursor::new(text), None), Users::COLUMNS).unwrap();
            let mut sizes = Vec::new();
            loop {
                let batch = read_batch::<Users>(&mut rows, &clock);
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
