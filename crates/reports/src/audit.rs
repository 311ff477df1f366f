//! The audit of the figures: the counted rows of the ledger give the stored figures.

use std::collections::BTreeSet;

use pointbook_domain::zones::time_zone::{Zone, zone_of};
use pointbook_domain::{Cursor, Feed, TimeZoneName, UserId};
use pointbook_store::ports::{Query, Row, RowReader, TenantData, read_all};
use pointbook_store::schema::rows::{LedgerEntry, MemberRow};
use pointbook_store::schema::{FEED_BLOCKS, Table};
use pointbook_store::{StoreError, StoreResult};

use crate::count::{Counted, Loaded, Member, Rows, count};
use crate::load::load;
use crate::state::{Phase, cursor, phase, read_state};
use crate::sums::{SUM_TABLES, Sums};

const ROWS_PER_READ: u32 = 4_000;
const MEMBERS_PER_READ: u32 = 1_000;

/// Counts the ledger again and compares, as both are at one moment. Rows of events
/// that the figures have not counted yet are left out. Returns
/// the differences in words.
///
/// # Errors
/// When the store fails, or a stored row cannot be read.
pub async fn audit_figures(data: &dyn TenantData) -> StoreResult<Vec<String>> {
    let moment = data.row_snapshot().await?;
    let Some(state) = read_state(&*moment).await? else { return Ok(Vec::new()) };
    if phase(&state)? == Phase::Clearing {
        return Ok(Vec::new());
    }
    let zone = TimeZoneName::new(&state.time_zone).map_err(|error| StoreError::Corrupt(error.to_string()))?;
    let zone = zone_of(&zone, "audit");
    // The next count begins again, with the rules of this version.
    if !state.has_days_of(&zone) {
        return Ok(Vec::new());
    }
    let is_at_end = phase(&state)? == Phase::Following && is_at_end(&*moment, cursor(&state)).await?;
    let (sums, differences) = (Sums::default(), Vec::new());
    let audit = Audit { zone, is_at_end, sums, open: None, members: 0, differences };
    audit.run(&*moment).await
}

/// Whether every event of the feed is counted.
async fn is_at_end(moment: &dyn RowReader, counted: Cursor) -> StoreResult<bool> {
    let feed = read_all::<Feed>(moment, Query::of::<Feed>("feed", &[]).limit(1)).await?.pop();
    let waiting = Query::of_table("feed_blocks", &FEED_BLOCKS).null("last_position", Some(true)).limit(1);
    let is_numbered = moment.rows(&waiting).await?.is_empty();
    Ok(is_numbered && feed.unwrap_or(Feed::EMPTY).end() == counted)
}

struct Audit {
    zone: Zone,
    /// Whether every row should be counted.
    is_at_end: bool,
    sums: Sums,
    /// The last member, of whom more rows may come, as recounted and as stored.
    open: Option<(Member, Option<Member>)>,
    members: u64,
    differences: Vec<String>,
}

impl Audit {
    async fn run(mut self, moment: &dyn RowReader) -> StoreResult<Vec<String>> {
        let mut after: Option<(UserId, u64)> = None;
        loop {
            let rows = Query::of::<LedgerEntry>("audit_figures", &["user_id", "seq"]);
            let rows = rows.after(after.as_ref()).limit(ROWS_PER_READ);
            let rows: Vec<LedgerEntry> = read_all(moment, rows).await?;
            let Some(last) = rows.last() else { break };
            after = Some((last.user_id.clone(), last.seq));
            let loaded = load(moment, &rows).await?;
            self.take(rows, loaded);
        }
        self.close(None);
        self.compare_sums(moment).await?;
        Ok(self.differences)
    }

    fn take(&mut self, mut rows: Vec<LedgerEntry>, mut loaded: Loaded) {
        let mut stored = std::mem::take(&mut loaded.members);
        let counted_seq = |user: &UserId| stored.get(user).map_or(0, |member| member.counted_seq);
        if self.is_at_end {
            let missing = rows.iter().filter(|entry| entry.seq > counted_seq(&entry.user_id));
            let missing: BTreeSet<&UserId> = missing.map(|entry| &entry.user_id).collect();
            let difference = |user: &UserId| format!("user {:?}: rows were never counted", user.as_str());
            self.differences.extend(missing.into_iter().map(difference));
        }
        rows.retain(|entry| entry.seq <= counted_seq(&entry.user_id));
        if let Some((member, _)) = &self.open {
            loaded.members.insert(member.user_id.clone(), member.clone());
        }
        // Rows of the ledger have no gap.
        let Ok(counted) = count(&rows, Rows::OfLedger, loaded, &self.zone) else { return };
        let Counted { members, sums } = counted;
        self.sums.add_all(sums);
        for (user_id, member) in members {
            self.close(Some(&user_id));
            self.open = Some((member, stored.remove(&user_id)));
        }
    }

    /// Compares the last member, unless it is this user.
    fn close(&mut self, next: Option<&UserId>) {
        let Some((member, stored)) = self.open.take_if(|(member, _)| Some(&member.user_id) != next) else {
            return;
        };
        self.members += 1;
        let difference = match stored {
            Some(stored) => member.differences(&stored).join(", "),
            None => "no figures are stored".to_owned(),
        };
        if !difference.is_empty() {
            self.differences.push(format!("user {:?}: {difference}", member.user_id.as_str()));
        }
    }

    async fn compare_sums(&mut self, moment: &dyn RowReader) -> StoreResult<()> {
        for table in SUM_TABLES {
            let mut stored = Sums::default();
            for row in all_rows(moment, table).await? {
                stored.add_stored(table, row);
            }
            self.differences.extend(self.sums.differences(&stored, table));
        }
        let stored = self.check_members(moment).await?;
        if stored != self.members {
            let members = self.members;
            self.differences.push(format!("the figures have {stored} members but the ledger has {members}"));
        }
        Ok(())
    }

    /// Compares what the row of each member says of its days, and counts the rows.
    async fn check_members(&mut self, moment: &dyn RowReader) -> StoreResult<u64> {
        let (mut count, mut after): (_, Option<UserId>) = (0, None);
        loop {
            let rows = Query::of::<MemberRow>("audit_members", &["user_id"]);
            let rows: Vec<MemberRow> =
                read_all(moment, rows.after(after.as_ref()).limit(MEMBERS_PER_READ)).await?;
            count += rows.len() as u64;
            let Some(last) = rows.last() else { return Ok(count) };
            after = Some(last.user_id.clone());
            for row in rows {
                let words = Member::summary_differences(&row).join(", ");
                if !words.is_empty() {
                    self.differences.push(format!("user {:?}: {words}", row.user_id.as_str()));
                }
            }
        }
    }
}

async fn all_rows(moment: &dyn RowReader, table: &'static Table) -> StoreResult<Vec<Row>> {
    let mut all: Vec<Row> = Vec::new();
    loop {
        let rows = moment.rows_after(table, all.last(), table.rows_per_page).await?;
        if rows.is_empty() {
            return Ok(all);
        }
        all.extend(rows);
    }
}
