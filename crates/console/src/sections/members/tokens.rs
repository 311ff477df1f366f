//! The tokens of a member on the page of the member.

use maud::{Markup, html};
use pointbook_app::list_tokens;
use pointbook_app::ports::TokenFilter;
use pointbook_domain::{TokenKind, TokenRecord, User};
use pointbook_page_kit::{PageError, moment, number};

use pointbook_console_kit::components::table;
use pointbook_console_kit::visit::Visit;

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
