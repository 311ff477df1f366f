//! The list of all reports.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_http::kernel::Response;
use pointbook_http::pages::PageError;

use super::cells::PATH;
use crate::for_role::scope;
use crate::reports::{REPORTS, Report, Span};

pub(super) async fn list(visit: &Visit<'_>) -> Result<Response, PageError> {
    let role = visit.signed_in()?.operator.role;
    let words = visit.words;
    let of_span = |span: Span| {
        let shown = REPORTS.into_iter().filter(move |report| report.span == span);
        shown.filter(move |report| role.has(scope(report)))
    };
    let zone = visit.served.zone().name();
    let content = html! {
        h2 { (words.say("reports-of-days")) }
        (entries(visit, of_span(Span::Days)))
        h2 { (words.say("reports-whole")) }
        (entries(visit, of_span(Span::Whole)))
    };
    let hint = html! { (words.with("reports-hint", "name", zone.as_str())) };
    Ok(Sheet::new(visit, PATH, words.say("reports")).line(hint).respond(&content))
}

fn entries<'r>(visit: &Visit<'_>, reports: impl Iterator<Item = &'r Report>) -> Markup {
    let words = visit.words;
    html! {
        ul .report-list {
            @for report in reports {
                li .card {
                    h3 { a href=(visit.path(&format!("{PATH}/{}", report.name))) { (words.say(&format!("report-{}", report.name))) } }
                    p .quiet { (words.say(&format!("report-{}-about", report.name))) }
                }
            }
        }
    }
}
