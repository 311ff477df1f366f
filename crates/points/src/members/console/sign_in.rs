//! The end of all tokens of a member, and one-time links to the shop.

use maud::html;
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::draft::Draft;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::sessions::{ShopLink, make_shop_link};
use pointbook_access::tokens::revoke::revoke_user_tokens;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment, see_other, visible};

use super::forms::Drafts;
use super::paths::{SECTION, find, member_path};
use super::show::page;

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
    let fault = match make_shop_link(&visit.context()?, user.id.clone(), nonce).await? {
        ShopLink::Made { url, link } => {
            let words = visit.words;
            let content = html! {
                p { (words.say("member-link-once")) }
                pre .secret { (url) }
                p .quiet { (words.say("member-token-until")) ": " (moment(link.expires_at, &visit.served, words)) }
                p { a href=(member_path(visit, &user.id, "")) { (words.say("member-back")) } }
            };
            let title = words.with("member-link-of", "name", visible(user.id.as_str()));
            return Ok(Sheet::new(visit, SECTION, title).respond(&content));
        }
        ShopLink::NoShop => "member-fault-no-shop",
        ShopLink::UserDisabled => "member-fault-member-disabled",
    };
    let mut draft = Draft::of(&sent);
    draft.refuse("form", visit.words.say(fault));
    page(visit, &user, &Drafts { link: draft, ..Drafts::default() }).await
}
