//! What campaigns gave. Reports count that, and they are above this slice: the program puts [`CampaignFigures`] into the parts of
//! the console.

use std::collections::HashMap;

use async_trait::async_trait;
use maud::Markup;
use pointbook_access::console_kit::Visit;
use pointbook_domain::UserId;
use pointbook_http::pages::PageError;

use crate::campaigns::manage::CampaignDetail;

/// How many days the numbers of the list are of.
pub const DAYS: i32 = 400;

/// The bonuses, the points and the members of a campaign, as texts.
#[derive(Clone)]
pub struct Given {
    pub awards: String,
    pub points: String,
    pub members: String,
}

impl Default for Given {
    fn default() -> Self {
        let none = || "0".to_owned();
        Self { awards: none(), points: none(), members: none() }
    }
}

/// Counts what campaigns gave.
#[async_trait]
pub trait GivenFigures: Send + Sync {
    /// What each campaign gave in the last [`DAYS`], by its id.
    async fn sums(&self, visit: &Visit<'_>) -> Result<HashMap<String, Given>, PageError>;

    /// What one campaign gave, as a part of its page.
    async fn section(&self, visit: &Visit<'_>, detail: &CampaignDetail) -> Result<Markup, PageError>;

    /// The members of a segment, as many as a campaign can name.
    async fn members_of(&self, visit: &Visit<'_>, segment: &str) -> Result<Vec<UserId>, PageError>;
}

/// The part with which the pages of campaigns count.
pub struct CampaignFigures(pub &'static dyn GivenFigures);
