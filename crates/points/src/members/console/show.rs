//! The page of a member: who it is, the balance, what can be done, and the ledger, the sign-ins or the notes below.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::components::empty_list;
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::sheet::{Sheet, tabs};
use pointbook_access::console_kit::{Visit, assets};
use pointbook_domain::{Locale, Scope, User};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, Words, date, moment_text, pager, spelt, visible};
use pointbook_store::ports::OrderFilter;

use super::award_form::award_dialog;
use super::balance::glance;
use super::forms::Drafts;
use super::paths::{SECTION, find, may, member_path};
use super::{forms, ledger, notes, tokens};
use crate::orders::console::list::rows;

/// The orders of a page.
const ORDERS: u32 = 40;

/// What is below the tabs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Ledger,
    Orders,
    Sessions,
    Notes,
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, &find(visit).await?, &Drafts::default()).await
}

/// `GET /members/{id}/sessions`: the tokens that work.
pub(super) async fn sessions(visit: &Visit<'_>) -> Result<Response, PageError> {
    let user = find(visit).await?;
    let content = tokens::sign_ins(visit, &user).await?;
    of_member(visit, &user, &Drafts::default(), Tab::Sessions, &content).await
}

/// `GET /members/{id}/orders`: the orders, the newest first.
pub(super) async fn orders(visit: &Visit<'_>) -> Result<Response, PageError> {
    if !may(visit, Scope::OrdersRead)? {
        return Err(PageError::Forbidden);
    }
    let user = find(visit).await?;
    let filter = OrderFilter { user_id: Some(user.id.clone()), ..OrderFilter::default() };
    let page = visit.page(ORDERS);
    let orders = visit.served.data.orders(&filter, page).await?;
    let window = page.window(orders.total);
    let address = visit.address_of_pages(&format!("{SECTION}/{}/orders", segment(user.id.as_str())), &[]);
    let content = html! {
        @if orders.items.is_empty() { (empty_list(visit, &window, "member-no-orders")) }
        @else { (rows(visit, &orders.items, None, false).await?) }
        (pager(visit.words, &window, &address))
    };
    of_member(visit, &user, &Drafts::default(), Tab::Orders, &content).await
}

/// The page with the ledger, with forms that were refused. A note that was refused has its own tab.
pub(super) async fn page(visit: &Visit<'_>, user: &User, drafts: &Drafts<'_>) -> Result<Response, PageError> {
    if drafts.note.is_refused() {
        return of_member(visit, user, drafts, Tab::Notes, &notes::of(visit, user, &drafts.note).await?)
            .await;
    }
    of_member(visit, user, drafts, Tab::Ledger, &ledger::of(visit, user).await?).await
}

/// A page of the member with this below the tabs.
pub(super) async fn of_member(
    visit: &Visit<'_>,
    user: &User,
    drafts: &Drafts<'_>,
    tab: Tab,
    below: &Markup,
) -> Result<Response, PageError> {
    let words = visit.words;
    let path = |rest: &str| member_path(visit, &user.id, rest);
    let rest = match tab {
        Tab::Ledger => "",
        Tab::Orders => "/orders",
        Tab::Sessions => "/sessions",
        Tab::Notes => "/notes",
    };
    let page = format!("{SECTION}/{}{rest}", segment(user.id.as_str()));
    let content = html! {
        @if let Some(ascii) = spelt(user.id.as_str()) {
            p .notice { (words.say("member-looks-alike")) " " code { (ascii) } }
        }
        @if may(visit, Scope::ActivitiesWrite)? { (award_dialog(visit, user, &drafts.award)?) }
        (glance(visit, user, &page).await?)
        (tabs(visit, [
            ("member-ledger", path(""), tab == Tab::Ledger),
            ("orders", path("/orders"), tab == Tab::Orders),
            ("member-sessions", path("/sessions"), tab == Tab::Sessions),
            ("member-notes", path("/notes"), tab == Tab::Notes),
        ].map(|(name, address, is_here)| (name, address, is_here, html! {}))))
        (below)
    };
    let state = html! {
        @if user.disabled_at.is_some() { span .badge .bad { (words.say("member-disabled")) } }
        @else { span .badge .good { (words.say("member-enabled")) } }
    };
    let sheet = Sheet::new(visit, SECTION, visible(user.id.as_str()))
        .styled(&[assets::CHARTS])
        .beside(state)
        .line(html! { (about(visit, user)) })
        .actions(forms::all(visit, user, drafts)?);
    if drafts.are_refused() {
        return Ok(sheet.respond_mistaken(&content));
    }
    Ok(sheet.respond_with(StatusCode::OK, &content))
}

/// The language and the birthday, as far as they are known; and since when the member is shut out.
fn about(visit: &Visit<'_>, user: &User) -> String {
    let (words, served) = (visit.words, &visit.served);
    let since = |text, at| words.with(text, "time", moment_text(at, served, words)).into_owned();
    let known = [
        user.locale
            .as_ref()
            .map(|locale| words.with("member-speaks", "name", language(locale, words)).into_owned()),
        user.birth_date.map(|day| words.with("member-born", "day", date(day, words)).into_owned()),
        user.disabled_at.map(|at| since("member-disabled-time", at)),
    ];
    known.into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

/// The name of a language that has one here, with what follows it in the tag; otherwise the tag.
pub(super) fn language(locale: &Locale, words: &Words) -> String {
    let (language, rest) = locale.as_str().split_once('-').unwrap_or((locale.as_str(), ""));
    let name = words.say(&format!("language-{}", language.to_ascii_lowercase()));
    match (&*name, rest) {
        ("", _) => locale.as_str().to_owned(),
        (name, "") => name.to_owned(),
        (name, rest) => format!("{name} ({rest})"),
    }
}
