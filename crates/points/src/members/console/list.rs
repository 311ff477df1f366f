//! The list of members, by id.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{field, quiet_number};
use pointbook_access::console_kit::draft::Draft;
use pointbook_access::console_kit::lists::{Bar, Chip, Column, found, list_table, no_rows};
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_domain::{Scope, User};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment, pager, visible};
use pointbook_store::ports::UserFilter;

use super::add::add_form;
use super::paths::{SECTION, may, member_path};
use super::show::language;
use crate::members::read::members;

const ROWS: u32 = 50;
const COLUMNS: [Column; 5] = [
    Column::text("member-id"),
    Column::number("member-points"),
    Column::text("member-since").rank(2),
    Column::text("member-language").rank(3),
    Column::text("member-state").rank(2),
];

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
    let users = members(&visit.served, &filter, page, visit.now).await?;
    let rows: Vec<_> = users.items.iter().map(|user| row(visit, user)).collect();
    let address = visit.address_of_pages(SECTION, &[("search", &search), ("disabled", &disabled)]);
    let window = page.window(users.total);
    let is_filtered = filter != UserFilter::default();
    let imports = may(visit, Scope::ProductsWrite)?.then_some(("/imports", "imports"));
    let content = html! {
        (bar(visit, &search, &disabled, found(visit, &window)).markup(visit))
        div #results {
            @if rows.is_empty() {
                (no_rows(visit, &window, is_filtered, ("members-none", imports), &visit.path(SECTION)))
            } @else {
                (list_table(visit, &visit.words.say("members"), &COLUMNS, &rows))
            }
            (pager(visit.words, &window, &address))
        }
    };
    let add = html! { @if may(visit, Scope::UsersWrite)? { (add_form(visit, draft)?) } };
    let sheet = Sheet::new(visit, SECTION, visit.words.say("members")).actions(add);
    Ok(if draft.is_refused() { sheet.respond_mistaken(&content) } else { sheet.respond(&content) })
}

/// The filters of the list of the interface.
fn bar<'b>(visit: &'b Visit<'_>, search: &'b str, disabled: &str, found: Markup) -> Bar<'b> {
    let words = visit.words;
    let states = [("", "members-all"), ("false", "members-enabled"), ("true", "members-disabled")];
    let held = states.iter().find(|(value, _)| *value == disabled && !value.is_empty());
    let without = format!("{}1", visit.address_of_pages(SECTION, &[("search", search)]));
    let chip = held.map(|(_, text)| Chip { text: words.say(text).into_owned(), without });
    let filters = field(
        visit,
        "member-state",
        html! {
            select name="disabled" {
                @for (value, text) in states { option value=(value) selected[value == disabled] { (words.say(text)) } }
            }
        },
    );
    let (search, chips) = (Some(("member-part", "search", search)), chip.into_iter().collect());
    Bar { action: visit.path(SECTION), search, chips, filters, hidden: html! {}, found }
}

fn row(visit: &Visit<'_>, user: &User) -> Vec<Markup> {
    let User {
        id,
        balance,
        locale,
        disabled_at,
        created_at,
        birth_date: _,
        birth_date_set_at: _,
        lots: _,
        pending: _,
    } = user;
    vec![
        html! { a href=(member_path(visit, id, "")) { (visible(id.as_str())) } },
        quiet_number(balance.get(), visit.words),
        moment(*created_at, &visit.served, visit.words),
        html! { (locale.as_ref().map_or_else(|| "–".to_owned(), |locale| language(locale, visit.words))) },
        html! { @if disabled_at.is_some() { span .badge .bad { (visit.words.say("member-disabled")) } } @else { span .quiet { (visit.words.say("member-enabled")) } } },
    ]
}
