//! Reads the awards that a campaign gave, user by user.

use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use pointbook_campaigns::CampaignId;
use pointbook_domain::UserId;
use pointbook_store::StoreResult;
use pointbook_store::ports::{Query, TenantData, read_all};
use pointbook_store::schema::rows::AwardRow;

const AWARDS_PER_READ: u32 = 4_000;

/// The points of a user's awards, by the `seq` of their rows.
pub(super) type Given = Arc<HashMap<u64, i64>>;

/// Ask for users in the order of their ids.
pub(super) struct Awards {
    campaign: CampaignId,
    /// Awards that were read and not asked for yet.
    ahead: VecDeque<AwardRow>,
    after: Option<AwardRow>,
    is_at_end: bool,
    /// The last user who was asked for.
    last: Option<(UserId, Given)>,
}

impl Awards {
    pub(super) fn of(campaign: CampaignId) -> Self {
        Self { campaign, ahead: VecDeque::new(), after: None, is_at_end: false, last: None }
    }

    pub(super) async fn find(&mut self, data: &dyn TenantData, id: &UserId) -> StoreResult<Given> {
        if let Some((_, given)) = self.last.as_ref().filter(|(last, _)| last == id) {
            return Ok(given.clone());
        }
        let mut given = HashMap::new();
        loop {
            self.take(id, &mut given);
            if self.is_at_end || !self.ahead.is_empty() {
                break;
            }
            self.read(data).await?;
        }
        let given = Arc::new(given);
        self.last = Some((id.clone(), given.clone()));
        Ok(given)
    }

    /// Takes the awards of this user, and drops those of users before.
    fn take(&mut self, id: &UserId, given: &mut HashMap<u64, i64>) {
        while let Some(award) = self.ahead.front() {
            match award.user_id.cmp(id) {
                Ordering::Less => {}
                Ordering::Equal => drop(given.insert(award.seq, award.points.get())),
                Ordering::Greater => return,
            }
            self.ahead.pop_front();
        }
    }

    async fn read(&mut self, data: &dyn TenantData) -> StoreResult<()> {
        let query = Query::of::<AwardRow>("back_test_awards", &["user_id", "campaign_id", "day", "seq"]);
        let key = |award: &AwardRow| (award.user_id.clone(), award.campaign_id.clone(), award.day, award.seq);
        let query = query.equal("campaign_id", Some(self.campaign.as_str()));
        let query = query.after(self.after.as_ref().map(key).as_ref()).limit(AWARDS_PER_READ);
        let read: Vec<AwardRow> = read_all(data, query).await?;
        self.is_at_end = read.len() < AWARDS_PER_READ as usize;
        self.after = read.last().cloned().or_else(|| self.after.take());
        self.ahead.extend(read);
        Ok(())
    }
}
