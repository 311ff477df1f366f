//! Reads the active days of all members.

use pointbook_domain::{Day, Timestamp, UserId};
use pointbook_store::ports::{Query, TenantData, read_all};
use pointbook_store::schema::rows::MemberDays;
use pointbook_store::{StoreError, StoreResult};

use crate::count::ActiveDays;

/// Few, because the calling thread reads their days.
const MEMBERS_PER_READ: u32 = 1_000;

/// Calls `each` for the members who were active on this day or later, by id.
pub(super) async fn for_each_member(
    data: &dyn TenantData,
    since: Day,
    mut each: impl FnMut(UserId, &ActiveDays) + Send,
) -> StoreResult<()> {
    let mut after: Option<UserId> = None;
    loop {
        let rows = Query::of::<MemberDays>("member_days", &["user_id"]);
        let rows = rows.between("last_day", [&since, &Timestamp::MAX.day()]);
        let rows = rows.after(after.as_ref()).limit(MEMBERS_PER_READ);
        let rows: Vec<MemberDays> = read_all(data, rows).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = Some(last.user_id.clone());
        for MemberDays { user_id, days } in rows {
            let what = || StoreError::Corrupt(format!("table member_figures, key ({user_id:?}): wrong days"));
            let days = ActiveDays::from_bytes(&days).ok_or_else(what)?;
            each(user_id, &days);
        }
    }
}
