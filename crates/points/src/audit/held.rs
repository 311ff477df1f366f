//! The audit of held activities: what waits is what the user's row says.

use std::collections::BTreeMap;
use std::slice;

use pointbook_domain::{Points, UserId};
use pointbook_store::StoreResult;
use pointbook_store::ports::{Query, TenantData, read_all};
use pointbook_store::schema::HELD_ACTIVITIES;
use pointbook_store::schema::rows::{HeldActivity, UserPending};

use crate::held::pending_points;

const ROWS_PER_READ: u32 = 4_000;

/// Compares the points that wait with those of each user's row, as they are at one moment. Returns the differences in words, by user.
///
/// # Errors
/// When the store fails.
pub(super) async fn audit_held(data: &dyn TenantData) -> StoreResult<Vec<String>> {
    let moment = data.row_snapshot().await?;
    let (mut waiting, mut differences): (BTreeMap<String, i64>, Vec<String>) = Default::default();
    let mut after = None;
    loop {
        let rows = moment.rows_after(&HELD_ACTIVITIES, after.as_ref(), ROWS_PER_READ).await?;
        for row in &rows {
            let read = Query::of_table("held_activities", &HELD_ACTIVITIES)
                .read::<HeldActivity>(slice::from_ref(row));
            match read {
                Ok(held) => held.iter().for_each(|held| {
                    let sum = waiting.entry(held.user_id.as_str().to_owned()).or_default();
                    *sum = sum.saturating_add(held.release_at.map_or(0, |_| pending_points(held)));
                }),
                Err(corrupt) => differences.push(corrupt.0),
            }
        }
        match rows.into_iter().next_back() {
            Some(last) => after = Some(last),
            None => break,
        }
    }
    let mut after: Option<UserId> = None;
    loop {
        let users =
            Query::of::<UserPending>("users_with_pending", &["id"]).null("pending_points", Some(false));
        let users: Vec<UserPending> =
            read_all(&*moment, users.after(after.as_ref()).limit(ROWS_PER_READ)).await?;
        let Some(last) = users.last() else { break };
        after = Some(last.id.clone());
        for UserPending { id, pending } in users {
            let (stored, sum) =
                (pending.map_or(0, Points::get), waiting.remove(id.as_str()).unwrap_or_default());
            if stored != sum {
                differences
                    .push(format!("user {:?}: {stored} points are pending but {sum} wait", id.as_str()));
            }
        }
    }
    let missing = |(user, sum): (String, i64)| format!("user {user:?}: no points are pending but {sum} wait");
    differences.extend(waiting.into_iter().map(missing));
    Ok(differences)
}
