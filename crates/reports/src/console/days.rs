//! The days of a report, as its form says them.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::checked_field;
use pointbook_domain::zones::timestamp_text::parse_day;
use pointbook_domain::{CivilDate, Day};
use pointbook_http::pages::{PageError, number, short_date};

use crate::reports::{DayRange, MAX_DAYS, RangeError};

pub(super) const FROM: &str = "from";
pub(super) const UNTIL: &str = "until";

/// What the form of the days says.
pub(super) struct Days {
    /// As they were typed.
    typed: [String; 2],
    pub(super) from: Option<Day>,
    pub(super) until: Option<Day>,
    /// What is wrong with the first and the last day.
    faults: [Option<String>; 2],
}

impl Days {
    pub(super) fn read(visit: &Visit<'_>) -> Self {
        let typed = [FROM, UNTIL].map(|name| visit.query(name));
        let read = |text: &String| (!text.is_empty()).then(|| parse_day(text));
        let [from, until] = [read(&typed[0]), read(&typed[1])];
        let fault = |read: Option<Option<Day>>| {
            matches!(read, Some(None)).then(|| visit.words.say("report-day-wrong").into_owned())
        };
        let faults = [fault(from), fault(until)];
        Self { typed, from: from.flatten(), until: until.flatten(), faults }
    }

    /// Notes that these are no days of a report.
    pub(super) fn refuse(&mut self, visit: &Visit<'_>, error: RangeError) {
        let text = match error {
            RangeError::Backwards => visit.words.say("report-backwards"),
            RangeError::TooLong => {
                let most = number(MAX_DAYS.into(), visit.words);
                visit.words.with("report-too-long", "count", most)
            }
        };
        self.faults[1] = Some(text.into_owned());
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.faults.iter().any(Option::is_some)
    }

    /// Links to usual periods, and the form behind the days that the report has.
    pub(super) fn form(&self, visit: &Visit<'_>, path: &str, shown: Option<DayRange>) -> Markup {
        let words = visit.words;
        let days = shown.map(|range| [range.from, range.until].map(|day| day.to_string()));
        let today = visit.served.local_time(visit.now).day;
        let values = days.filter(|_| !self.is_wrong()).unwrap_or_else(|| self.typed.clone());
        let field_of = |place: usize, name: &'static str| {
            let (value, fault) = (values.get(place), self.faults.get(place).and_then(Option::as_deref));
            let input =
                html! { input type="date" name=(name) value=[value] aria-invalid=[fault.map(|_| "true")]; };
            checked_field(visit, &format!("report-{name}"), fault, input)
        };
        html! {
            nav .segments aria-label=(words.say("report-presets")) {
                @for (name, from, until) in presets(visit) {
                    a href={ (path) "?" (FROM) "=" (from) "&" (UNTIL) "=" (until) } aria-current=[(shown == Some(DayRange { from, until })).then_some("true")] { (words.say(name)) }
                }
            }
            details .menu open[self.is_wrong()] {
                summary .button { @match shown {
                    Some(DayRange { from, until }) => (words.with_all("report-range", [("from", from), ("until", until)].map(|(name, day)| (name, short_date(day, today, words))))),
                    None => { (words.say("report-from")) " – " (words.say("report-until")) }
                } }
                form method="get" action=(path) { div .fields {
                    (field_of(0, FROM))
                    (field_of(1, UNTIL))
                    button .primary { (words.say("report-show")) }
                } }
            }
        }
    }
}

/// Usual periods: the id of a text, the first and the last day.
fn presets(visit: &Visit<'_>) -> Vec<(&'static str, Day, Day)> {
    let today = visit.served.local_time(visit.now).day;
    let before = |days: i32| Day::from_days(today.as_days() - days + 1);
    let year = CivilDate { month: 1, day: 1, ..today.into() }.to_day();
    let all = [
        ("report-last-7", before(7)),
        ("report-last-28", before(28)),
        ("report-last-90", before(90)),
        ("report-this-year", year),
    ];
    all.into_iter().filter_map(|(name, from)| Some((name, from?, today))).collect()
}

/// The parameters of the days of a report, for its other pages.
pub(super) fn parameters(range: DayRange) -> [(&'static str, String); 2] {
    [(FROM, range.from.to_string()), (UNTIL, range.until.to_string())]
}

/// The error of days in the address of a file, which no page of this server makes.
pub(super) fn wrong_address(days: &Days) -> Result<(), PageError> {
    if days.is_wrong() { Err(PageError::BadRequest) } else { Ok(()) }
}
