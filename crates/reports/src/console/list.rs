//! The list of all reports.

use maud::html;
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::lists::{Column, Rows, grouped_table, named};
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_http::kernel::Response;
use pointbook_http::pages::PageError;

use super::cells::PATH;
use crate::for_role::scope;
use crate::reports::{REPORTS, Span};

const COLUMNS: [Column; 2] = [Column::text("report"), Column::text("report-about").rank(2)];

pub(super) async fn list(visit: &Visit<'_>) -> Result<Response, PageError> {
    let role = visit.signed_in()?.operator.role;
    let words = visit.words;
    let group = |(heading, span): (&str, Span)| {
        let seen = REPORTS.into_iter().filter(|report| report.span == span && role.has(scope(report)));
        let rows: Rows = seen
            .map(|report| {
                let [name, about] =
                    ["", "-about"].map(|end| words.say(&format!("report-{}{end}", report.name)));
                let path = visit.path(&format!("{PATH}/{}", report.name));
                vec![named(&path, &name, &about), html! { span .quiet { (about) } }]
            })
            .collect();
        (words.say(heading).into_owned(), rows)
    };
    let groups = [("reports-of-days", Span::Days), ("reports-whole", Span::Whole)].map(group);
    let title = words.say("reports");
    let hint = html! { (words.with("reports-hint", "name", visit.served.zone().name().as_str())) };
    let content = grouped_table(visit, &title, &COLUMNS, &groups);
    Ok(Sheet::new(visit, PATH, &*title).line(hint).respond(&content))
}
