//! Which rows of a ledger its page has: the links above the rows, and the day on which the list begins.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::activity_type;
use pointbook_access::console_kit::icons::{Icon, icon};
use pointbook_domain::activity::{DOCUMENTED_ACTIVITY_TYPES, REVERSAL_SUFFIX};
use pointbook_domain::zones::timestamp_text::parse_day;
use pointbook_domain::{ActivityType, Day, Timestamp};
use pointbook_http::pages::date;
use pointbook_store::ports::LedgerFilter;

use super::balance::PARAMETER as PERIOD;

/// The parameters with what the rows are, what they have, and the day on which the list begins.
const KIND: &str = "type";
const WITH: &str = "with";
const DAY: &str = "day";
/// What rows may have: a bonus, or the points of a row that they reverse.
const BONUS: &str = "bonus";
const REVERSAL: &str = "reversal";
/// The types that are links above the rows.
const KINDS_SHOWN: usize = 8;

/// What the address asks for, as it is written there.
pub(super) struct Asked {
    kind: String,
    with: String,
    day: String,
}

impl Asked {
    pub(super) fn of(visit: &Visit<'_>) -> Self {
        Self { kind: visit.query(KIND), with: visit.query(WITH), day: visit.query(DAY) }
    }

    pub(super) fn parameters(&self) -> [(&'static str, &str); 3] {
        [(KIND, &self.kind), (WITH, &self.with), (DAY, &self.day)]
    }

    fn day(&self) -> Option<Day> {
        parse_day(&self.day)
    }

    pub(super) fn filter(&self, visit: &Visit<'_>) -> LedgerFilter {
        let next = self.day().and_then(|day| Day::from_days(day.as_days() + 1));
        let until = next.and_then(|next| visit.midnight(next));
        LedgerFilter {
            kind: ActivityType::new(&self.kind).ok(),
            has_bonus: self.with == BONUS,
            source_part: (self.with == REVERSAL).then_some(REVERSAL_SUFFIX),
            until: until.and_then(|until| Timestamp::from_micros(until.as_micros() - 1)),
        }
    }

    /// The address of the pages of a list, without their number. It keeps the period of the curve.
    pub(super) fn address(visit: &Visit<'_>, below: &str, asked: &[(&str, &str)]) -> String {
        visit.address_of_pages(below, &[asked, &[(PERIOD, &visit.query(PERIOD))]].concat())
    }

    /// The types as links, and the day on which the list begins.
    pub(super) fn bar(&self, visit: &Visit<'_>, below: &str) -> Markup {
        let words = visit.words;
        let own = visit.served.tenant.settings.activity_types.iter().map(ActivityType::as_str);
        let kinds = DOCUMENTED_ACTIVITY_TYPES.into_iter().chain(own).take(KINDS_SHOWN);
        let kinds = kinds.map(|kind| (kind, "", activity_type(kind, words)));
        let all = [("", "", words.say("orders-all"))].into_iter().chain(kinds).chain([
            ("", BONUS, words.say("ledger-only-bonus")),
            ("", REVERSAL, words.say("ledger-only-reversals")),
        ]);
        let link = |kind: &str, with: &str, day: &str| {
            format!("{}1", Self::address(visit, below, &[(KIND, kind), (WITH, with), (DAY, day)]))
        };
        html! {
            div .bar {
                nav .segments aria-label=(words.say("filter-list")) {
                    @for (kind, with, name) in all {
                        a href=(link(kind, with, &self.day)) aria-current=[(kind == self.kind && with == self.with).then_some("true")] { (name) }
                    }
                }
                @if let Some(day) = self.day() {
                    a .chip href=(link(&self.kind, &self.with, "")) {
                        (words.with("ledger-up-to", "day", date(day, words))) (icon(Icon::Close)) span .unseen { (words.say("filter-remove")) }
                    }
                }
                form .acts method="get" action=(visit.path(below)) {
                    @for (name, value) in [(KIND, &self.kind), (WITH, &self.with), (PERIOD, &visit.query(PERIOD))] {
                        @if !value.is_empty() { input type="hidden" name=(name) value=(value); }
                    }
                    input type="date" name=(DAY) value=(self.day) aria-label=(words.say("ledger-day")) required;
                    button { (words.say("ledger-go-to-day")) }
                }
            }
        }
    }
}
