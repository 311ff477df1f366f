//! The reports: which columns each has, and how it is made from the figures. A file has the reports of one subject.

mod campaigns;
mod control_time;
mod earners;
mod expiry;
mod member_days;
mod members;
mod points;
mod products;
mod range;
mod report;
mod reversals;
mod segments;
mod small_cells;
mod table;
mod uplift;
mod welch;

pub use self::products::orders_by_day;
pub use self::range::{DayRange, MAX_DAYS, RangeError, USUAL_DAYS};
pub use self::report::{Column, ColumnKind, Report, ReportError, Span, counted_days, run_report};
pub use self::segments::{BY_NAME as SEGMENTS_BY_NAME, SEGMENT_NAMES, Segment};
pub(crate) use self::segments::{members_of, open_points};
pub use self::small_cells::FEWEST_MEMBERS;
pub use self::table::{ReportTable, Value};

/// All reports. Their names never change once released.
pub static REPORTS: [&Report; 14] = [
    &points::BY_DAY,
    &points::BY_TYPE,
    &reversals::REVERSALS,
    &points::BY_MONTH_OF_EARNING,
    &expiry::BY_MONTH_OF_EXPIRY,
    &members::BY_DAY,
    &members::COHORTS,
    &segments::SEGMENTS,
    &products::PRODUCTS,
    &products::CATEGORIES,
    &campaigns::CAMPAIGNS,
    &campaigns::BY_DAY,
    &uplift::UPLIFT,
    &earners::EARNERS,
];

pub fn find_report(name: &str) -> Option<&'static Report> {
    REPORTS.into_iter().find(|report| report.name == name)
}
