//! The rows of back-tests, and the columns of users and of the ledger that a back-test reads.

use pointbook_domain::{
    ActivityType, Attributes, BonusOrigin, Bonuses, Points, SourceId, Timestamp, TransactionId, UserId,
};

use crate::schema::rows::MemberProfile;

rows! {
    /// The columns of a ledger row that campaigns look at.
    EarningRow of TRANSACTIONS / 2, read {
        user_id: UserId, seq: u64, id: TransactionId, created_at: Timestamp, kind as "type": ActivityType, source_id: SourceId,
        points: Points, bonuses as "bonus_breakdown": Bonuses, recorded_at: Timestamp,
        attributes: Attributes, bonus_origin: BonusOrigin,
    }

    /// A user with what campaigns ask of users.
    MemberRow of USERS / 1, read {
        id: UserId, profile: MemberProfile,
    }
}
