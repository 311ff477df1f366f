//! Reads the ledger of a tenant page by page, with the users of the rows.

use std::collections::{HashMap, VecDeque};
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
const USERS_PER_READ: u32 = 4_000;

/// It reads no snapshot, so that a long back-test keeps no old rows in the database. A row that is recorded meanwhile may count.
pub(super) struct Reader {
    data: Arc<dyn TenantData>,
    /// User and `seq` of the last row.
    after: Option<(UserId, u64)>,
    is_at_end: bool,
    members: Members,
    awards: Awards,
}

impl Reader {
    pub(super) fn new(data: Arc<dyn TenantData>, campaign: CampaignId) -> Self {
        let (members, awards) = (Members::default(), Awards::of(campaign));
        Self { data, after: None, is_at_end: false, members, awards }
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
        let mut users = HashMap::new();
        for rows in rows.chunk_by(|row, next| row.user_id == next.user_id) {
            let Some(id) = rows.first().map(|row| &row.user_id) else { continue };
            let profile = self.members.find(&*self.data, id).await?;
            let given = self.awards.find(&*self.data, id).await?;
            users.insert(id.clone(), PageUser { profile, given });
        }
        Ok(Some(Page { rows, users }))
    }
}

/// The users of the tenant in the order of their ids, which is the order of the rows.
#[derive(Default)]
struct Members {
    /// Users that were read and not asked for yet.
    ahead: VecDeque<MemberRow>,
    /// The last user that was read.
    after: Option<UserId>,
    is_at_end: bool,
}

impl Members {
    /// The profile of a user. Users without rows are passed over.
    ///
    /// The user stays ahead, because the next page may begin with more of its rows.
    async fn find(&mut self, data: &dyn TenantData, id: &UserId) -> StoreResult<Option<MemberProfile>> {
        loop {
            while self.ahead.front().is_some_and(|member| member.id < *id) {
                self.ahead.pop_front();
            }
            if let Some(member) = self.ahead.front() {
                return Ok((member.id == *id).then(|| member.profile.clone()));
            }
            if self.is_at_end {
                return Ok(None);
            }
            let query = Query::of::<MemberRow>("back_test_users", &["id"]);
            let query = query.after(self.after.as_ref()).limit(USERS_PER_READ);
            let read: Vec<MemberRow> = read_all(data, query).await?;
            self.is_at_end = read.len() < USERS_PER_READ as usize;
            self.after = read.last().map(|member| member.id.clone()).or_else(|| self.after.take());
            self.ahead.extend(read);
        }
    }
}
