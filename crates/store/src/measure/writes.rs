//! Counters of what writes changed.

use metrics::Counter;

/// What one committed write changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WriteTally {
    /// Ledger rows that belong to no order.
    pub activities: u64,
    /// The sum of the positive points of ledger rows.
    pub points_earned: u64,
    /// The sum of the negative points of ledger rows, as a positive number.
    pub points_spent: u64,
    pub orders_placed: u64,
    pub orders_cancelled: u64,
}

/// The counters of one tenant. A count costs a few atomic additions.
pub struct WriteCounters {
    activities: Counter,
    points_earned: Counter,
    points_spent: Counter,
    orders_placed: Counter,
    orders_cancelled: Counter,
    replayed: Counter,
}

impl WriteCounters {
    /// Registers the counters of a tenant, so that they are 0 in the first scrape.
    pub fn new(tenant: &str) -> Self {
        let counter = |name: &'static str| metrics::counter!(name, "tenant" => tenant.to_owned());
        Self {
            activities: counter("pointbook_activities_recorded_total"),
            points_earned: counter("pointbook_points_earned_total"),
            points_spent: counter("pointbook_points_spent_total"),
            orders_placed: counter("pointbook_orders_placed_total"),
            orders_cancelled: counter("pointbook_orders_cancelled_total"),
            replayed: counter("pointbook_requests_replayed_total"),
        }
    }

    /// Counts a write. Call it after the commit.
    pub fn note(&self, tally: WriteTally) {
        let WriteTally { activities, points_earned, points_spent, orders_placed, orders_cancelled } = tally;
        self.activities.increment(activities);
        self.points_earned.increment(points_earned);
        self.points_spent.increment(points_spent);
        self.orders_placed.increment(orders_placed);
        self.orders_cancelled.increment(orders_cancelled);
    }

    /// Counts a request that got the kept response of an earlier one and wrote nothing.
    pub fn note_replay(&self) {
        self.replayed.increment(1);
    }
}
