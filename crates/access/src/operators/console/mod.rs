//! The operators of the tenant. Only owners see them, because no operation of the interface does.

mod add;
mod change;
mod one;
mod shared;

use std::collections::HashMap;

use maud::html;
use pointbook_domain::{Operator, OperatorId, Role, Timestamp};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment};

use self::shared::{SECTION, address};
use crate::console_kit::authors::Authors;
use crate::console_kit::components::quiet_number;
use crate::console_kit::lists::{Column, list_table};
use crate::console_kit::navigation::{Counting, due, rows};
use crate::console_kit::sheet::{Sheet, primary};
use crate::console_kit::{Access, PageSpec, Visit, page};
use crate::operators::manage::list_operators;
use crate::sessions::{list_link_requests, list_operator_sessions};
use pointbook_store::{ServedTenant, schema};

pub(crate) static PAGES: [PageSpec; 8] = [
    page!("console.operators", GET "/operators", Access::Owner, [], list).counting(count),
    page!("console.operators.new", GET "/operators/new", Access::Owner, [], add::show),
    page!("console.operators.add", POST "/operators/new", Access::Owner, [], add::add).asking_again(),
    page!("console.operators.show", GET "/operators/{id}", Access::Owner, [], one::show),
    page!("console.operators.role", POST "/operators/{id}/role", Access::Owner, [], change::role)
        .asking_again(),
    page!("console.operators.link", POST "/operators/{id}/link", Access::Owner, [], change::link)
        .asking_again(),
    page!("console.operators.end_sessions", POST "/operators/{id}/end-sessions", Access::Owner, [], change::end_sessions),
    page!("console.operators.remove", POST "/operators/{id}/remove", Access::Owner, [], change::remove)
        .asking_again(),
];

/// How many operators ask for a link, or how many there are.
fn count(served: &ServedTenant, _: Timestamp) -> Counting<'_> {
    Box::pin(async move {
        let asked = list_link_requests(&*served.data).await?.len();
        let asking = due(asked.try_into().unwrap_or(u64::MAX), "operators-ask");
        if asking.is_some() { Ok(asking) } else { rows(served, &schema::OPERATORS).await }
    })
}

async fn list(visit: &Visit<'_>) -> Result<Response, PageError> {
    let (words, data) = (visit.words, &*visit.served.data);
    let operators = list_operators(data).await?;
    let asked: HashMap<OperatorId, Timestamp> = list_link_requests(data).await?.into_iter().collect();
    let mut sessions: HashMap<OperatorId, i64> = HashMap::new();
    for session in list_operator_sessions(data, visit.shared.service.clock.now()).await? {
        *sessions.entry(session.operator_id).or_default() += 1;
    }
    let authors = Authors::new(&operators);
    let row = |operator: &Operator| {
        let Operator { email, id, name, role, created_at, created_by } = operator;
        let badge =
            html! { @if asked.contains_key(id) { " " span .badge .warn { (words.say("operator-asks")) } } };
        vec![
            html! { span .thing { span { a href=(address(visit, id)) { (name) } (badge) span .sub { (email) } } } },
            html! { (email) },
            html! { (words.say(&format!("role-{role}"))) },
            html! { (moment(*created_at, &visit.served, words)) " " span .quiet { (authors.name_or_id(created_by)) } },
            html! { (quiet_number(sessions.get(id).copied().unwrap_or_default(), words)) },
        ]
    };
    let (asking, others): (Vec<_>, Vec<_>) =
        operators.iter().partition(|operator| asked.contains_key(&operator.id));
    let rows: Vec<_> = asking.into_iter().chain(others).map(row).collect();
    let columns = [
        Column::text("operator-name"),
        Column::text("operator-email").rank(2),
        Column::text("operator-role"),
        Column::text("operator-added").rank(3),
        Column::number("operator-sessions").rank(2),
    ];
    let content = html! {
        (list_table(visit, &words.say("operators"), &columns, &rows))
        details {
            summary { (words.say("operator-roles")) }
            dl .facts { @for role in Role::ALL { div { dt { (words.say(&format!("role-{role}"))) } dd { (words.say(&format!("operator-role-{role}"))) } } } }
        }
    };
    let sheet = Sheet::new(visit, SECTION, words.say("operators"))
        .line(html! { (words.say("operators-hint")) })
        .actions(primary(visit, &visit.path("/operators/new"), "operator-new"));
    Ok(sheet.respond(&content))
}
