//! The time of a tenant, for the back office.

use pointbook_domain::Timestamp;
use pointbook_http::describe::{Schema, required};
use pointbook_http::views::values::DateTimeView;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct ClockView {
    now: DateTimeView,
    is_virtual: bool,
}

impl ClockView {
    pub fn of(now: Timestamp, is_virtual: bool) -> Self {
        Self { now: DateTimeView(now), is_virtual }
    }
}

pub fn clock_schema() -> Schema {
    let is_virtual = "Whether the tenant has a virtual clock. Otherwise its time is the real time.";
    Schema::object([
        required("now", Schema::date_time()),
        required("is_virtual", Schema::boolean().describe(is_virtual)),
    ])
}
