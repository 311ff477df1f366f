//! The rows of back-tests, and the columns of users and of the ledger that a back-test reads.

use pointbook_domain::{ActivityType, Attributes, BonusOrigin, Bonuses, Points, SourceId, Timestamp, UserId};

use crate::rows::MemberProfile;

rows! {
    /// A back-test of a version of a campaign.
    BackTestRow of BACK_TESTS / 2, both {
        campaign_id: String, version: u32, state: String,
        /// The time of the first event that counts.
        events_from: Timestamp,
        /// Events before this time count.
        events_until: Timestamp,
        /// How many ledger rows the last run has read.
        rows_read: u64,
        /// How many ledger rows the tenant had when the last run began.
        rows_total: Option<u64>,
        requested_at: Timestamp,
        /// Who requested it, as the audit log names actors.
        requested_by: String,
        ended_at: Option<Timestamp>,
    }

    /// The result of a back-test that is done.
    BackTestResultRow of BACK_TEST_RESULTS / 2, both {
        campaign_id: String, version: u32,
        /// JSON.
        result: String,
    }

    /// The columns of a ledger row that campaigns look at.
    EarningRow of TRANSACTIONS / 2, read {
        user_id: UserId, seq: u64, created_at: Timestamp, kind as "type": ActivityType, source_id: SourceId,
        points: Points, bonuses as "bonus_breakdown": Bonuses, recorded_at: Timestamp,
        attributes: Attributes, bonus_origin: BonusOrigin,
    }

    /// A user with what campaigns ask of users.
    MemberRow of USERS / 1, read {
        id: UserId, profile: MemberProfile,
    }
}
