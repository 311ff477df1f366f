//! The parameters of reports.

use pointbook_domain::Day;
use pointbook_http::query::Fields;

/// The days and the form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReportQuery {
    pub from: Option<Day>,
    pub until: Option<Day>,
    pub format: ReportFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    Json,
    Csv,
}

/// `GET /v1/manage/reports/...` of some days.
pub fn report_days(fields: &mut Fields<'_>) -> ReportQuery {
    let from = "The first day, in the time zone of the tenant. Default: 27 days before `until`.";
    let until = "The last day, at most 399 days after `from`. Default: today.";
    let (from, until) = (fields.day("from", from), fields.day("until", until));
    ReportQuery { from, until, ..report_whole(fields) }
}

/// `GET /v1/manage/reports/...` of all days.
pub fn report_whole(fields: &mut Fields<'_>) -> ReportQuery {
    let format = "The form of the response. Default: `json`.";
    let formats = [("json", ReportFormat::Json), ("csv", ReportFormat::Csv)];
    let format = fields.choice("format", format, formats).unwrap_or(ReportFormat::Json);
    ReportQuery { from: None, until: None, format }
}
