//! Makes the one-time link with which a member signs in to the shop.

use pointbook_domain::UserId;
use pointbook_store::{Context, StoreResult};

use crate::sessions::NoteLink;
use crate::sessions::address::{PagesOf, link_url};
use crate::sessions::link::SignInLink;

/// The result of making a link. Only the first one has a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShopLink {
    Made {
        url: String,
        link: SignInLink<UserId>,
    },
    /// The tenant has no shop.
    NoShop,
    UserDisabled,
}

/// Makes a link for a user, who may be unknown: the first use creates the user. It writes only an entry of the audit
/// log, because the link says who signs in, and only the service can make one. The nonce is random.
///
/// # Errors
/// When the store fails.
pub async fn make_shop_link(context: &Context, user_id: UserId, nonce: [u8; 32]) -> StoreResult<ShopLink> {
    let (served, now) = (&context.tenant, context.now);
    if !served.tenant.settings.shop {
        return Ok(ShopLink::NoShop);
    }
    let user = served.data.user(&user_id).await?;
    if user.is_some_and(|user| user.disabled_at.is_some()) {
        return Ok(ShopLink::UserDisabled);
    }
    context.write(NoteLink::OfMember(user_id.clone())).await?;
    let link = SignInLink::new(user_id, now, nonce);
    let text = link.to_text(&*served.secrets.get(now).await?);
    let url = link_url(served.tenant.base_url.origin(), PagesOf::Shop, &served.tenant, &text);
    Ok(ShopLink::Made { url, link })
}
