//! The use cases by which the back office writes campaigns, takes their steps and reads them.

mod change;
mod open;
mod put;
mod read;
mod refusal;
mod state;
mod step;
mod stored;
mod terms;

pub use change::{CampaignOutcome, WrittenVersion};
pub use put::{PutCampaign, put_campaign, put_campaign_after};
pub use read::{BudgetUse, CampaignDetail, CampaignSummary, campaign, campaigns};
pub use refusal::{CampaignRefusal, MAX_CAMPAIGNS, MAX_DEFINITION_BYTES, MAX_STORED_BYTES, MAX_VERSIONS};
pub use state::{CampaignStep, ShownState};
pub use step::{StepCampaign, step_campaign};
pub use stored::RequestTime;
pub(crate) use stored::Stored;
