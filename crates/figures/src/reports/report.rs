//! What a report is, and how it is made.

use std::pin::Pin;

use pointbook_app::ports::RowReader;
use pointbook_app::{Context, StoreError, StoreResult};
use pointbook_domain::{Day, Locale};
use pointbook_time::time_zone::Zone;

use super::{DayRange, RangeError, ReportTable, Value};
use crate::state::{read_state, zone};
use crate::step::catch_up;

/// How many steps a reader of a report takes to count what is new: enough to count a small tenant from the start. A longer way is a
/// job's.
const STEPS_OF_READER: usize = 8;

/// A report. Its columns give the JSON, the CSV and the documentation.
#[derive(Debug)]
pub struct Report {
    pub name: &'static str,
    /// Some words for a heading.
    pub title: &'static str,
    /// What its rows are, in sentences.
    pub about: &'static str,
    pub span: Span,
    /// Whether its rows have ids of users.
    pub names_members: bool,
    pub columns: &'static [Column],
    pub(super) read: Read,
}

/// Which days a report has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Span {
    /// Those that the reader asks for.
    Days,
    /// All of them.
    Whole,
}

#[derive(Debug)]
pub struct Column {
    pub name: &'static str,
    pub kind: ColumnKind,
    /// What it says: a sentence.
    pub about: &'static str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// A local day.
    Day,
    Month,
    /// With an example.
    Text(&'static str),
    /// A whole number, at least 0.
    Count,
    /// A whole number of points, below 0 too.
    Points,
    /// Whole percent, rounded.
    Percent,
}

/// The rows of a report. The values are in the order of the columns.
pub(super) type Rows = Vec<Vec<Value>>;

pub(super) type Reading<'r> = Pin<Box<dyn Future<Output = StoreResult<Rows>> + Send + 'r>>;

/// Reads the rows: `|source| Box::pin(read(source))`.
pub(super) type Read = for<'r> fn(&'r Source<'r>) -> Reading<'r>;

/// What a report reads from.
pub(super) struct Source<'s> {
    /// All tables at one moment.
    pub(super) moment: &'s dyn RowReader,
    pub(super) range: DayRange,
    pub(super) context: &'s Context,
    pub(super) zone: &'s Zone,
    pub(super) today: Day,
    /// The language of titles.
    pub(super) locale: &'s Locale,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The last day is wrong.
    #[error(transparent)]
    Range(#[from] RangeError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Makes a report of the days from `from` to `until`. First it counts what is new in the ledger, if that is little.
///
/// # Errors
/// When these are no days of a report ([`DayRange::new`]), and when the store fails.
pub async fn run_report(
    context: &Context,
    report: &'static Report,
    from: Option<Day>,
    until: Option<Day>,
) -> Result<ReportTable, ReportError> {
    let zone = zone(context);
    let today = zone.local_time(context.now).day;
    let range = DayRange::new(from, until, today)?;
    let is_complete = catch_up(context, STEPS_OF_READER).await?;
    let moment = context.tenant.data.row_snapshot().await?;
    let state = read_state(&*moment).await?;
    let locale = &context.tenant.tenant.locale;
    let source = Source { moment: &*moment, range, context, zone: &zone, today, locale };
    let rows = (report.read)(&source).await?;
    let time_zone =
        state.as_ref().map_or_else(|| zone.name().as_str().to_owned(), |state| state.time_zone.clone());
    Ok(ReportTable { report, range, time_zone, is_complete, rows })
}
