//! Counts ledger rows, without I/O.

mod active_days;
mod day_sums;
mod effect;
mod member;
mod vintages;

use std::collections::{BTreeMap, HashMap};

use pointbook_domain::activity::BACK_FILL_SUFFIX;
use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::{Activity, Day, Order, OrderId, Points, TransactionId, UserId};
use pointbook_store::schema::rows::{AwardRow, CampaignDay, LedgerEntry, ProductDay};

pub(crate) use self::active_days::{ActiveDay, ActiveDays};
use self::day_sums::DaySums;
use self::effect::Move;
pub(crate) use self::member::Member;
use crate::Month;
use crate::sums::Sums;

/// What the rows refer to, and the members of whom rows were counted before.
#[derive(Debug, Default)]
pub(crate) struct Loaded {
    pub(crate) members: HashMap<UserId, Member>,
    pub(crate) orders: HashMap<String, Order>,
    pub(crate) awards: HashMap<(UserId, u64), Vec<AwardRow>>,
    /// The transactions that reversals take back.
    pub(crate) reversed: HashMap<(UserId, TransactionId), Activity>,
}

/// What the figures have more after a count: the members of whom a row was counted, and the sums.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) members: BTreeMap<UserId, Member>,
    pub(crate) sums: Sums,
}

/// Where the rows come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rows {
    /// The ledger. A row that another program removed is never counted.
    OfLedger,
    /// New events. The rows before them are counted.
    OfEvents,
}

/// A row of a user before the given ones was never counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gap;

/// Counts the rows that are not counted yet. Those of a user are in the order of `seq`.
///
/// # Errors
/// When there is a [`Gap`] before rows of events.
pub(crate) fn count(rows: &[LedgerEntry], origin: Rows, loaded: Loaded, zone: &Zone) -> Result<Counted, Gap> {
    let mut counter = Counter { loaded, zone, counted: Counted::default(), days: DaySums::default() };
    for entry in rows {
        counter.take(entry, origin)?;
    }
    Ok(counter.finish())
}

struct Counter<'z> {
    loaded: Loaded,
    zone: &'z Zone,
    counted: Counted,
    days: DaySums,
}

impl Counter<'_> {
    fn take(&mut self, entry: &LedgerEntry, origin: Rows) -> Result<(), Gap> {
        let counted_seq = self.counted_seq(&entry.user_id);
        if origin == Rows::OfEvents && entry.seq > counted_seq + 1 {
            return Err(Gap);
        }
        if entry.seq > counted_seq {
            let mut member = self.member(&entry.user_id);
            member.counted_seq = entry.seq;
            self.count(entry, &mut member);
            self.counted.members.insert(entry.user_id.clone(), member);
        }
        Ok(())
    }

    /// The last row of the user that is counted.
    fn counted_seq(&self, user_id: &UserId) -> u64 {
        let member = self.counted.members.get(user_id).or_else(|| self.loaded.members.get(user_id));
        member.map_or(0, |member| member.counted_seq)
    }

    /// The member so far. The stored part of the sums by month is taken out, and goes in again at the end.
    fn member(&mut self, user_id: &UserId) -> Member {
        if let Some(member) = self.counted.members.remove(user_id) {
            return member;
        }
        let stored = self.loaded.members.remove(user_id);
        let member = stored.unwrap_or_else(|| Member::new(user_id.clone()));
        member.vintages().for_each(|vintage| self.counted.sums.subtract(&vintage));
        member
    }

    fn count(&mut self, entry: &LedgerEntry, member: &mut Member) {
        let activity = &entry.transaction.activity;
        let day = self.zone.local_time(activity.created_at).day;
        let moved = Move::of(activity);
        let sums = &mut self.counted.sums;
        sums.add(&moved.total(activity, day));
        self.move_points(activity, moved, day, member);
        if activity.is_by_member() {
            let orders = activity.kind.is_order().into();
            let (earned, bonus) = match moved {
                Move::Issue(_) => (activity.points.get(), activity.bonuses.total().get()),
                _ => (0, 0),
            };
            member.add_day(ActiveDay { day, earned, bonus, orders }, &mut self.days, &mut self.counted.sums);
        }
        if activity.kind.is_order() && !activity.is_reversal() {
            self.count_order(activity, day);
        }
        self.count_awards(entry, day, member);
    }

    /// A reversal belongs to the month of the row that it is about.
    fn move_points(&self, activity: &Activity, moved: Move, day: Day, member: &mut Member) {
        match (moved, self.origin(&member.user_id, activity)) {
            (Move::Reverse(points), Some(origin)) => {
                let month = Month::from(self.zone.local_time(origin.created_at).day);
                match Move::of(origin) {
                    Move::Spend(_) if points < 0 => {
                        member.move_points(Move::Refund(points.saturating_neg()), month);
                    }
                    Move::Spend(_) => member.move_points(Move::Spend(points), month),
                    Move::Expire(_) => member.move_points(Move::Expire(points), month),
                    _ => member.move_points(moved, month),
                }
            }
            _ => member.move_points(moved, Month::from(day)),
        }
    }

    /// The row that a reversal is about in the end: a reversal may be reversed too. `None` for other rows, and for a reversal that
    /// was imported without that row.
    fn origin(&self, user_id: &UserId, activity: &Activity) -> Option<&Activity> {
        let reversed = |activity: &Activity| {
            let id = TransactionId::new(activity.source_id.reversed_transaction()?).ok()?;
            self.loaded.reversed.get(&(user_id.clone(), id))
        };
        let mut origin = reversed(activity)?;
        // Each row is before the one that reverses it. The bound is for rows that another program wrote.
        for _ in 0..self.loaded.reversed.len() {
            let Some(before) = reversed(origin) else { break };
            origin = before;
        }
        Some(origin)
    }

    fn count_order(&mut self, activity: &Activity, day: Day) {
        let source = &activity.source_id;
        let found = OrderId::candidates(source.as_str()).map(|id| self.loaded.orders.get(id));
        for order in found.into_iter().flatten() {
            let product_id = order.product.id.as_str().to_owned();
            let (pieces, points) = (i64::from(order.quantity.get()), order.points.get());
            let none = ProductDay {
                day,
                product_id,
                orders: 0,
                pieces: 0,
                points: 0,
                cancelled_orders: 0,
                cancelled_pieces: 0,
                cancelled_points: 0,
            };
            if order.id.spending_source() == *source {
                return self.counted.sums.add(&ProductDay { orders: 1, pieces, points, ..none });
            }
            if order.id.refund_source() == *source {
                let (cancelled_pieces, cancelled_points) = (pieces, points);
                let cancelled =
                    ProductDay { cancelled_orders: 1, cancelled_pieces, cancelled_points, ..none };
                return self.counted.sums.add(&cancelled);
            }
        }
    }

    fn count_awards(&mut self, entry: &LedgerEntry, day: Day, member: &mut Member) {
        if entry.transaction.activity.bonuses.total() <= Points::ZERO {
            return;
        }
        let awards = self.loaded.awards.remove(&(entry.user_id.clone(), entry.seq)).unwrap_or_default();
        // A back-fill is recorded later, and its award has the day of the event.
        let is_back_fill = entry.transaction.activity.source_id.as_str().ends_with(BACK_FILL_SUFFIX);
        for AwardRow { campaign_id, day: of_event, points, .. } in awards {
            let day = if is_back_fill { of_event } else { day };
            let first_members = member.add_campaign(&campaign_id).into();
            self.counted.sums.add(&CampaignDay {
                day,
                campaign_id,
                awards: 1,
                points: points.get(),
                first_members,
            });
        }
    }

    fn finish(self) -> Counted {
        let Self { mut counted, days, .. } = self;
        for member in counted.members.values() {
            member.vintages().for_each(|vintage| counted.sums.add(&vintage));
        }
        days.rows().iter().for_each(|row| counted.sums.add(row));
        counted
    }
}

#[cfg(test)]
mod tests;
