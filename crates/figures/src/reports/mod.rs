//! The reports: tables of figures.

mod campaigns;
mod members;
mod points;
mod products;
mod range;
mod report;
mod segments;
mod table;

pub use self::range::{DayRange, MAX_DAYS, RangeError, USUAL_DAYS};
pub use self::report::{Column, ColumnKind, Report, ReportError, Span, run_report};
pub use self::table::{ReportTable, Value};

/// All reports. Their names never change once released.
pub static REPORTS: [&Report; 10] = [
    &points::BY_DAY,
    &points::BY_TYPE,
    &points::BY_MONTH_OF_EARNING,
    &members::BY_DAY,
    &members::COHORTS,
    &segments::SEGMENTS,
    &products::PRODUCTS,
    &products::CATEGORIES,
    &campaigns::CAMPAIGNS,
    &campaigns::BY_DAY,
];

pub fn find_report(name: &str) -> Option<&'static Report> {
    REPORTS.into_iter().find(|report| report.name == name)
}
