//! What a report is, and how it is made.

use std::pin::Pin;
use std::time::Duration;

use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::{Day, Locale};
use pointbook_store::ports::{Query, TenantData, read_all};
use pointbook_store::schema::rows::DailyTotal;
use pointbook_store::{Context, StoreError, StoreResult};

use super::{DayRange, RangeError, ReportTable, Value};
use crate::state::read_state;
use crate::step::catch_up;

/// How often a report is read again when figures were written meanwhile.
const TRIES: usize = 3;

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
    /// The total of its rows. `None` when rows have members or points in common.
    pub(super) total: Option<Total>,
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
    /// How many members did something.
    Members,
    /// How many members came or went. With the others of its row, it is the change of another column from row to row.
    Movers,
    /// How many members the points and percentages of the row are of.
    GroupSize,
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

/// The total of rows, in the order of the columns. A column that cannot be added has `None`.
pub(super) type Total = fn(&[Vec<Value>]) -> Vec<Option<Value>>;

/// What a report reads from.
pub(super) struct Source<'s> {
    pub(super) data: &'s dyn TenantData,
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

/// The first and the last of these days with counted transactions.
///
/// # Errors
/// When the store fails.
pub async fn counted_days(context: &Context, range: DayRange) -> StoreResult<Option<(Day, Day)>> {
    let days = Query::of::<DailyTotal>("counted_days", &["day", "type"]);
    let days = days.between("day", [&range.from, &range.until]).limit(1);
    let data = &*context.tenant.data;
    let [first, last] = [days.clone(), days.descending()];
    let first: Vec<DailyTotal> = read_all(data, first).await?;
    let last: Vec<DailyTotal> = read_all(data, last).await?;
    Ok(first.first().zip(last.first()).map(|(first, last)| (first.day, last.day)))
}

/// Makes a report of the days from `from` to `until`. First it counts what is new in the ledger, for at most about as long as
/// `patience`. The job does the rest.
///
/// # Errors
/// When these are no days of a report ([`DayRange::new`]), and when the store fails.
pub async fn run_report(
    context: &Context,
    report: &'static Report,
    from: Option<Day>,
    until: Option<Day>,
    patience: Duration,
) -> Result<ReportTable, ReportError> {
    let zone = context.tenant.zone();
    let today = zone.local_time(context.now).day;
    let range = DayRange::new(from, until, today)?;
    let is_complete = match catch_up(context, patience).await {
        // Figures that are not the newest can still be read.
        Err(StoreError::Unavailable(_) | StoreError::Overloaded) => false,
        other => other?,
    };
    let data = &*context.tenant.data;
    let source = Source { data, range, context, zone: &zone, today, locale: &context.tenant.tenant.locale };
    let mut tries = TRIES;
    loop {
        let before = read_state(data).await?;
        let rows = (report.read)(&source).await?;
        let after = read_state(data).await?;
        tries -= 1;
        if tries == 0 || before == after {
            let time_zone = after.map_or_else(|| zone.name().as_str().to_owned(), |state| state.time_zone);
            return Ok(ReportTable { report, range, time_zone, is_complete, rows });
        }
    }
}
