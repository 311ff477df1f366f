//! The rows of campaigns: their versions, awards, budgets and runs.

use pointbook_domain::{Day, Points, Timestamp, UserId};

rows! {
    /// One state and definition of a campaign, from a time on.
    CampaignVersionRow of CAMPAIGN_VERSIONS / 1, both {
        /// Counts the versions of all campaigns of the tenant, from 1.
        revision: u64,
        campaign_id: String,
        /// Counts the versions of the campaign, from 1.
        version: u32,
        state: String,
        /// When it takes over from the version before.
        valid_from: Timestamp,
        /// The definition, as JSON.
        definition: String,
        created_at: Timestamp,
        /// Who wrote it, as the audit log names actors.
        created_by: String,
    }

    /// A bonus that a campaign gave.
    AwardRow of AWARDS / 4, both {
        user_id: UserId, campaign_id: String,
        /// The local day of the event.
        day: Day,
        /// The ledger row with the bonus: its position among the user's rows.
        seq: u64,
        version: u32, points: Points,
        /// The birthday that it pays for, with its year.
        birthday: Option<Day>,
    }

    /// When a campaign ran for the first time, and when it ended.
    CampaignRunRow of CAMPAIGN_RUNS / 1, both {
        campaign_id: String, started_at: Timestamp,
        /// The version in force at the start.
        started_version: u32,
        ended_at: Option<Timestamp>,
        /// The version in force at the end.
        ended_version: Option<u32>,
    }

    /// The part of a campaign's budget that one process took, what it spent, and what reversals gave back.
    BudgetShare of BUDGET_SHARES / 2, both {
        campaign_id: String,
        /// Empty for the sums of all shares.
        holder: String,
        taken_awards: i64, taken_points: i64, spent_awards: i64, spent_points: i64,
        /// What reversals gave back. It is not among what is spent.
        returned_awards: i64, returned_points: i64,
        /// Which events told how much of the budget is left: 0 for none, 1 for low, 2 for spent. Only of the share without a holder.
        notice: i64,
    }
}
