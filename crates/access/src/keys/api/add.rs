//! `POST /v1/manage/keys`: adds a key.

use http::StatusCode;
use pointbook_domain::network::MAX_NETWORKS;
use pointbook_domain::token::MAX_LABEL_CHARS;
use pointbook_domain::{Network, Networks, Scope, Scopes, Timestamp, TokenKind, TokenLabel};
use pointbook_http::answer::answer;
use pointbook_http::body::{
    BodyFields, JsonBody, Reader, Value, choice, integer_in, list, reader, schema_of, title,
};
use pointbook_http::describe::{BodyDoc, Operation, Schema};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{Conflict, FieldCode, FieldErrors, Rule};
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest};
use pointbook_store::ports::InsertTokenOutcome;

use crate::keys::view::{AddedKeyView, KeyView, network_schema};
use crate::tokens::issue::{DEFAULT_KEY_SECONDS, NewToken, keep_token};
use crate::tokens::secret_text::{MAX_EXPIRES_IN_SECONDS, SecretText, kept_issue};

/// A key cannot grant a scope or a network that it lacks, nor an end after its own.
pub(super) async fn add(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let sender = request.sender;
    let (new, scopes) = read_new_key(body.fields(), sender.networks())?;
    let new = NewToken { expires_by: sender.expires_at(), ..new };
    if let Some(lacking) = scopes.beyond(sender.scopes()) {
        return Err(ApiError::MissingScope(lacking));
    }
    let (key, now) = (body.key, request.now);
    let secret = SecretText::of(&request, key.clone()).await?;
    let context = request.once(key, move |outcome| kept(*outcome, now));
    let created_by = context.actor.to_string();
    let execution = keep_token(&context, &secret.new_text(now), new.clone()).await?;
    let (kept, is_repeated) = answer(execution, |outcome| kept(*outcome, now))?;
    secret.respond(kept, is_repeated, |text, issued_at| show(text, issued_at, new, created_by))
}

fn read_new_key(mut fields: BodyFields<'_>, own: &Networks) -> Result<(NewToken, Scopes), FieldErrors> {
    let label = fields.required("label", label());
    let scopes = fields.required("scopes", scopes());
    let networks = list(MAX_NETWORKS, network(own)).about(
        "Networks or addresses from which the key works. Without any, it works from where the key works that adds it.",
    );
    let networks = fields.optional("networks", networks);
    let expires_in = integer_in(1..=MAX_EXPIRES_IN_SECONDS).about(
        "Seconds until the key expires, 365 days by default. The key expires no later than the key that adds it.",
    );
    let expires_in = fields.optional("expires_in", expires_in);
    fields.finish(|| {
        let (label, scopes, networks) = (Some(label?), scopes?, networks.unwrap_or_default());
        let networks = if networks.is_empty() { own.clone() } else { Networks::new(networks).ok()? };
        let expires_in = expires_in.unwrap_or(DEFAULT_KEY_SECONDS);
        let bare = NewToken::new(TokenKind::SuperUser, Some(expires_in));
        Some((NewToken { label, scopes: Some(scopes), networks, ..bare }, scopes))
    })
}

fn label() -> impl Reader<Item = TokenLabel> {
    let rule = || Rule::new(FieldCode::NotALabel, "must not have control characters");
    title(MAX_LABEL_CHARS)
        .then(move |value, text| TokenLabel::new(text).map_err(|_| value.refused(rule())))
        .about("The program that uses the key. Lists show the label.")
}

fn scopes() -> impl Reader<Item = Scopes> {
    list(Scope::ALL.len(), choice(Scope::parse))
        .then(|value, scopes| Scopes::new(scopes).map_err(|_| value.refused(Rule::REQUIRED)))
        .with_schema(|| Schema::list(Schema::named("Scope")).at_least(1))
}

/// A network within those of the key that adds the new one.
fn network(own: &Networks) -> impl Reader<Item = Network> {
    let rule = || Rule::new(FieldCode::NotANetwork, "must be a network such as 203.0.113.0/24");
    let beyond =
        move || Rule::new(FieldCode::OutOfRange, format!("must be within the networks of your key: {own}"));
    let read = move |value: Value<'_>| {
        let network = choice(Network::parse).read(value).map_err(|_| value.refused(rule()))?;
        if own.hold(&network) { Ok(network) } else { Err(value.refused(beyond())) }
    };
    reader(read, network_schema)
}

/// The kept response: the time of issue in place of the key.
fn kept(outcome: InsertTokenOutcome, issued_at: Timestamp) -> Answer {
    match outcome {
        InsertTokenOutcome::Stored => kept_issue(issued_at),
        InsertTokenOutcome::TooManyKeys => ApiError::from(Conflict::TooManyKeys).into(),
        // A key has no user.
        InsertTokenOutcome::UserDisabled => ApiError::Internal.into(),
    }
}

fn show(text: &str, issued_at: Timestamp, new: NewToken, created_by: String) -> Answer {
    let record = new.record(text, Some(created_by), issued_at);
    let added = AddedKeyView { key: text, view: KeyView::from(&record) };
    Answer::json(StatusCode::CREATED, &Success::of(added))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("addApiKey", Tag::Management, "Add an API key")
        .describe(
            "Adds a key of the back office. The server shows the key only in this response, and again when the request is \
             repeated with its `Idempotency-Key`. A key cannot grant a scope that it lacks: 403 `missing_scope`. The networks of \
             the new key are within those of the key that adds it: 422. The new key expires no later than the key that adds it. \
             A tenant has at most 50 active keys: 409 `too_many_keys`.",
        )
        .defining("NewApiKey", || schema_of(|fields| read_new_key(fields, &Networks::default())))
        .reading(BodyDoc::Json("NewApiKey", BODY))
        .success::<AddedKeyView<'_>>(StatusCode::CREATED, "The key.", EXAMPLE)
}

const BODY: &str = r#"{
    "label": "Warehouse",
    "scopes": ["orders:read", "orders:write"],
    "networks": ["203.0.113.0/24"],
    "expires_in": 31536000
}"#;

const EXAMPLE: &str = r#"{
    "success": true,
    "data": {
        "key": "pb_Jx3nq0o5GmYdC1uXw7v2Zr8sKf4tHbLePaQ9iNyUg6E",
        "id": "a0a1a2a3a4a5a6a7a8a9",
        "label": "Warehouse",
        "scopes": ["orders:read", "orders:write"],
        "networks": ["203.0.113.0/24"],
        "created_at": "2026-05-04T08:00:00.000000Z",
        "created_by": "key:b0b1b2b3b4b5b6b7b8b9",
        "expires_at": "2027-05-04T08:00:00.000000Z",
        "last_used_at": null
    }
}"#;

#[cfg(test)]
mod tests {
    use pointbook_testkit::read_text;

    use super::*;

    fn read_everywhere(fields: BodyFields<'_>) -> Result<(NewToken, Scopes), FieldErrors> {
        read_new_key(fields, &Networks::default())
    }

    #[test]
    fn every_bad_field_is_named() {
        let refused = |text| serde_json::to_string(&read_text(text, read_everywhere).unwrap_err()).unwrap();
        assert_eq!(
            refused(r#"{"label":"a\tb","scopes":["orders:write","nope"],"networks":["10.0.0.0/33",7]}"#),
            concat!(
                r#"{"label":["The label must not have control characters."],"#,
                r#""scopes.1":["The selected scopes.1 is invalid."],"#,
                r#""networks.0":["The networks.0 must be a network such as 203.0.113.0/24."],"#,
                r#""networks.1":["The networks.1 must be a network such as 203.0.113.0/24."]}"#
            )
        );
        assert_eq!(
            refused(r#"{"label":" ","scopes":[]}"#),
            r#"{"label":["The label field is required."],"scopes":["The scopes field is required."]}"#
        );
    }

    #[test]
    fn a_key_has_its_scopes_and_nothing_else() {
        let (new, scopes) = read_text(r#"{"label":"A","scopes":["orders:read"]}"#, read_everywhere).unwrap();
        assert_eq!((new.scopes, scopes.to_string().as_str()), (Some(scopes), "orders:read"));
        assert!(new.networks.is_empty());
        assert_eq!(new.expires_in_seconds, Some(365 * 86_400));
    }
}
