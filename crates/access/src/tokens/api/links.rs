//! `POST /v1/auth/links`: a one-time link with which a member signs in to the shop.

use http::StatusCode;
use pointbook_domain::UserId;
use pointbook_http::body::{BodyFields, JsonBody, new_user_id, schema_of};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{Conflict, FieldErrors};
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};

use crate::sessions::view::SignInLinkView;
use crate::sessions::{ShopLink, make_shop_link};

pub(super) async fn link(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let user_id = read_user(body.fields())?;
    match make_shop_link(&request.context(), user_id, request.state.secrets.secret()).await? {
        ShopLink::Made { url, link } => {
            let view = SignInLinkView::new(&url, &link.subject, link.expires_at);
            Ok(Answer::json(StatusCode::CREATED, &Success::of(view)).into_response())
        }
        ShopLink::NoShop => Err(Conflict::NoShop.into()),
        ShopLink::UserDisabled => Err(super::user_disabled()),
    }
}

fn read_user(mut fields: BodyFields<'_>) -> Result<UserId, FieldErrors> {
    let user_id = fields.required("user_id", new_user_id());
    fields.finish(|| user_id)
}

pub(super) fn documentation() -> Operation {
    Operation::ours("createSignInLink", Tag::Management, "Create a one-time link to the shop")
        .describe(
            "Creates a link with which a user signs in to the pages of the shop. It works once, within ten minutes, and opens a \
             session of twelve hours, which is a token of the user. The first use creates an unknown user. A disabled user gets no \
             link (422 on `user_id`). A tenant without a shop has none: 409 `no_shop`. A repeated request creates another link.",
        )
        .defining("NewSignInLink", || schema_of(read_user))
        .reading(BodyDoc::Json("NewSignInLink", r#"{"user_id": "ben"}"#))
        .success::<SignInLinkView<'_>>(StatusCode::CREATED, "The link.", EXAMPLE)
}

const EXAMPLE: &str = r#"{
    "success": true,
    "data": {
        "url": "http://localhost:8080/shop/acme/sign-in?link=VqnagyjLBa9EonVxxNmrdQAGYUBzHUYabWlhph7JZCzzMS3XDOEWTgY00t51lx0qAwJvpICMZV7l8es",
        "user_id": "ben",
        "expires_at": "2026-05-04T08:10:00.000000Z"
    }
}"#;
