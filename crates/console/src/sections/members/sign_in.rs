//! How a member signs in: the list of tokens, their end, and one-time links to the shop.

use maud::{Markup, html};
use pointbook_app::ports::TokenFilter;
use pointbook_app::{list_tokens, revoke_user_tokens};
use pointbook_domain::{TokenKind, TokenRecord, User};
use pointbook_http_kernel::Response;
use pointbook_page_kit::{PageError, moment, number, see_other};
use pointbook_sessions::{ShopLink, make_shop_link};

use super::show::{Drafts, page};
use super::{SECTION, find, member_path};
use crate::components::{respond, table};
use crate::draft::Draft;
use crate::visit::Visit;

/// How many tokens the page of a member lists.
const SHOWN: usize = 20;

/// The tokens that work now, the newest first. The server does not know their texts.
pub(super) async fn sign_ins(visit: &Visit<'_>, user: &User) -> Result<Markup, PageError> {
    let filter = TokenFilter::Of(TokenKind::Customer(user.id.clone()));
    let mut tokens = list_tokens(&*visit.served.data, &filter).await?;
    tokens.retain(|token| token.is_good_at(visit.now));
    let words = visit.words;
    let count = number(i64::try_from(tokens.len()).unwrap_or(i64::MAX), words);
    let rows: Vec<_> = tokens.iter().rev().take(SHOWN).map(|token| row(visit, token)).collect();
    Ok(html! {
        @if tokens.is_empty() {
            p .quiet { (words.say("member-no-tokens")) }
        } @else {
            details .panel {
                summary { (words.with("member-tokens", "count", count)) }
                (table(visit, &["member-token-id", "member-token-since", "member-token-until"], &rows))
                @if tokens.len() > SHOWN { p .quiet { (words.with("member-tokens-newest", "count", SHOWN)) } }
            }
        }
    })
}

fn row(visit: &Visit<'_>, token: &TokenRecord) -> Vec<Markup> {
    let no_end = || html! { (visit.words.say("member-token-no-end")) };
    let until = token.expires_at.map_or_else(no_end, |at| moment(at, &visit.served, visit.words));
    vec![html! { code { (token.hash.id()) } }, moment(token.created_at, &visit.served, visit.words), until]
}

/// Revokes all tokens of the member.
pub(super) async fn sign_out(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let id = find(visit).await?.id;
    revoke_user_tokens(&visit.context()?, &id).await?.ok_or(PageError::NotFound)?;
    Ok(see_other(&member_path(visit, &id, "?said=member-signed-out")))
}

/// Shows a link to the shop, this once. A repeated form makes another link, as the operation does.
pub(super) async fn link(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let user = find(visit).await?;
    let nonce = visit.shared.secrets.secret();
    let fault = match make_shop_link(&visit.served, user.id.clone(), visit.now, nonce).await? {
        ShopLink::Made { url, link } => {
            let words = visit.words;
            let content = html! {
                p { (words.say("member-link-once")) }
                pre .secret { (url) }
                p .quiet { (words.say("member-token-until")) ": " (moment(link.expires_at, &visit.served, words)) }
                p { a href=(member_path(visit, &user.id, "")) { (words.say("member-back")) } }
            };
            let title = words.with("member-link-of", "name", user.id.as_str());
            return Ok(respond(visit, SECTION, &title, &content));
        }
        ShopLink::NoShop => "member-fault-no-shop",
        ShopLink::UserDisabled => "member-fault-member-disabled",
    };
    let mut draft = Draft::of(&sent);
    draft.refuse("form", visit.words.say(fault));
    page(visit, &user, &Drafts { link: draft, ..Drafts::default() }).await
}
