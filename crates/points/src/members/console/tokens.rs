//! The tokens of a member on the page of the member.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::lists::{Column, list_table};
use pointbook_domain::{TokenKind, TokenRecord, User};
use pointbook_http::pages::{PageError, moment, number};
use pointbook_store::ports::TokenFilter;

const COLUMNS: [Column; 3] =
    [Column::text("member-token-id"), Column::text("member-token-since"), Column::text("member-token-until")];

/// How many tokens the page of a member lists.
const SHOWN: usize = 20;
/// How many tokens the page reads. The store returns them in no order of time.
const MOST: u32 = 1_000;

/// The tokens that work now, the newest first. The server does not know their texts.
pub(super) async fn sign_ins(visit: &Visit<'_>, user: &User) -> Result<Markup, PageError> {
    let filter = TokenFilter::Of(TokenKind::Customer(user.id.clone()));
    let words = visit.words;
    let mut tokens = visit.served.data.tokens_after(&filter, None, MOST + 1).await?;
    if tokens.len() > MOST as usize {
        return Ok(html! { p .quiet { (words.say("member-tokens-too-many")) } });
    }
    tokens.retain(|token| token.is_good_at(visit.now));
    tokens.sort_by_key(|token| (token.created_at, token.hash.0));
    let count = number(i64::try_from(tokens.len()).unwrap_or(i64::MAX), words);
    let rows: Vec<_> = tokens.iter().rev().take(SHOWN).map(|token| row(visit, token)).collect();
    Ok(html! {
        @if tokens.is_empty() {
            p .quiet { (words.say("member-no-tokens")) }
        } @else {
            p { (words.with("member-tokens", "count", count)) }
            (list_table(visit, &words.say("member-sessions"), &COLUMNS, &rows))
            @if tokens.len() > SHOWN { p .quiet { (words.with("member-tokens-newest", "count", SHOWN)) } }
        }
    })
}

fn row(visit: &Visit<'_>, token: &TokenRecord) -> Vec<Markup> {
    let no_end = || html! { (visit.words.say("member-token-no-end")) };
    let until = token.expires_at.map_or_else(no_end, |at| moment(at, &visit.served, visit.words));
    vec![html! { code { (token.hash.id()) } }, moment(token.created_at, &visit.served, visit.words), until]
}
