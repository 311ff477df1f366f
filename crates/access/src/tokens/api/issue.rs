//! `POST /v1/auth/token`: issues a token of a customer.

use http::StatusCode;
use pointbook_domain::{Timestamp, TokenKind, UserId};
use pointbook_http::answer::answer;
use pointbook_http::body::{BodyFields, JsonBody, Reader, integer_in, new_user_id, schema_of};
use pointbook_http::describe::{BodyDoc, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::FieldErrors;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};
use pointbook_store::ports::InsertTokenOutcome;

use crate::tokens::issue::{NewToken, keep_token};
use crate::tokens::secret_text::{MAX_EXPIRES_IN_SECONDS, SecretText, kept_issue};
use crate::tokens::view::TokenView;

/// What the request asks for.
#[derive(Debug, PartialEq, Eq)]
struct Wish {
    user_id: UserId,
    expires_in_seconds: Option<u32>,
}

/// A key issues no token that outlives it: the end of a key would mean little if one of its tokens never ended. The revocation of a key
/// revokes none, because members would be signed out with it.
///
/// With an `Idempotency-Key`, a repeated request shows the same token again ([`SecretText`]).
pub(super) async fn issue_token(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let wish = read_wish(body.fields())?;
    let (key, now) = (body.key, request.now);
    let secret = SecretText::of(&request, key.clone()).await?;
    let context = request.once(key, move |outcome| kept(*outcome, now));
    let expires_by = request.sender.expires_at();
    let kind = TokenKind::Customer(wish.user_id.clone());
    let new = NewToken { expires_by, ..NewToken::new(kind, wish.expires_in_seconds) };
    let execution = keep_token(&context, &secret.new_text(now), new.clone()).await?;
    let (kept, is_repeated) = answer(execution, |outcome| kept(*outcome, now))?;
    secret.respond(kept, is_repeated, |text, issued_at| {
        let view = TokenView::new(text, &wish.user_id, new.expires_at(issued_at));
        Answer::json(StatusCode::CREATED, &Success::of(view))
    })
}

fn read_wish(mut fields: BodyFields<'_>) -> Result<Wish, FieldErrors> {
    let user_id = fields.required("user_id", new_user_id());
    let about = "Seconds until the token expires. It expires with the key that issued it at the latest, or never without both.";
    let expires_in = integer_in(1..=MAX_EXPIRES_IN_SECONDS).about(about);
    let expires_in_seconds = fields.optional("expires_in", expires_in);
    fields.finish(|| Some(Wish { user_id: user_id?, expires_in_seconds }))
}

/// The kept response: the time of issue in place of the token.
fn kept(outcome: InsertTokenOutcome, issued_at: Timestamp) -> Answer {
    match outcome {
        InsertTokenOutcome::Stored => kept_issue(issued_at),
        // Customers' tokens are not limited.
        InsertTokenOutcome::TooManyKeys => ApiError::Internal.into(),
        InsertTokenOutcome::UserDisabled => super::user_disabled().into(),
    }
}

pub(super) fn documentation() -> Operation {
    Operation::ours("issueToken", Tag::Management, "Issue a token of a customer")
        .describe(
            "Issues a token of a user, and creates an unknown user. The server shows the token only in this response, \
             and again when the request is repeated with its `Idempotency-Key`. A disabled user gets no token (422 on \
             `user_id`).",
        )
        .defining("NewToken", || schema_of(read_wish))
        .reading(BodyDoc::Json("NewToken", r#"{"user_id": "ben", "expires_in": 604800}"#))
        .success::<TokenView<'_>>(StatusCode::CREATED, "The token.", EXAMPLE)
}

const EXAMPLE: &str = include_str!("issue.json");

#[cfg(test)]
mod tests {
    use pointbook_testkit::read_text;

    use super::*;

    fn wish(user_id: &str, expires_in_seconds: Option<u32>) -> Wish {
        Wish { user_id: UserId::new(user_id).unwrap(), expires_in_seconds }
    }

    #[test]
    fn a_token_has_an_end_only_when_one_is_given() {
        let read = |text| read_text(text, read_wish).unwrap();
        assert_eq!(read(r#"{"user_id":"u1"}"#), wish("u1", None));
        assert_eq!(read(r#"{"user_id":"u1","expires_in":null}"#), wish("u1", None));
        assert_eq!(read(r#"{"user_id":"u1","expires_in":315360000}"#), wish("u1", Some(315_360_000)));
    }

    #[test]
    fn every_bad_field_is_reported_at_once_and_in_order() {
        let refused = |text| serde_json::to_string(&read_text(text, read_wish).unwrap_err()).unwrap();
        assert_eq!(
            refused(r#"{"expires_in":0,"user":"u1"}"#),
            r#"{"user_id":["The user id field is required."],"expires_in":["The expires in must be at least 1."],"user":["The user field is not known."]}"#
        );
        assert_eq!(
            refused(r#"{"user_id":"u1","expires_in":315360001}"#),
            r#"{"expires_in":["The expires in must not be greater than 315360000."]}"#
        );
    }
}
