//! A report as a file, with the content of the operation's; texts are safe for spreadsheets.

use http::StatusCode;
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::csv_file::{BYTE_ORDER_MARK, csv_file};
use pointbook_domain::spreadsheet::spreadsheet_text;
use pointbook_http::kernel::Response;
use pointbook_http::pages::PageError;

use super::days::{Days, wrong_address};
use crate::for_role::run;
use crate::reports::{ReportError, Span, find_report};

pub(super) async fn file(visit: &Visit<'_>) -> Result<Response, PageError> {
    file_named(visit, &visit.param("name")?).await
}

pub(super) async fn earners(visit: &Visit<'_>) -> Result<Response, PageError> {
    file_named(visit, "earners").await
}

async fn file_named(visit: &Visit<'_>, name: &str) -> Result<Response, PageError> {
    let report = find_report(name).ok_or(PageError::NotFound)?;
    let days = Days::read(visit);
    wrong_address(&days)?;
    let (from, until) = if report.span == Span::Days { (days.from, days.until) } else { (None, None) };
    let table = run(visit, report, from, until).await?.map_err(|error| match error {
        ReportError::Store(error) => error.into(),
        ReportError::Range(_) => PageError::BadRequest,
    })?;
    if !table.is_complete {
        // A file cannot say that it is not complete.
        let texts = ["report-counting-file", "report-counting-file-hint"];
        return Err(PageError::Said { status: StatusCode::SERVICE_UNAVAILABLE, texts });
    }
    let lines = table.to_csv(|text| spreadsheet_text(&text));
    Ok(csv_file(&format!("{}.csv", report.name), [BYTE_ORDER_MARK.as_bytes(), &lines].concat()))
}
