//! The time of a tenant, for the back office.

use pointbook_domain::Timestamp;
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;

view! {
    #[derive(Debug)]
    pub struct ClockView as "Clock" {
        now: DateTimeView,
        /// Whether the tenant has a virtual clock. Otherwise its time is the real time.
        is_virtual: bool,
    }
}

impl ClockView {
    pub fn of(now: Timestamp, is_virtual: bool) -> Self {
        Self { now: DateTimeView(now), is_virtual }
    }
}
