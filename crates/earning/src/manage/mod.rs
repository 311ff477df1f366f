//! Campaigns as the back office manages them.

mod change;
mod read;
mod refusal;
mod state;
mod stored;

pub use change::{CampaignOutcome, PutCampaign, StepCampaign, WrittenVersion, put_campaign, step_campaign};
pub use read::{BudgetUse, CampaignDetail, CampaignSummary, campaign, campaigns};
pub use refusal::{CampaignRefusal, MAX_CAMPAIGNS, MAX_DEFINITION_BYTES, MAX_STORED_BYTES, MAX_VERSIONS};
pub use state::{CampaignStep, ShownState};
