//! The list of members, by id.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{empty_list, respond, respond_mistaken, table};
use pointbook_access::console_kit::draft::Draft;
use pointbook_domain::{Locale, Scope, User};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment, number, pager, visible};
use pointbook_store::ports::UserFilter;

use super::add::add_form;
use super::paths::{SECTION, may, member_path};

const ROWS: u32 = 50;
const COLUMNS: [&str; 5] = ["member-id", "member-points", "member-since", "member-language", "member-state"];

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, &Draft::default()).await
}

/// The list, with the form for a new member as it was typed.
pub(super) async fn page(visit: &Visit<'_>, draft: &Draft<'_>) -> Result<Response, PageError> {
    let (search, disabled) = (visit.searched_words("search"), visit.query("disabled"));
    let filter = UserFilter {
        search: Some(search.clone()).filter(|search| !search.is_empty()),
        disabled: disabled.parse().ok(),
    };
    let page = visit.page(ROWS);
    let users = visit.served.data.users(&filter, page).await?;
    let rows: Vec<_> = users.items.iter().map(|user| row(visit, user)).collect();
    let address = visit.address_of_pages(SECTION, &[("search", &search), ("disabled", &disabled)]);
    let window = page.window(users.total);
    let is_filtered = filter != UserFilter::default();
    let content = html! {
        @if may(visit, Scope::UsersWrite)? { (add_form(visit, draft)?) }
        (filters(visit, &search, &disabled))
        @if rows.is_empty() {
            (empty_list(visit, &window, if is_filtered { "members-none-found" } else { "members-none" }))
        } @else {
            p .quiet { (visit.words.with("members-count", "count", number(i64::try_from(users.total).unwrap_or(i64::MAX), visit.words))) }
            div .members { (table(visit, &COLUMNS, &rows)) }
        }
        (pager(visit.words, &window, &address))
    };
    let respond = if draft.is_refused() { respond_mistaken } else { respond };
    Ok(respond(visit, SECTION, &visit.words.say("members"), &content))
}

/// The filters of the list of the interface.
fn filters(visit: &Visit<'_>, search: &str, disabled: &str) -> Markup {
    let words = visit.words;
    let states = [("", "members-all"), ("false", "members-enabled"), ("true", "members-disabled")];
    html! {
        form .filters method="get" action=(visit.path(SECTION)) {
            label { (words.say("member-part")) input type="search" name="search" value=(search) maxlength="255"; }
            label {
                (words.say("member-state"))
                select name="disabled" {
                    @for (value, text) in states { option value=(value) selected[value == disabled] { (words.say(text)) } }
                }
            }
            button { (words.say("member-filter")) }
        }
    }
}

fn row(visit: &Visit<'_>, user: &User) -> Vec<Markup> {
    let User { id, balance, locale, disabled_at, created_at, birth_date: _, birth_date_set_at: _ } = user;
    vec![
        html! { a href=(member_path(visit, id, "")) { (visible(id.as_str())) } },
        html! { (number(balance.get(), visit.words)) },
        moment(*created_at, &visit.served, visit.words),
        html! { (locale.as_ref().map_or("–", Locale::as_str)) },
        html! { @if disabled_at.is_some() { span .mark { (visit.words.say("member-disabled")) } } @else { (visit.words.say("member-enabled")) } },
    ]
}
