//! The rows of back-tests, and the columns of users and of the ledger that a back-test reads.

use pointbook_domain::{
    ActivityType, Attributes, BonusOrigin, Bonuses, Points, SourceId, Timestamp, TransactionId, UserId,
};

use crate::schema::rows::MemberProfile;

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

    /// The back-fill of a version of a campaign: it gives the awards that a back-test found.
    BackFillRow of BACK_FILLS / 2, both {
        campaign_id: String, version: u32, state: String,
        /// The window of the back-test, as in [`BackTestRow`].
        events_from: Timestamp, events_until: Timestamp,
        /// What the back-test found.
        found_awards: u64, found_points: i64,
        /// The fingerprint of the back-test.
        found_hash: String,
        /// How many awards the rows had before the last run.
        paid_before: u64,
        /// What the back-fill gave so far.
        given_awards: u64, given_points: i64,
        /// How many awards it did not give.
        left_out: u64,
        requested_at: Timestamp,
        /// Who requested it, as the audit log names actors.
        requested_by: String,
        ended_at: Option<Timestamp>,
    }

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
