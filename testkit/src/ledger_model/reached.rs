//! The cases that the random sequences of the property reach. The conformance suite has no test for each of them, because a
//! store that gets one wrong differs from the lists.

use std::cell::RefCell;
use std::collections::BTreeSet;

use pointbook_domain::{OrderId, OrderStatus, ProductId, UserId};
use pointbook_store::ports::{Execution, NewOrder, OrderStep, ProductUpsert};

use super::NaiveTenant;
use super::plan::{Mishap, opening, requests};
use super::property::{runner, time_of};
use super::write::Write;

const CASES: [&str; 53] = [
    "a gift in debt",
    "a key for another request",
    "a pen without a stock",
    "a price in a sale",
    "a repeated request with its key",
    "activity: again",
    "activity: again, without a time",
    "activity: conflict",
    "activity: earned in debt",
    "activity: recorded",
    "activity: the last points",
    "activity: the source of an order",
    "activity: too few points",
    "cancelled: another class of stock",
    "cancelled: another price by then",
    "cancelled: in debt",
    "cancelled: into the stock",
    "cancelled: no stock by then",
    "cancelled: not out of this stock",
    "cancelled: retired by then",
    "fulfilled",
    "held",
    "held: again",
    "held: conflict",
    "held: recorded before",
    "history: again",
    "history: conflict",
    "history: debt",
    "history: nothing",
    "history: twice in one batch",
    "ordered: another class of stock",
    "ordered: the last piece",
    "ordered: the last points",
    "ordered: the same class of stock",
    "product: another stock, with orders",
    "product: back after its retirement",
    "product: keeps its stock, with orders",
    "product: limited, with orders",
    "product: unchanged",
    "product: unlimited, with orders",
    "refused: inactive",
    "refused: more than the stock",
    "refused: retired",
    "refused: sold out",
    "refused: too few points",
    "released",
    "released: not yet",
    "returned",
    "returned: a debt",
    "step: cancelled before",
    "step: fulfilled before",
    "step: unknown",
    "voided",
];

/// A write to the lists: before it, after it, and its outcome.
struct Step<'s> {
    before: &'s NaiveTenant,
    after: &'s NaiveTenant,
    outcome: &'s str,
}

impl Step<'_> {
    fn is(&self, outcome: &str) -> bool {
        self.outcome.starts_with(outcome)
    }

    fn changes_version(&self) -> bool {
        self.before.version != self.after.version
    }

    fn stock_after(&self, id: &ProductId) -> Option<u32> {
        self.after.products[id].product.stock
    }

    /// The cases that are true.
    fn of<const N: usize>(cases: [(&'static str, bool); N]) -> Vec<&'static str> {
        cases.into_iter().filter(|(_, is_reached)| *is_reached).map(|(case, _)| case).collect()
    }

    fn order(&self, new: &NewOrder) -> Vec<&'static str> {
        let naive = self.before.products.get(&new.product_id);
        let is_placed = self.is("Placed");
        let is_gift = self.after.orders.last().is_some_and(|order| order.points.get() == 0);
        let balance = self.after.balance(&new.user_id);
        let stock = naive.and_then(|naive| naive.product.stock);
        Self::of([
            ("a gift in debt", is_placed && is_gift && balance < 0),
            ("a pen without a stock", is_placed && stock.is_none()),
            ("a price in a sale", is_placed && naive.is_some_and(|naive| naive.product.sale_price.is_some())),
            ("ordered: another class of stock", is_placed && self.changes_version()),
            ("ordered: the same class of stock", is_placed && stock.is_some() && !self.changes_version()),
            ("ordered: the last piece", is_placed && self.stock_after(&new.product_id) == Some(0)),
            ("ordered: the last points", is_placed && balance == 0 && self.before.balance(&new.user_id) > 0),
            ("refused: inactive", naive.is_some_and(|naive| !naive.is_retired && !naive.product.active)),
            ("refused: retired", naive.is_some_and(|naive| naive.is_retired)),
            ("refused: more than the stock", self.is("Refused(NotEnoughStock")),
            ("refused: sold out", self.is("Refused(SoldOut")),
            ("refused: too few points", self.is("Refused(TooFewPoints")),
        ])
    }

    fn step(&self, id: &OrderId, step: &OrderStep) -> Vec<&'static str> {
        let Some(order) = self.after.orders.iter().find(|order| order.id == *id) else {
            return vec!["step: unknown"];
        };
        let naive = &self.before.products[&order.product.id];
        let is_cancelled = self.is("Done") && matches!(step, OrderStep::Cancel { .. });
        let is_limited = naive.product.stock.is_some();
        Self::of([
            ("fulfilled", self.is("Done") && !is_cancelled),
            ("step: cancelled before", self.is("AlreadyClosed(Cancelled")),
            ("step: fulfilled before", self.is("AlreadyClosed(Fulfilled")),
            ("cancelled: another class of stock", is_cancelled && self.changes_version()),
            (
                "cancelled: another price by then",
                is_cancelled && naive.product.regular_price != order.product.price,
            ),
            ("cancelled: in debt", is_cancelled && self.after.balance(&order.user_id) < 0),
            ("cancelled: into the stock", is_cancelled && order.takes_stock && is_limited),
            ("cancelled: no stock by then", is_cancelled && order.takes_stock && !is_limited),
            ("cancelled: not out of this stock", is_cancelled && !order.takes_stock && is_limited),
            ("cancelled: retired by then", is_cancelled && naive.is_retired && is_limited),
        ])
    }

    fn product(&self, upsert: &ProductUpsert) -> Vec<&'static str> {
        let id = &upsert.product.id;
        // Every product exists from the opening on.
        let naive = &self.before.products[id];
        let has_orders = self.before.pieces(id, |order| order.status == OrderStatus::Placed) > 0;
        let (stock, after) = (naive.product.stock, self.stock_after(id));
        Self::of([
            (
                "product: another stock, with orders",
                has_orders && stock.is_some() && after.is_some() && stock != after,
            ),
            ("product: back after its retirement", naive.is_retired && self.is("[Created")),
            ("product: keeps its stock, with orders", has_orders && upsert.keep_stock && stock.is_some()),
            ("product: limited, with orders", has_orders && stock.is_none() && after.is_some()),
            ("product: unchanged", self.is("[Unchanged")),
            ("product: unlimited, with orders", has_orders && stock.is_some() && after.is_none()),
        ])
    }

    fn cases(&self, write: &Write) -> Vec<&'static str> {
        let owes = |tenant: &NaiveTenant, user: &UserId| tenant.balance(user) < 0;
        match write {
            Write::Activity(given) => {
                let (user, activity) = (&given.new.user_id, &given.new.transaction.activity);
                let first = self.before.find(user, activity);
                let is_later =
                    first.is_some_and(|(_, first)| first.activity.created_at != activity.created_at);
                let has_earned = self.is("Recorded") && activity.points.get() > 0;
                let has_spent = self.is("Recorded") && activity.points.get() < 0;
                Self::of([
                    ("activity: again", self.is("AlreadyRecorded")),
                    ("activity: again, without a time", self.is("AlreadyRecorded") && is_later),
                    ("activity: conflict", self.is("Conflict")),
                    ("activity: earned in debt", has_earned && owes(self.before, user)),
                    ("activity: recorded", self.is("Recorded")),
                    ("activity: the last points", has_spent && self.after.balance(user) == 0),
                    (
                        "activity: the source of an order",
                        self.is("Conflict") && self.before.is_of_an_order(activity),
                    ),
                    ("activity: too few points", self.is("TooFewPoints")),
                ])
            }
            Write::History(rows) => {
                let key = |place: usize| {
                    let new = &rows[place];
                    let activity = &new.transaction.activity;
                    (&new.user_id, &activity.kind, &activity.source_id)
                };
                let keys: BTreeSet<_> = (0..rows.len()).map(key).collect();
                Self::of([
                    ("history: again", self.outcome.contains("AlreadyRecorded")),
                    ("history: conflict", self.outcome.contains("Conflict")),
                    ("history: debt", rows.iter().any(|new| owes(self.after, &new.user_id))),
                    ("history: nothing", rows.is_empty()),
                    ("history: twice in one batch", keys.len() < rows.len()),
                ])
            }
            Write::Order(new) => self.order(new),
            Write::Step(id, step) => self.step(id, step),
            Write::Product(upsert) => self.product(upsert),
            Write::Reversal(reversal) => {
                let is_return = self.is("Reversed") && reversal.part.is_some();
                Self::of([
                    ("returned", is_return),
                    ("returned: a debt", is_return && owes(self.after, &reversal.user_id)),
                ])
            }
            Write::Hold(..) => Self::of([
                ("held", self.is("Held")),
                ("held: again", self.is("AlreadyHeld")),
                ("held: conflict", self.is("Conflict")),
                ("held: recorded before", self.is("AlreadyRecorded")),
            ]),
            Write::Release(held) => Self::of([
                ("released", self.is("true")),
                ("released: not yet", self.is("false") && held.release_at.is_some()),
            ]),
            Write::Void(_) => Self::of([("voided", self.is("Voided"))]),
            Write::Edit(..) | Write::Retirement(_) => Vec::new(),
        }
    }
}

#[test]
fn the_sequences_reach_every_case() {
    let reached = RefCell::new(BTreeSet::new());
    let outcome = runner().run(&requests(), |requests| {
        let (mut naive, mut attempt) = (NaiveTenant::default(), 0);
        for plan in opening() {
            attempt += 1;
            naive.execute(&plan.write(attempt, time_of(attempt), &naive), time_of(attempt), None);
        }
        for request in &requests {
            let times = match request.mishap {
                Some(Mishap::AnswerLost) => 2,
                Some(Mishap::RequestLost) | None => 1,
            };
            for _ in 0..times {
                attempt += 1;
                let (before, now) = (naive.clone(), time_of(attempt));
                let write = request.plan.write(attempt, now, &naive);
                let cases = match naive.execute(&write, now, request.key().as_ref()) {
                    Execution::Executed(outcome) => {
                        Step { before: &before, after: &naive, outcome: &outcome }.cases(&write)
                    }
                    Execution::Replayed(_) => vec!["a repeated request with its key"],
                    Execution::KeyTaken => vec!["a key for another request"],
                    Execution::TooManyKeys => Vec::new(),
                };
                reached.borrow_mut().extend(cases);
            }
        }
        Ok(())
    });
    outcome.unwrap();
    assert_eq!(reached.into_inner(), CASES.into());
}
