//! `GET /v1/manage/reports/...`: what the programme does, as JSON or CSV.

use std::time::Duration;

use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use http::{HeaderValue, Method, StatusCode};
use pointbook_domain::spreadsheet::spreadsheet_text;
use pointbook_domain::{Day, Scope, Timestamp};
use pointbook_http::describe::{Operation, ResponseBody, Schema};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::{BodyLimit, Response, json};
use pointbook_http::query::{ReadQuery, describe};
use pointbook_http::{ApiError, ApiRequest, Caller, RouteSpec};

use crate::query::{ReportFormat, ReportQuery, report_days, report_whole};
use crate::reports::{
    Column, ColumnKind, DayRange, REPORTS, Report, ReportError, ReportTable, Span, Value, find_report,
    run_report,
};
use crate::view::{ReportView, report_schema};

/// A route for each report: its name, the id of its operation, the name of its schema, and its scope if it names members.
macro_rules! report_routes {
    ($($name:literal $operation:literal $schema:literal $($scope:ident)?;)*) => {
        pub(crate) static ROUTES: [RouteSpec; REPORTS.len()] = [$(RouteSpec {
            name: concat!("manage.reports.", $name),
            method: Method::GET,
            path: concat!("/v1/manage/reports/", $name),
            caller: Caller::Key(report_routes!(@scope $($scope)?)),
            body: BodyLimit::Ordinary,
            documentation: || {
                let schema = || find_report($name).map_or_else(Schema::any_object, report_schema);
                documentation($name, $operation, ResponseBody::named($schema, schema))
            },
            handler: |request| Box::pin(show($name, request)),
        },)*];
    };
    (@scope) => { Scope::ReportsRead };
    (@scope $scope:ident) => { Scope::$scope };
}

report_routes! {
    "points" "reportPoints" "PointsReport";
    "activity-types" "reportActivityTypes" "ActivityTypesReport";
    "reversals" "reportReversals" "ReversalsReport";
    "vintages" "reportVintages" "VintagesReport";
    "expiry" "reportExpiry" "ExpiryReport";
    "members" "reportMembers" "MembersReport";
    "cohorts" "reportCohorts" "CohortsReport";
    "segments" "reportSegments" "SegmentsReport";
    "products" "reportProducts" "ProductsReport";
    "categories" "reportCategories" "CategoriesReport";
    "campaigns" "reportCampaigns" "CampaignsReport";
    "campaign-days" "reportCampaignDays" "CampaignDaysReport";
    "uplift" "reportUplift" "UpliftReport";
    "earners" "reportEarners" "EarnersReport" UsersRead;
}

/// How long a request counts what is new.
const PATIENCE: Duration = Duration::from_secs(1);

async fn show(name: &str, request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let report = find_report(name).ok_or(ApiError::NotFound)?;
    let ReportQuery { from, until, format } = match report.span {
        Span::Days => request.query_string.read(report_days)?,
        Span::Whole => request.query_string.read(report_whole)?,
    };
    let table = run_report(&request.context(), report, from, until, PATIENCE).await.map_err(refused)?;
    Ok(match format {
        ReportFormat::Json => {
            let body = serde_json::to_vec(&ReportView::from(&table)).map_err(|_| ApiError::Internal)?;
            json(StatusCode::OK, body)
        }
        // A file cannot say that it is not complete.
        ReportFormat::Csv if !table.is_complete => return Err(ApiError::Unavailable),
        ReportFormat::Csv => csv(name, table.to_csv(|text| spreadsheet_text(&text))),
    })
}

fn refused(error: ReportError) -> ApiError {
    match error {
        ReportError::Range(error) => {
            FieldErrors::one("until", Rule::new(FieldCode::OutOfRange, error.to_string())).into()
        }
        ReportError::Store(error) => error.into(),
    }
}

/// A file for spreadsheets: products and members may have written its texts. The name of a report is ASCII without quotes.
fn csv(name: &str, lines: Vec<u8>) -> Response {
    let mut response = Response::empty(StatusCode::OK);
    response.body = lines.into();
    response.headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    let attachment = HeaderValue::try_from(format!("attachment; filename=\"{name}.csv\""));
    response.headers.extend(attachment.ok().map(|value| (CONTENT_DISPOSITION, value)));
    response
}

fn documentation(name: &'static str, operation: &'static str, rows: ResponseBody) -> Operation {
    let none = Operation::ours(operation, Tag::Management, name);
    let Some(report) = find_report(name) else { return none };
    let parameters = match report.span {
        Span::Days => describe(report_days),
        Span::Whole => describe(report_whole),
    };
    let example = example(report);
    let body = serde_json::to_string(&ReportView::from(&example)).unwrap_or_default();
    let lines = String::from_utf8(example.to_csv(|text| text)).unwrap_or_default();
    Operation::ours(operation, Tag::Management, report.title)
        .describe(report.about)
        .taking(parameters)
        .answering(StatusCode::OK, "The rows of the report.", rows, body)
        .or_csv(lines)
}

/// A report with one row.
fn example(report: &'static Report) -> ReportTable {
    let day = Day::from_days(EXAMPLE_DAY).unwrap_or_else(|| Timestamp::MIN.day());
    let value = |column: &Column| match column.kind {
        ColumnKind::Day => Value::Day(day),
        ColumnKind::Month => Value::Month(day.into()),
        ColumnKind::Text(text) => Value::Text(text.to_owned()),
        ColumnKind::Count | ColumnKind::Members | ColumnKind::Movers | ColumnKind::GroupSize => {
            Value::Number(3)
        }
        ColumnKind::Points => Value::Number(450),
        ColumnKind::Percent => Value::Number(25),
    };
    let rows = vec![report.columns.iter().map(value).collect()];
    let (range, time_zone) = (DayRange { from: day, until: day }, "Europe/Berlin".to_owned());
    ReportTable { report, range, time_zone, is_complete: true, rows }
}

/// 2026-05-04.
const EXAMPLE_DAY: i32 = 20_577;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_report_has_a_route() {
        let names: Vec<_> = ROUTES.iter().map(|route| route.name.replace("manage.reports.", "")).collect();
        let reports: Vec<_> = REPORTS.iter().map(|report| report.name).collect();
        assert_eq!(names, reports);
        for (route, report) in ROUTES.iter().zip(REPORTS) {
            let scope = if report.names_members { Scope::UsersRead } else { Scope::ReportsRead };
            assert_eq!(route.caller, Caller::Key(scope), "{}", report.name);
        }
    }
}
