//! `PUT /v1/manage/users/{userId}`: creates or changes a user.

use http::StatusCode;
use pointbook_domain::{Day, Locale, Timestamp, UserId};
use pointbook_http::body::{BodyFields, JsonBody, Reader, boolean, choice, new_user_id, past_day, schema_of};
use pointbook_http::describe::{BodyDoc, Missing, Operation, Schema};
use pointbook_http::documentation::Tag;
use pointbook_http::error::FieldErrors;
use pointbook_http::kernel::Response;
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError, ApiRequest, new_path_id};
use pointbook_store::ports::{UpsertOutcome, UserChange};

use crate::members::put::put_user;
use crate::members::view::UserView;

/// Changes the fields in the body.
pub(super) async fn put(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let mut fields = body.fields();
    let id = new_path_id(&mut fields, "user_id", request.params, "userId", new_user_id());
    let change = read_change(fields, id, request.now.day())?;
    let put = put_user(&request.context(), change).await?;
    let status = match put.outcome {
        UpsertOutcome::Created => StatusCode::CREATED,
        UpsertOutcome::Replaced | UpsertOutcome::Unchanged => StatusCode::OK,
    };
    let view = Success::with_points(UserView::from(&put.user), put.user.balance);
    Ok(Answer::json(status, &view).into_response())
}

fn read_change(
    mut fields: BodyFields<'_>,
    id: Option<UserId>,
    today: Day,
) -> Result<UserChange, FieldErrors> {
    let birth_date =
        fields.nullable("birth_date", past_day(today).about("Not in the future. Null clears it."));
    let locale =
        fields.nullable("locale", locale().about("A language tag, such as `de-AT`; null clears it."));
    let disabled = fields.optional("disabled", boolean().about("Whether the user's tokens are refused."));
    fields.finish(|| Some(UserChange { id: id?, birth_date, locale, disabled }))
}

pub(super) fn locale() -> impl Reader<Item = Locale> {
    choice(|text| Locale::new(text).ok())
        .with_schema(|| Schema::matching("^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$").at_most_chars(Locale::MAX_CHARS))
}

pub(super) fn documentation() -> Operation {
    Operation::ours("putUser", Tag::Management, "Create or change a user")
        .describe(
            "Creates the user, or changes the fields in the body and keeps all others. The server refuses the tokens \
             of a disabled user at once; other instances follow after some seconds. When you enable the user again, \
             the tokens work again.",
        )
        .defining("UserChange", || schema_of(|fields| read_change(fields, None, Timestamp::MAX.day())))
        .reading(BodyDoc::Json("UserChange", r#"{"birth_date": "1988-02-11", "locale": "de"}"#))
        .success_with_points::<UserView<'_>>(StatusCode::OK, "The changed user.", EXAMPLE)
        .success_with_points::<UserView<'_>>(StatusCode::CREATED, "The new user.", EXAMPLE)
        .missing(Missing::Never)
}

const EXAMPLE: &str = include_str!("put.json");

#[cfg(test)]
mod tests {
    use pointbook_domain::FieldChange;
    use pointbook_testkit::read_text;

    use super::*;

    fn read(text: &str) -> Result<UserChange, String> {
        let (id, today) = (UserId::new("u1").ok(), Day::from_days(20_000).unwrap());
        read_text(text, |fields| read_change(fields, id, today))
            .map_err(|errors| serde_json::to_string(&errors).unwrap().replace("],", "],\n"))
    }

    #[test]
    fn what_is_left_out_stays_and_null_clears() {
        let change = read("{}").unwrap();
        assert_eq!((change.birth_date, change.locale), (FieldChange::Keep, FieldChange::Keep));
        assert_eq!(change.disabled, None);
        let change = read(r#"{"birth_date":null,"locale":null,"disabled":false}"#).unwrap();
        assert_eq!((change.birth_date, change.locale), (FieldChange::Set(None), FieldChange::Set(None)));
        assert_eq!(change.disabled, Some(false));
        let change = read(r#"{"birth_date":"1990-02-28","locale":"de","disabled":true}"#).unwrap();
        assert_eq!(change.locale, FieldChange::Set(Locale::new("de").ok()));
        assert!(matches!(change.birth_date, FieldChange::Set(Some(_))));
    }

    #[test]
    fn every_bad_field_is_reported_at_once_and_in_order() {
        let errors =
            read(r#"{"id":"u2","disabled":1,"locale":"not a tag","birth_date":"2990-01-01"}"#).unwrap_err();
        insta::assert_snapshot!(errors, @r#"
        {"birth_date":["The birth date must not be in the future."],
        "locale":["The selected locale is invalid."],
        "disabled":["The disabled field must be true or false."],
        "id":["The id field is not known."]}
        "#);
    }
}
