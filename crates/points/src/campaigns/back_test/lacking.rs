//! The awards of a back-test that rows lack: what a back-fill gives.

use pointbook_domain::{ActivityType, Day, Points, TransactionId, UserId};

use super::tally::RowOutcome;

/// The most awards of a back-fill. It keeps them all in memory, with some 200 bytes for each.
pub const MAX_BACK_FILL_AWARDS: u64 = 1_000_000;

/// What a row has too little of the campaign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lack {
    pub(crate) user_id: UserId,
    pub(crate) transaction_id: TransactionId,
    pub(crate) kind: ActivityType,
    /// The local day of the event.
    pub(crate) day: Day,
    /// Above 0.
    pub(crate) points: Points,
    /// Whether the row has some of the campaign already.
    pub(crate) has_some: bool,
    /// The birthday that the award pays for.
    pub(crate) birthday: Option<Day>,
}

/// The lacks of a tenant, by user and in the order of recording.
#[derive(Debug, Default)]
pub(crate) struct Lacking {
    pub(crate) lacks: Vec<Lack>,
    /// How many lacks belong to reversed rows, which get nothing.
    pub(crate) reversed: u64,
}

impl Lacking {
    pub(super) fn add(&mut self, user_id: &UserId, row: RowOutcome) {
        let Some(points) = row.lacks() else { return };
        if row.is_reversed {
            self.reversed += 1;
            return;
        }
        // With more of them, the back-fill finds other sums than its back-test, and gives nothing.
        if self.lacks.len() as u64 > MAX_BACK_FILL_AWARDS {
            return;
        }
        let RowOutcome { id: transaction_id, kind, day, birthday, has_award, .. } = row;
        let (user_id, has_some) = (user_id.clone(), has_award);
        self.lacks.push(Lack { user_id, transaction_id, kind, day, points, has_some, birthday });
    }
}
