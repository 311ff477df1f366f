//! `POST /v1/auth/token`: issues a token of a customer.

use std::sync::Arc;

use http::header::CACHE_CONTROL;
use http::{HeaderValue, StatusCode};
use pointbook_app::ports::{InsertTokenOutcome, RequestKey};
use pointbook_app::{
    StoreError, TenantSecret, derived_secret, derived_secret_of_caller, keep_token, token_text,
};
use pointbook_describe::{BodyDoc, Operation, Schema, optional, required};
use pointbook_domain::{Timestamp, TokenKind, UserId};
use pointbook_http_kernel::Response;
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, answer, respond};
use crate::body::{BodyFields, JsonBody, id, integer_in};
use crate::error::{FieldCode, FieldErrors, Rule};
use crate::openapi::Tag;
use crate::routes::HttpState;
use crate::wire::success::Success;
use crate::wire::token::TokenView;
use crate::{ApiError, Asked};

/// The longest life of a token, in seconds: ten years of 365 days.
const MAX_EXPIRES_IN_SECONDS: u32 = 10 * 365 * 86_400;

/// What is asked for.
#[derive(Debug, PartialEq, Eq)]
struct Wish {
    user_id: UserId,
    expires_in_seconds: Option<u32>,
}

impl Wish {
    fn expires_at(&self, issued_at: Timestamp) -> Option<Timestamp> {
        self.expires_in_seconds.map(|seconds| issued_at.plus_seconds(seconds))
    }
}

/// The answer holds a secret: nothing on its way is to keep it.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// When a token was issued, as it is kept in place of the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
enum Issued {
    /// In microseconds.
    Now { issued_at: i64 },
    /// Before tenants had secrets: [`derived_secret_of_caller`]. Such a request is replayed for 7 days after its last use.
    WithoutSecret(i64),
}

/// Where the text of a token comes from.
enum TextSource<'r> {
    /// A request without a key.
    Random([u8; 32]),
    /// A request that may be sent again.
    Derived { secret: Arc<TenantSecret>, caller: &'r [u8], key: RequestKey },
}

impl TextSource<'_> {
    fn text(&self, issued: Issued, at: Timestamp) -> String {
        token_text(&match (self, issued) {
            (Self::Random(secret), _) => *secret,
            (Self::Derived { secret, caller, key }, Issued::Now { .. }) => {
                derived_secret(secret, caller, key, at)
            }
            (Self::Derived { caller, key, .. }, Issued::WithoutSecret(_)) => {
                derived_secret_of_caller(caller, key, at)
            }
        })
    }
}

/// Keeps nothing that tells the token. With a key, its text follows from the tenant's secret, the caller's own token,
/// the request and the time of issue, so that a replay can tell it again.
pub(super) async fn issue_token(state: &HttpState, asked: Asked<'_>) -> Result<Response, ApiError> {
    let sender = asked.sender()?;
    let body = JsonBody::of(&asked).await?;
    let wish = read_wish(body.fields())?;
    let (key, now) = (body.key, asked.now);
    let source = match key.clone() {
        Some(key) => {
            let secret = asked.tenant.secrets.get(now).await?;
            TextSource::Derived { secret, caller: sender.token(), key }
        }
        None => TextSource::Random(state.secrets.secret()),
    };
    let text_at = |issued, at| source.text(issued, at);
    let (text, kind) = (text_at(issued_at(now), now), TokenKind::Customer(wish.user_id.clone()));
    let context = asked.once(key, move |outcome| kept(*outcome, now))?;
    let execution = keep_token(&context, &text, kind, wish.expires_at(now)).await?;
    let (kept, is_repeated) = answer(execution, |outcome| kept(*outcome, now))?;
    let mut response = respond(told(kept, &wish, text_at)?, is_repeated);
    response.headers.insert(CACHE_CONTROL, NO_STORE);
    Ok(response)
}

fn read_wish(mut fields: BodyFields<'_>) -> Result<Wish, FieldErrors> {
    let user_id = fields.required("user_id", id(UserId::new));
    let expires_in_seconds = fields.optional("expires_in", integer_in(1..=MAX_EXPIRES_IN_SECONDS));
    fields.finish(|| Some(Wish { user_id: user_id?, expires_in_seconds }))
}

fn issued_at(now: Timestamp) -> Issued {
    Issued::Now { issued_at: now.as_micros() }
}

/// The answer as it is kept: in place of the token, the time of its issue.
fn kept(outcome: InsertTokenOutcome, issued_at: Timestamp) -> Answer {
    match outcome {
        InsertTokenOutcome::Stored => Answer::json(StatusCode::CREATED, &self::issued_at(issued_at)),
        InsertTokenOutcome::UserDisabled => {
            let rule = Rule::sentence(FieldCode::UserDisabled, "The selected user is disabled.");
            ApiError::Invalid(FieldErrors::one("user_id", rule)).into()
        }
    }
}

/// The answer as the client gets it, the first time and again: the rest of it is in the request, which
/// is the same under one key.
fn told(
    kept: Answer,
    wish: &Wish,
    text_at: impl Fn(Issued, Timestamp) -> String,
) -> Result<Answer, StoreError> {
    if kept.status() != StatusCode::CREATED {
        return Ok(kept);
    }
    let issued = serde_json::from_slice::<Issued>(kept.body()).ok();
    let issued_at = issued.and_then(|(Issued::Now { issued_at: micros } | Issued::WithoutSecret(micros))| {
        Timestamp::from_micros(micros)
    });
    let Some((issued, issued_at)) = issued.zip(issued_at) else {
        return Err(StoreError::Corrupt("a kept token has no time of issue".to_owned()));
    };
    let text = text_at(issued, issued_at);
    let token = TokenView::new(&text, &wish.user_id, wish.expires_at(issued_at));
    Ok(Answer::json(StatusCode::CREATED, &Success::of(token)))
}

/// What the description says of it.
pub(super) fn documentation() -> Operation {
    Operation::ours("issueToken", Tag::Management, "Issue a token of a customer")
        .describe(
            "Makes a token that speaks for a user, who is created when unknown. It is shown in this answer alone, and \
             again to who repeats the request under its `Idempotency-Key`. A disabled user gets none (422 on `user_id`).",
        )
        .defining("NewToken", new_token_schema)
        .reading(BodyDoc::Json("NewToken", r#"{"user_id": "ben", "expires_in": 604800}"#))
        .answering(StatusCode::CREATED, "The token.", "IssuedTokenAnswer", EXAMPLE)
}

fn new_token_schema() -> Schema {
    let expires_in = Schema::integer(1..=i64::from(MAX_EXPIRES_IN_SECONDS)).or_null();
    Schema::closed([
        required("user_id", Schema::id()),
        optional(
            "expires_in",
            expires_in.describe("How long it is good, in seconds. Without it, it has no end."),
        ),
    ])
}

const EXAMPLE: &str = include_str!("issue_token.json");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::read_text;

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

    #[test]
    fn what_is_kept_of_an_answer_is_told_as_it_was_without_holding_the_token() {
        let issued_at = Timestamp::from_micros(5_000_000).unwrap();
        let kept = kept(InsertTokenOutcome::Stored, issued_at);
        assert_eq!(kept.body(), r#"{"issued_at":5000000}"#);
        let again = Answer::decode(&kept.encode()).unwrap();
        let text_at = |_, at: Timestamp| format!("secret of {at}");
        let told = told(again, &wish("u1", Some(60)), text_at).unwrap();
        assert_eq!(
            told.body(),
            r#"{"success":true,"data":{"token":"secret of 1970-01-01T00:00:05.000000Z","user_id":"u1","expires_at":"1970-01-01T00:01:05.000000Z"}}"#
        );
    }

    #[test]
    fn an_answer_that_keeps_no_time_is_corrupt() {
        for bad in ["null", "\"5\"", "9223372036854775807", r#"{"issued_at":null}"#] {
            let kept =
                Answer::json(StatusCode::CREATED, &serde_json::from_str::<serde_json::Value>(bad).unwrap());
            assert!(matches!(
                told(kept, &wish("u1", None), |_, _| String::new()),
                Err(StoreError::Corrupt(_))
            ));
        }
    }
}
