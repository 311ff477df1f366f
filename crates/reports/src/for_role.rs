//! Reports as the operator of a page may see them.

use std::time::Duration;

use pointbook_access::console_kit::Visit;
use pointbook_domain::{Day, Role, Scope};
use pointbook_http::pages::PageError;

use crate::reports::{Report, ReportError, ReportTable, Value, find_report, run_report};

/// How long a page counts what is new in the ledger.
const PATIENCE: Duration = Duration::from_millis(500);

/// The scope of a report. One that names members needs that of members.
pub fn scope(report: &Report) -> Scope {
    if report.names_members { Scope::UsersRead } else { Scope::ReportsRead }
}

/// Makes a report. Small numbers of members are hidden from analysts.
///
/// # Errors
/// [`ReportError::Range`] for days that no report has, otherwise when the store fails. A role without the scope is
/// [`PageError::Forbidden`].
pub async fn run(
    visit: &Visit<'_>,
    report: &'static Report,
    from: Option<Day>,
    until: Option<Day>,
) -> Result<Result<ReportTable, ReportError>, PageError> {
    run_within(visit, report, from, until, PATIENCE).await
}

async fn run_within(
    visit: &Visit<'_>,
    report: &'static Report,
    from: Option<Day>,
    until: Option<Day>,
    patience: Duration,
) -> Result<Result<ReportTable, ReportError>, PageError> {
    let role = visit.signed_in()?.operator.role;
    if !role.has(scope(report)) {
        return Err(PageError::Forbidden);
    }
    let mut made = run_report(&visit.context()?, report, from, until, patience).await;
    if let Ok(table) = &mut made {
        if role == Role::Analyst {
            table.hide_small_cells();
        }
        if !table.is_complete {
            hide_open_points(table);
        }
    }
    Ok(made)
}

/// The open points of each day are the sum of all rows of the ledger. While rows are counted, each of these sums is wrong.
fn hide_open_points(table: &mut ReportTable) {
    let Some(place) = column(table, "open_points").filter(|_| table.report.name == "points") else { return };
    for value in table.rows.iter_mut().filter_map(|row| row.get_mut(place)) {
        *value = Value::Hidden;
    }
}

/// A report of days that are known to be right; of the last 28 days without any.
///
/// # Errors
/// When the role may not see it, and when the store fails.
pub async fn run_named(
    visit: &Visit<'_>,
    name: &str,
    from: Option<Day>,
    until: Option<Day>,
) -> Result<ReportTable, PageError> {
    let report = find_report(name).ok_or(PageError::NotFound)?;
    whole(run(visit, report, from, until).await?)
}

/// Several reports of one page, each with its days. While the ledger is not all counted, only the first one waits for it.
///
/// # Errors
/// As [`run_named`].
pub async fn run_all<const N: usize>(
    visit: &Visit<'_>,
    reports: [(&str, [Day; 2]); N],
) -> Result<[ReportTable; N], PageError> {
    let mut tables = Vec::with_capacity(N);
    let mut patience = PATIENCE;
    for (name, [from, until]) in reports {
        let report = find_report(name).ok_or(PageError::NotFound)?;
        let table = whole(run_within(visit, report, Some(from), Some(until), patience).await?)?;
        patience = if table.is_complete { PATIENCE } else { Duration::ZERO };
        tables.push(table);
    }
    tables.try_into().map_err(|_| PageError::BadRequest)
}

/// The table of a report whose days are no choice of a person.
pub(crate) fn whole(made: Result<ReportTable, ReportError>) -> Result<ReportTable, PageError> {
    made.map_err(|error| match error {
        ReportError::Store(error) => error.into(),
        ReportError::Range(_) => PageError::BadRequest,
    })
}

/// The place of a column.
pub fn column(table: &ReportTable, name: &str) -> Option<usize> {
    table.report.columns.iter().position(|column| column.name == name)
}

/// The number in a place of a row. `None` when it is hidden.
pub fn number_at(row: &[Value], place: usize) -> Option<i64> {
    row.get(place).and_then(known)
}

/// A number that is not hidden.
pub fn known(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => Some(*number),
        _ => None,
    }
}

/// The numbers of a column, by row. `None` stands for those that are hidden.
pub fn numbers(table: &ReportTable, name: &str) -> Vec<Option<i64>> {
    let Some(place) = column(table, name) else { return Vec::new() };
    table.rows.iter().map(|row| number_at(row, place)).collect()
}
