//! The response to a change of a campaign.

use http::StatusCode;
use pointbook_http::error::{Conflict, FieldCode, FieldErrors, Rule};
use pointbook_http::{Answer, ApiError};

use super::example::campaign as example;
use crate::campaigns::manage::{CampaignOutcome, CampaignRefusal, WrittenVersion};
use crate::campaigns::view::WrittenCampaignView;

/// The response to a change.
pub(super) fn render(outcome: &CampaignOutcome) -> Answer {
    match outcome {
        CampaignOutcome::Created(written) => show(StatusCode::CREATED, written),
        CampaignOutcome::Written(written) | CampaignOutcome::Unchanged(written) => {
            show(StatusCode::OK, written)
        }
        CampaignOutcome::NotFound => ApiError::NotFound.into(),
        CampaignOutcome::Refused(refusal) => refused(refusal).into(),
    }
}

fn show(status: StatusCode, written: &WrittenVersion) -> Answer {
    Answer::json(status, &WrittenCampaignView::from(written))
}

fn refused(refusal: &CampaignRefusal) -> ApiError {
    let invalid = |field, code| {
        let sentence = format!("The change is refused: {refusal}.");
        ApiError::Invalid(FieldErrors::one(field, Rule::sentence(code, sentence)))
    };
    match refusal {
        CampaignRefusal::TooManyCampaigns
        | CampaignRefusal::TooManyVersions
        | CampaignRefusal::TooMuchStored
        | CampaignRefusal::TooManyRunning => Conflict::TooManyCampaigns.into(),
        CampaignRefusal::DefinitionTooLong => invalid("definition", FieldCode::TooLong),
        CampaignRefusal::InThePast => invalid("takes_over_at", FieldCode::BeforeNow),
        CampaignRefusal::OtherVersion(_) | CampaignRefusal::LaterVersion(_) => Conflict::LaterVersion.into(),
        CampaignRefusal::Closed(_) | CampaignRefusal::Closing(..) | CampaignRefusal::WrongStep(..) => {
            Conflict::WrongCampaignState.into()
        }
    }
}

pub(super) const EXAMPLE: &str =
    concat!(r#"{"success": true, "data": "#, example!("draft"), r#"}, "warnings": []}"#);
