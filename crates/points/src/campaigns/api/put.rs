//! `PUT /v1/manage/campaigns/{campaignId}`: writes a draft, or a new version of a campaign.

use http::StatusCode;
use pointbook_campaigns::{Campaign, CampaignId, Fault, FaultCode, parse};
use pointbook_domain::Locale;
use pointbook_domain::id::FormError;
use pointbook_http::answer::finish;
use pointbook_http::body::{ANY_FRACTION, BodyFields, JsonBody, date_time};
use pointbook_http::describe::{BodyDoc, Missing, Operation};
use pointbook_http::documentation::Tag;
use pointbook_http::error::{FieldCode, Rule};
use pointbook_http::kernel::Response;
use pointbook_http::{ApiError, ApiRequest, PathParams};
use serde_json::Value;

use super::definition::definition_schema;
use super::written::{EXAMPLE, render};
use crate::campaigns::manage::put_campaign;
use crate::campaigns::view::WrittenCampaignView;

/// Stands in for an id that is refused, so that the other faults are named too.
const ANY_ID: &str = "any";
/// A member beside those of the definition.
const TAKES_OVER_AT: &str = "takes_over_at";

pub(super) async fn put(request: ApiRequest<'_>) -> Result<Response, ApiError> {
    let body = JsonBody::of(&request).await?;
    let mut fields = body.fields();
    let id = new_id(&mut fields, request.params);
    let takes_over_at = fields.optional(TAKES_OVER_AT, date_time());
    let own_locale = &request.tenant.tenant.locale;
    let campaign = read_campaign(&mut fields, id.as_ref(), own_locale);
    let campaign = fields.finish(|| campaign)?;
    finish(put_campaign(&request.context(), campaign, takes_over_at).await?, render)
}

/// The id in the path. `None` when it has a wrong form.
fn new_id(fields: &mut BodyFields<'_>, params: PathParams<'_>) -> Option<CampaignId> {
    let id = params.text("campaignId").ok_or(FormError("must be UTF-8, percent-encoded"));
    let id = id.and_then(|id| CampaignId::new(&id));
    id.map_err(|rule| fields.refuse_key("id", Rule::new(FieldCode::WrongForm, rule.to_string()))).ok()
}

/// Reads the definition, and refuses every wrong field. `None` when one is refused.
fn read_campaign(
    fields: &mut BodyFields<'_>,
    id: Option<&CampaignId>,
    own_locale: &Locale,
) -> Option<Campaign> {
    let mut definition = fields.take();
    if let Value::Object(members) = &mut definition {
        members.remove(TAKES_OVER_AT);
        let in_path = id.map_or(ANY_ID, CampaignId::as_str);
        let given = members.insert("id".to_owned(), in_path.into());
        if id.is_some() && given.is_some_and(|given| !given.is_null() && given != in_path) {
            fields.refuse("id", Rule::new(FieldCode::IdMismatch, "must be the id in the path"));
        }
    }
    match parse(&definition, own_locale) {
        Ok(campaign) => id.map(|_| campaign),
        Err(faults) => {
            for Fault { field, rule } in faults {
                let key = if field.is_empty() { "definition" } else { &field };
                match rule.code() {
                    FaultCode::UnknownField => fields.refuse_unknown(key),
                    code => {
                        fields
                            .refuse_key(key, Rule::sentence(code_of(code), sentence(key, &rule.to_string())));
                    }
                }
            }
            None
        }
    }
}

/// A path has names that the operator chose, such as those of attributes, so the message shows it as it is.
fn sentence(key: &str, message: &str) -> String {
    // The digits of a number with a fraction are not known here, so the message must not repeat any.
    let fraction = format!(", got {ANY_FRACTION}");
    format!("The {key} {}.", message.strip_suffix(&fraction).unwrap_or(message))
}

fn code_of(code: FaultCode) -> FieldCode {
    match code {
        FaultCode::Required => FieldCode::Required,
        FaultCode::UnknownField => FieldCode::UnknownField,
        FaultCode::NotAString => FieldCode::NotAString,
        FaultCode::NotAnInteger => FieldCode::NotAnInteger,
        FaultCode::NotABoolean => FieldCode::NotABoolean,
        FaultCode::NotAnArray => FieldCode::NotAnArray,
        FaultCode::NotAnObject => FieldCode::NotAnObject,
        FaultCode::NotADate => FieldCode::NotADate,
        FaultCode::NotATimeOfDay => FieldCode::NotATimeOfDay,
        FaultCode::WrongForm => FieldCode::WrongForm,
        FaultCode::InvalidChoice => FieldCode::InvalidChoice,
        FaultCode::NulCharacter => FieldCode::NulCharacter,
        FaultCode::Blank => FieldCode::Blank,
        FaultCode::TooLong => FieldCode::TooLong,
        FaultCode::TooFew => FieldCode::TooFew,
        FaultCode::TooMany => FieldCode::TooMany,
        FaultCode::OutOfRange => FieldCode::OutOfRange,
        FaultCode::DuplicateValue => FieldCode::DuplicateValue,
        FaultCode::Contradiction => FieldCode::Contradiction,
    }
}

pub(super) fn documentation() -> Operation {
    Operation::ours("putCampaign", Tag::Management, "Write a campaign")
        .describe(
            "Writes a draft, or a new version of a campaign. A version never changes. The new version of a campaign that runs or is \
             paused takes over at `takes_over_at`; until then the version before counts. The same definition again changes \
             nothing. A definition with faults gets a 422 that names each of them, at most 100.",
        )
        .defining("CampaignDefinition", definition_schema)
        .reading(BodyDoc::Json("CampaignDefinition", BODY))
        .body::<WrittenCampaignView<'_>>(StatusCode::OK, "The new version, or the one that has this definition.", EXAMPLE)
        .body::<WrittenCampaignView<'_>>(StatusCode::CREATED, "The new campaign, which is a draft.", EXAMPLE)
        .conflicting()
        .missing(Missing::Never)
}

const BODY: &str = r#"{
    "title": {"en": "Double points week"},
    "conditions": {"types": ["code"], "windows": [{"from": "2026-05-04", "until": "2026-05-11"}]},
    "reward": {"percent": 100},
    "limits": {"per_user": [{"period": "day", "awards": 5}]}
}"#;
