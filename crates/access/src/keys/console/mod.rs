//! API keys: the list, adding one, and revoking one.

mod add;
mod form;

use maud::{Markup, html};
use pointbook_domain::{Scope, TokenId, TokenKind, TokenRecord};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, moment, see_other};
use pointbook_store::ports::TokenFilter;

use crate::console_kit::authors::Authors;
use crate::console_kit::components::empty_with;
use crate::console_kit::lists::{Column, list_table};
use crate::console_kit::sheet::{Sheet, more, primary};
use crate::console_kit::{Access, PageSpec, Visit, page};
use crate::tokens::issue::list_tokens;
use crate::tokens::revoke::{RevokeKeyOutcome, revoke_key};

const ACCESS: Access = Access::Scope(Scope::KeysWrite);

pub(crate) static PAGES: [PageSpec; 4] = [
    page!("console.keys", GET "/keys", ACCESS, ["manage.keys.list"], list),
    page!("console.keys.new", GET "/keys/new", ACCESS, ["manage.keys.add"], add::show),
    page!("console.keys.add", POST "/keys/new", ACCESS, ["manage.keys.add"], add::add).asking_again(),
    page!("console.keys.revoke", POST "/keys/{id}/revoke", ACCESS, ["manage.keys.revoke"], revoke)
        .asking_again(),
];

const SECTION: &str = "/keys";

async fn list(visit: &Visit<'_>) -> Result<Response, PageError> {
    let words = visit.words;
    let all = list_tokens(&*visit.served.data, &TokenFilter::Of(TokenKind::SuperUser)).await?;
    let authors = Authors::of(visit).await?;
    let active = all.iter().filter(|key| key.is_good_at(visit.now));
    let rows: Vec<_> = active.map(|key| row(visit, key, &authors)).collect::<Result<_, _>>()?;
    let columns = [
        Column::text("key-label"),
        Column::text("key-scopes").rank(2),
        Column::text("key-networks").rank(3),
        Column::text("key-end").rank(2),
        Column::text("key-created").rank(3),
        Column::text("key-used"),
        Column::text("key-revoke-title"),
    ];
    let content = html! {
        @if rows.is_empty() { (empty_with(visit, "keys-none", Some(("/keys/new", "key-new")))) } @else { (list_table(visit, &words.say("keys"), &columns, &rows)) }
    };
    let sheet = Sheet::new(visit, SECTION, words.say("keys"))
        .line(html! { (words.say("keys-hint")) })
        .actions(primary(visit, &visit.path("/keys/new"), "key-new"));
    Ok(sheet.respond(&content))
}

/// A key can do everything when it names no scope: those are the keys of the command line and of the time before scopes.
fn row(visit: &Visit<'_>, key: &TokenRecord, authors: &Authors) -> Result<Vec<Markup>, PageError> {
    let (words, served, id) = (visit.words, &visit.served, key.hash.id());
    let token = &visit.signed_in()?.form_token;
    let by = authors.name_or_id(key.created_by.as_deref().unwrap_or_default());
    let scopes: Vec<_> = key
        .scopes
        .filter(|scopes| !scopes.is_all())
        .into_iter()
        .flat_map(pointbook_domain::Scopes::iter)
        .collect();
    Ok(vec![
        html! {
            strong { @if let Some(label) = &key.label { (label) } @else { (words.say("key-no-label")) } }
            " " code .quiet { (id) }
        },
        html! {
            @if scopes.is_empty() { (words.say("key-all-scopes")) }
            @for scope in &scopes { code { (scope) } " " }
        },
        html! {
            @if key.networks.is_empty() { (words.say("key-everywhere")) }
            @for network in key.networks.iter() { code { (network) } " " }
        },
        html! { @if let Some(at) = key.expires_at { (moment(at, served, words)) } @else { (words.say("key-never-ends")) } },
        html! { (moment(key.created_at, served, words)) " " span .quiet { (by) } },
        html! { @if let Some(at) = key.last_used_at { (moment(at, served, words)) } @else { (words.say("key-never-used")) } },
        more(
            visit,
            &[html! {
                form method="post" action=(visit.path(&format!("/keys/{id}/revoke"))) {
                    (form_token(token))
                    p { (words.say("key-revoke-hint")) }
                    button .danger { (words.say("key-revoke")) }
                }
            }],
        ),
    ])
}

async fn revoke(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let id = TokenId::parse(&visit.param("id")?).map_err(|_| PageError::NotFound)?;
    if revoke_key(&visit.context()?, id).await? != RevokeKeyOutcome::Revoked {
        return Err(PageError::NotFound);
    }
    Ok(see_other(&visit.path("/keys?said=key-revoked")))
}
