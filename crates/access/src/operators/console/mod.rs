//! The operators of the tenant. Only owners see them, because no operation of the interface does.

mod add;
mod change;
mod one;
mod shared;

use std::collections::HashMap;

use maud::{Markup, html};
use pointbook_domain::{Operator, OperatorId, Role};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment, number};

use self::shared::{SECTION, address};
use crate::console_kit::authors::Authors;
use crate::console_kit::components::table;
use crate::console_kit::navigation::rows;
use crate::console_kit::sheet::{Sheet, primary};
use crate::console_kit::{Access, PageSpec, Visit, page};
use crate::operators::manage::list_operators;
use crate::sessions::list_operator_sessions;
use pointbook_store::schema;

pub(crate) static PAGES: [PageSpec; 8] = [
    page!("console.operators", GET "/operators", Access::Owner, [], list)
        .counting(|served, _| rows(served, &schema::OPERATORS)),
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

async fn list(visit: &Visit<'_>) -> Result<Response, PageError> {
    let (words, data) = (visit.words, &*visit.served.data);
    let operators = list_operators(data).await?;
    let mut sessions: HashMap<OperatorId, i64> = HashMap::new();
    for session in list_operator_sessions(data, visit.shared.service.clock.now()).await? {
        *sessions.entry(session.operator_id).or_default() += 1;
    }
    let authors = Authors::new(&operators);
    let rows: Vec<_> = operators.iter().map(|operator| row(visit, operator, &authors, &sessions)).collect();
    let headings =
        ["operator-name", "operator-email", "operator-role", "operator-added", "operator-sessions"];
    let content = html! {
        (table(visit, &headings, &rows))
        h2 { (words.say("operator-roles")) }
        dl .facts { @for role in Role::ALL { div { dt { (words.say(&format!("role-{role}"))) } dd { (words.say(&format!("operator-role-{role}"))) } } } }
    };
    let sheet = Sheet::new(visit, SECTION, words.say("operators"))
        .line(html! { (words.say("operators-hint")) })
        .actions(primary(visit, &visit.path("/operators/new"), "operator-new"));
    Ok(sheet.respond(&content))
}

fn row(
    visit: &Visit<'_>,
    operator: &Operator,
    authors: &Authors,
    sessions: &HashMap<OperatorId, i64>,
) -> Vec<Markup> {
    let words = visit.words;
    let Operator { email, id, name, role, created_at, created_by } = operator;
    vec![
        html! { a href=(address(visit, id)) { (name) } },
        html! { (email) },
        html! { (words.say(&format!("role-{role}"))) },
        html! { (moment(*created_at, &visit.served, words)) br; span .quiet { (authors.name_or_id(created_by)) } },
        html! { (number(sessions.get(id).copied().unwrap_or_default(), words)) },
    ]
}
