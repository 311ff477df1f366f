//! The changes of one command among several, for the counters of its tenant.

use pointbook_domain::{OrderStatus, Points};

use super::Facts;
use crate::measure::WriteTally;

/// The changes of the commands before.
pub(in crate::commands) struct Mark {
    entries: usize,
    new_orders: usize,
    closed_orders: usize,
}

impl Facts {
    pub(in crate::commands) fn mark(&self) -> Mark {
        let changes = &self.changes;
        Mark {
            entries: changes.entries.len(),
            new_orders: changes.new_orders.len(),
            closed_orders: changes.closed_orders.len(),
        }
    }

    pub(in crate::commands) fn tally_since(&self, mark: &Mark) -> WriteTally {
        let changes = &self.changes;
        let mut tally = WriteTally {
            orders_placed: (changes.new_orders.len() - mark.new_orders) as u64,
            ..WriteTally::default()
        };
        for entry in changes.entries.iter().skip(mark.entries) {
            let activity = &entry.transaction.activity;
            let points = activity.net_points().map_or(0, Points::get);
            let sum = if points < 0 { &mut tally.points_spent } else { &mut tally.points_earned };
            *sum += points.unsigned_abs();
            tally.activities += u64::from(!activity.kind.is_order());
        }
        let closed = changes.closed_orders.iter().skip(mark.closed_orders);
        tally.orders_cancelled = closed.filter(|order| order.status == OrderStatus::Cancelled).count() as u64;
        tally
    }
}
