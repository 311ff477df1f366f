//! Activities whose points wait: until a return is no longer possible, for example. A held activity has its business key from the start. At
//! its time the server records it, as the back office would have reported it then, and campaigns decide as of the time of the event. Until then the
//! back office may void it.

pub(crate) mod api;
mod hold;
mod release;
mod view;
mod void;

pub use self::hold::{HoldActivity, HoldOutcome, hold_activity};
pub(crate) use self::release::ReleaseHeld;
pub use self::release::{ReleaseActivity, release_due};
pub(crate) use self::view::HeldView;
pub use self::void::{VoidActivity, VoidOutcome, void_activity};

use pointbook_domain::{Activity, BonusOrigin, Points, Timestamp, Transaction};
use pointbook_store::commands::{CommandError, Facts};
use pointbook_store::ports::NewTransaction;
use pointbook_store::schema::rows::{HeldActivity, UserRow};

/// The points that a held activity has itself, without what campaigns will add.
pub fn pending_points(held: &HeldActivity) -> i64 {
    held.points.get().saturating_add(held.bonuses.total().get())
}

/// The held activity of a transaction that a back office reports. It waits from `held_at` until `release_at`.
pub fn held_activity(
    new: NewTransaction,
    asks_campaigns: bool,
    held_at: Timestamp,
    release_at: Timestamp,
) -> HeldActivity {
    let NewTransaction { user_id, transaction: Transaction { id, activity, .. } } = new;
    let Activity { kind, source_id, points, bonuses, title, subtitle, created_at, attributes } = activity;
    HeldActivity {
        user_id,
        kind,
        source_id,
        id,
        points,
        bonuses,
        title,
        subtitle,
        created_at,
        attributes,
        asks_campaigns,
        held_at,
        release_at: Some(release_at),
        voided_at: None,
        reason: String::new(),
    }
}

/// The transaction that a held activity becomes.
pub(crate) fn transaction(held: &HeldActivity) -> Transaction {
    let HeldActivity {
        kind, source_id, id, points, bonuses, title, subtitle, created_at, attributes, ..
    } = held;
    let activity = Activity {
        kind: kind.clone(),
        source_id: source_id.clone(),
        points: *points,
        bonuses: bonuses.clone(),
        title: title.clone(),
        subtitle: subtitle.clone(),
        created_at: *created_at,
        attributes: attributes.clone(),
    };
    Transaction { id: id.clone(), activity, bonus_origin: BonusOrigin::BackOffice }
}

/// Adds points to those of the user that wait, or takes some from them.
fn move_pending(facts: &mut Facts, mut user: UserRow, points: i64) -> Result<(), CommandError> {
    let before = user.state.pending.map_or(0, Points::get);
    let after = Points::new(before.saturating_add(points).max(0));
    user.state.pending = Some(
        after.map_err(|_| CommandError::in_row("users", user.id.as_str(), "has too many pending points"))?,
    );
    facts.put(user)
}
