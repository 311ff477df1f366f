//! The newest events of the feed, as its readers get them.

use maud::{Markup, html};
use pointbook_access::console_kit::components::{empty, field};
use pointbook_access::console_kit::lists::{Bar, Chip, Column, newest_and_older, table_by_day};
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::{Access, PageSpec, Visit, page};
use pointbook_domain::{EventType, Scope};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, clock_time};

use crate::feed::view::EventView;
use crate::feed::{Event, EventFilter, newest_events};

pub(crate) static PAGES: [PageSpec; 1] =
    [page!("console.events", GET "/events", Access::Scope(Scope::EventsRead), ["manage.events.list"], show)];

const SECTION: &str = "/events";

const COLUMNS: [Column; 3] =
    [Column::text("events-type"), Column::text("events-id").rank(2), Column::number("audit-time")];

/// The JSON of an event has up to a kilobyte, and a page at most 60.
const EVENTS_PER_PAGE: u32 = 20;

async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let words = visit.words;
    let kind = EventType::parse(&visit.query("type"));
    let before = visit.query("before").parse().ok();
    let filter = EventFilter { types: kind.into_iter().collect(), user_id: None };
    let found = newest_events(&*visit.served.data, &filter, before, EVENTS_PER_PAGE).await?;
    let is_empty = found.feed.last_position == found.feed.removed_position;
    let rows = found.events.iter().map(|event| (event.at, row(visit, event)));
    let newest = format!("{}?type={}", visit.path(SECTION), kind.map_or("", EventType::as_str));
    let older = found.before.map(|older| (format!("{newest}&before={older}"), "events-older"));
    let newest = before.map(|_: u64| (newest, "events-newest"));
    let content = html! {
        (bar(visit, kind).markup(visit))
        div #results {
            @if is_empty { (empty(visit, "events-none")) }
            @else if found.events.is_empty() { (empty(visit, if found.before.is_some() { "events-none-here" } else { "events-none-found" })) }
            @else { (table_by_day(visit, &words.say("events"), &COLUMNS, rows)) }
            (newest_and_older(visit, newest, older))
        }
        p .quiet { (words.say("events-cursor")) " " code { (found.feed.end()) } }
    };
    let sheet = Sheet::new(visit, SECTION, words.say("events")).line(html! { (words.say("events-hint")) });
    Ok(sheet.respond(&content))
}

fn bar<'b>(visit: &'b Visit<'_>, chosen: Option<EventType>) -> Bar<'b> {
    let options = html! {
        select name="type" {
            option value="" { (visit.words.say("events-all-types")) }
            @for kind in EventType::ALL {
                option value=(kind.as_str()) selected[Some(*kind) == chosen] { (kind.as_str()) }
            }
        }
    };
    let chip = |kind: EventType| Chip { text: kind.as_str().to_owned(), without: visit.path(SECTION) };
    let (chips, filters) = (chosen.map(chip).into_iter().collect(), field(visit, "events-type", options));
    let (hidden, found) = (html! {}, html! {});
    Bar { action: visit.path(SECTION), search: None, chips, filters, hidden, found }
}

fn row(visit: &Visit<'_>, event: &Event) -> Vec<Markup> {
    // A view of strings, numbers and times always serialises.
    let json = serde_json::to_string_pretty(&EventView::from(event)).unwrap_or_default();
    vec![
        html! {
            code { (event.kind.as_str()) }
            details { summary .quiet { "JSON" } pre tabindex="0" { (json) } }
        },
        html! { span .quiet { (event.id()) } },
        clock_time(event.at, &visit.served),
    ]
}
