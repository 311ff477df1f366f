//! Reads the ledger of a tenant page by page, with the users of the rows. It reads no other users, so a bound of rows bounds all that it reads.

use std::collections::HashMap;
use std::sync::Arc;

use pointbook_campaigns::CampaignId;
use pointbook_domain::UserId;
use pointbook_store::background::in_background;
use pointbook_store::ports::{Query, TenantData, read_all};
use pointbook_store::schema::back_tests::{EarningRow, MemberRow};
use pointbook_store::schema::rows::MemberProfile;
use pointbook_store::{StoreError, StoreResult};

use super::awards::Awards;
use super::simulation::{Page, PageUser};

const ROWS_PER_PAGE: u32 = 4_000;

/// It reads no snapshot, so that a long back-test keeps no old rows in the database. A row that is recorded meanwhile may count.
pub(super) struct Reader {
    data: Arc<dyn TenantData>,
    /// User and `seq` of the last row.
    after: Option<(UserId, u64)>,
    is_at_end: bool,
    awards: Awards,
}

impl Reader {
    pub(super) fn new(data: Arc<dyn TenantData>, campaign: CampaignId) -> Self {
        Self { data, after: None, is_at_end: false, awards: Awards::of(campaign) }
    }

    /// The next rows, at most [`ROWS_PER_PAGE`]. `None` at the end.
    pub(super) async fn next(&mut self) -> StoreResult<Option<Page>> {
        if self.is_at_end {
            return Ok(None);
        }
        let query = Query::of::<EarningRow>("back_test_rows", &["user_id", "seq"]);
        let query = query.after(self.after.as_ref()).limit(ROWS_PER_PAGE);
        let stored = self.data.rows(&query).await?;
        let rows = in_background(move || query.read::<EarningRow>(&stored)).await?;
        let rows = rows.map_err(|corrupt| StoreError::Corrupt(corrupt.0))?;
        self.is_at_end = rows.len() < ROWS_PER_PAGE as usize;
        let Some(last) = rows.last() else { return Ok(None) };
        self.after = Some((last.user_id.clone(), last.seq));
        let of_users = rows.chunk_by(|row, next| row.user_id == next.user_id);
        let ids: Vec<&UserId> = of_users.filter_map(|rows| rows.first()).map(|row| &row.user_id).collect();
        let query = Query::of::<MemberRow>("back_test_users", &["id"]);
        let query = query.one_of("id", ids.iter().map(|id| id.as_str()));
        let members: Vec<MemberRow> = read_all(&*self.data, query).await?;
        let mut profiles: HashMap<UserId, MemberProfile> =
            members.into_iter().map(|member| (member.id, member.profile)).collect();
        let mut users = HashMap::new();
        for id in ids {
            let given = self.awards.find(&*self.data, id).await?;
            users.insert(id.clone(), PageUser { profile: profiles.remove(id), given });
        }
        Ok(Some(Page { rows, users }))
    }
}
