//! The rows of figures: what reports show, counted from the ledger.

use pointbook_domain::{Day, UserId};

rows! {
    /// How far the figures are.
    FiguresState of FIGURES / 0, both {
        /// Counts the commits of the figures: a commit that expects another number counted from old figures.
        writes: u64,
        phase: String,
        /// The time zone of all days and months.
        time_zone: String,
        /// The cursor of the feed.
        generation: u64, position: u64,
        /// The last ledger row that the first count looked at. Empty and 0 before the first row.
        scanned_user: String, scanned_seq: u64,
        /// The fingerprint of the rules of the time zone.
        zone_rules: i64,
    }

    /// What the figures count of a user.
    MemberRow of MEMBER_FIGURES / 1, both {
        user_id: UserId,
        /// The rows of the user up to this one are counted.
        counted_seq: u64,
        earned_points: i64, spent_points: i64,
        /// On how many days the user was active, and the last of them.
        day_count: i64, last_day: Option<Day>,
        /// All of these days.
        days: Vec<u8>,
        /// Points by month of earning, as JSON.
        vintages: String,
        /// The campaigns that gave the user an award.
        campaigns: Vec<String>,
    }

    /// The part of a [`MemberRow`] that segments need.
    MemberActivity of MEMBER_FIGURES / 1, read {
        user_id: UserId, earned_points: i64, spent_points: i64, day_count: i64, last_day: Option<Day>,
    }

    /// The part of a [`MemberRow`] that says when a user did what.
    MemberDays of MEMBER_FIGURES / 1, read {
        user_id: UserId, days: Vec<u8>,
    }

    DailyTotal of DAILY_TOTALS / 2, both {
        day: Day, kind as "type": String, transactions: i64, earned_points: i64, bonus_points: i64,
        spent_points: i64, refunded_points: i64, reversed_points: i64, reversals: i64,
    }

    DailyMembers of DAILY_MEMBERS / 1, both {
        day: Day, joined: i64, active_1: i64, active_7: i64, active_28: i64, came_back: i64, lapsed: i64,
    }

    Cohort of COHORTS / 2, both {
        /// Months count from January of the year 0.
        joined: i64, month: i64,
        members: i64,
    }

    Vintage of VINTAGES / 1, both {
        month: i64, issued_points: i64, spent_points: i64, reversed_points: i64,
    }

    CampaignDay of CAMPAIGN_DAYS / 2, both {
        day: Day, campaign_id: String, awards: i64, points: i64,
        /// The members whose first award of this campaign it was.
        first_members: i64,
    }

    ProductDay of PRODUCT_DAYS / 2, both {
        day: Day, product_id: String, orders: i64, pieces: i64, points: i64, cancelled_orders: i64,
        cancelled_pieces: i64, cancelled_points: i64,
    }
}
