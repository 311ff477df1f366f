//! A report as a file, with the same content as that of the operation.

use http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use pointbook_figures::reports::{ReportError, Span, find_report};
use pointbook_http_kernel::Response;
use pointbook_page_kit::PageError;

use super::days::{Days, wrong_address};
use crate::report::run;
use crate::visit::Visit;

const CSV: HeaderValue = HeaderValue::from_static("text/csv; charset=utf-8");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

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
    let mut response = Response::empty(StatusCode::OK);
    response.body = table.to_csv(|text| text).into();
    let disposition = format!("attachment; filename=\"{}.csv\"", report.name);
    response.headers.insert(CONTENT_TYPE, CSV);
    response.headers.insert(CACHE_CONTROL, NO_STORE);
    response
        .headers
        .extend(HeaderValue::from_str(&disposition).ok().map(|value| (CONTENT_DISPOSITION, value)));
    Ok(response)
}
