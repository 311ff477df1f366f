//! The oracle of points and stock: a naive program that executes the same writes with lists and loops, and the property
//! that a store agrees with it.
//!
//! Amounts stay far from their bounds here. The conformance suite tests the bounds.

mod edits;
mod held;
mod plan;
mod property;
#[cfg(test)]
mod reached;
mod reading;
mod together;
mod write;

use std::collections::{BTreeMap, BTreeSet};

use pointbook_domain::product::Availability;
use pointbook_domain::{
    Activity, Bonuses, ClosedStatus, Order, OrderId, OrderRefusal, OrderStatus, OrderedProduct, Points,
    Product, ProductId, SourceId, TenantSettings, Timestamp, Transaction, UserId,
};
use pointbook_points::earning::reverse_transaction::{ReversalOutcome, ReverseTransaction};
use pointbook_store::ports::{
    ActivityToRecord, Execution, NewOrder, NewTransaction, OrderStep, OrderStepOutcome, PlaceOrderOutcome,
    ProductUpsert, RecordActivityOutcome, RecordOutcome, RecordedActivity, RequestKey, StoredAnswer,
    UpsertOutcome, WrittenOrder,
};
use pointbook_store::schema::rows::HeldActivity;
pub use property::every_sequence_agrees_with_the_naive_tenant;
pub use together::writes_sent_together_agree_with_the_naive_tenant;
use write::Write;

/// The state of the naive program: lists of all events of a tenant.
#[derive(Debug, Default, Clone)]
pub(crate) struct NaiveTenant {
    /// The rows of all users, in order of recording.
    rows: Vec<RecordedRow>,
    /// In order of placing.
    orders: Vec<Order>,
    products: BTreeMap<ProductId, NaiveProduct>,
    /// The activities that wait, and those that were voided.
    held: Vec<HeldActivity>,
    /// The users who ever had one.
    ever_held: BTreeSet<UserId>,
    version: u64,
    answers: BTreeMap<String, ([u8; 32], StoredAnswer)>,
}

#[derive(Debug, Clone)]
struct RecordedRow {
    new: NewTransaction,
    at: Timestamp,
}

#[derive(Debug, Clone)]
struct NaiveProduct {
    product: Product,
    is_retired: bool,
    /// The version in which clients last saw a change of the product.
    version: u64,
}

impl NaiveTenant {
    /// Executes a write and returns its outcome in Rust's debug format. A used key is not executed again.
    fn execute(&mut self, write: &Write, now: Timestamp, key: Option<&RequestKey>) -> Execution<String> {
        if let Some(key) = key
            && let Some((fingerprint, answer)) = self.answers.get(&key.key)
        {
            let is_the_same = *fingerprint == key.fingerprint;
            return if is_the_same { Execution::Replayed(answer.clone()) } else { Execution::KeyTaken };
        }
        let outcome = self.write(write, now);
        if let Some(key) = key {
            let answer = StoredAnswer(outcome.clone().into_bytes());
            self.answers.insert(key.key.clone(), (key.fingerprint, answer));
        }
        Execution::Executed(outcome)
    }

    fn write(&mut self, write: &Write, now: Timestamp) -> String {
        match write {
            Write::Activity(activity) => format!("{:?}", self.record_activity(activity, now)),
            Write::History(rows) => {
                let outcomes: Vec<_> = rows.iter().map(|row| self.import(row, now)).collect();
                format!("{outcomes:?}")
            }
            Write::Reversal(reversal) => format!("{:?}", self.reverse(reversal)),
            Write::Hold(held, has_own_time) => format!("{:?}", self.hold(held, *has_own_time)),
            Write::Release(held) => format!("{:?}", self.release(held, now)),
            Write::Void(void) => format!("{:?}", self.void(void)),
            Write::Order(order) => format!("{:?}", self.place_order(order)),
            Write::Step(id, step) => format!("{:?}", self.step_order(id, step, now)),
            Write::Product(upsert) => format!("{:?}", [self.upsert(upsert)]),
            Write::Edit(id, edit) => format!("{:?}", self.edit(id, edit)),
            Write::Retirement(id) => format!("{:?}", self.retire(id)),
        }
    }

    fn balance(&self, user: &UserId) -> i64 {
        let amounts =
            self.rows_of(user).map(|row| row.activity.points.get() + row.activity.bonuses.total().get());
        amounts.sum()
    }

    fn points(&self, user: &UserId) -> Points {
        Points::new(self.balance(user)).unwrap()
    }

    fn rows_of(&self, user: &UserId) -> impl Iterator<Item = &Transaction> {
        self.rows.iter().filter(move |row| row.new.user_id == *user).map(|row| &row.new.transaction)
    }

    fn append(&mut self, user: &UserId, transaction: Transaction, at: Timestamp) {
        self.rows.push(RecordedRow { new: NewTransaction { user_id: user.clone(), transaction }, at });
    }

    /// The row with this business key, and its `seq`.
    fn find(&self, user: &UserId, activity: &Activity) -> Option<(u64, Transaction)> {
        let has_key = |row: &Transaction| {
            row.activity.kind == activity.kind && row.activity.source_id == activity.source_id
        };
        (1..).zip(self.rows_of(user)).find(|(_, row)| has_key(row)).map(|(seq, row)| (seq, row.clone()))
    }

    fn recorded(&self, user: &UserId, activity: &Activity) -> RecordedActivity {
        let (seq, transaction) = self.find(user, activity).unwrap();
        RecordedActivity { transaction: transaction.into(), seq, user_points: self.points(user) }
    }

    fn record_activity(&mut self, given: &ActivityToRecord, now: Timestamp) -> RecordActivityOutcome {
        let NewTransaction { user_id: user, transaction } = &given.new;
        let activity = &transaction.activity;
        if let Some((_, first)) = self.find(user, activity) {
            let mut content = activity.clone();
            if !given.has_own_time {
                content.created_at = first.activity.created_at;
            }
            return if content == first.activity {
                RecordActivityOutcome::AlreadyRecorded(self.recorded(user, activity))
            } else {
                RecordActivityOutcome::Conflict
            };
        }
        if self.is_of_an_order(activity) || self.find_held(user, activity).is_some() {
            return RecordActivityOutcome::Conflict;
        }
        let amount = activity.points.get() + activity.bonuses.total().get();
        if amount < 0 && self.balance(user) + amount < 0 {
            return RecordActivityOutcome::TooFewPoints;
        }
        self.append(user, transaction.clone(), now);
        RecordActivityOutcome::Recorded(self.recorded(user, activity))
    }

    fn import(&mut self, new: &NewTransaction, now: Timestamp) -> RecordOutcome {
        match self.find(&new.user_id, &new.transaction.activity) {
            Some((_, first)) if first.activity == new.transaction.activity => RecordOutcome::AlreadyRecorded,
            Some(_) => RecordOutcome::Conflict,
            None if self.is_of_an_order(&new.transaction.activity) => RecordOutcome::Conflict,
            None if self.find_held(&new.user_id, &new.transaction.activity).is_some() => {
                RecordOutcome::Conflict
            }
            None => {
                self.append(&new.user_id, new.transaction.clone(), now);
                RecordOutcome::Recorded
            }
        }
    }

    fn reverse(&mut self, reversal: &ReverseTransaction) -> ReversalOutcome {
        let ReverseTransaction {
            user_id: user, original, id, reason, part, is_partial, max_points, at, ..
        } = reversal;
        let Some((original, source)) = original else { return ReversalOutcome::Unknown };
        if self.is_of_an_order(&original.activity) {
            return ReversalOutcome::OfOrder;
        }
        let Activity { kind, points: base, bonuses, .. } = &original.activity;
        let (base, bonus) = (base.get(), bonuses.total().get());
        // Single base points, of which each has a share of the bonus.
        let share = |points: i64| {
            if points == base.abs() { bonus } else { (bonus * points * 2 + base.abs()) / (base.abs() * 2) }
        };
        let with_source = |source: &str| Activity {
            source_id: SourceId::new(source).unwrap(),
            kind: kind.clone(),
            ..original.activity.clone()
        };
        let is_closed = self.find(user, &with_source(source.as_str())).is_some();
        let mut returned = 0;
        for points in 1..=base.abs() {
            if self.find(user, &with_source(&format!("{source}:{points}"))).is_some() {
                returned = points;
            }
        }
        let (from, to, source) = match part.map(Points::get) {
            None if returned > 0 && returned == base.abs() && !is_closed => {
                return ReversalOutcome::TooMuch { left: 0 };
            }
            None => (returned, base.abs(), source.clone()),
            Some(part) => {
                let from = if is_closed { base.abs() } else { returned };
                if from + part > base.abs() {
                    return ReversalOutcome::TooMuch { left: base.abs() - from };
                }
                (from, from + part, SourceId::new(format!("{source}:{}", from + part)).unwrap())
            }
        };
        let before = if from == 0 { 0 } else { base.signum() * from + share(from) };
        let given = base.signum() * to + share(to) - before;
        let balance = self.balance(user);
        let taken = if *is_partial && given > 0 && balance > 0 { given.min(balance) } else { given };
        if let Some(max) = max_points.filter(|max| before.abs() + taken.abs() > max.get()) {
            return ReversalOutcome::OverLimit(max);
        }
        let activity = Activity {
            source_id: source.clone(),
            points: Points::new(-taken).unwrap(),
            bonuses: Bonuses::NONE,
            subtitle: reason.clone(),
            created_at: *at,
            ..original.activity.clone()
        };
        if self.find(user, &activity).is_some() {
            return ReversalOutcome::AlreadyReversed(self.recorded(user, &activity));
        }
        let may_overdraw = reversal.may_overdraw && !is_partial;
        if taken > 0 && balance < taken && !may_overdraw {
            return ReversalOutcome::TooFewPoints { shortfall: taken - balance, leaves_some: balance > 0 };
        }
        self.append(
            user,
            Transaction {
                id: id.clone(),
                activity: activity.clone(),
                bonus_origin: pointbook_domain::BonusOrigin::Undecided,
            },
            *at,
        );
        ReversalOutcome::Reversed(self.recorded(user, &activity))
    }

    /// Whether it has the type and source id of an order or of its refund.
    fn is_of_an_order(&self, activity: &Activity) -> bool {
        let has_source = |order: &Order| {
            [order.spending(), order.refund(order.created_at)].iter().any(|of_order| {
                (&of_order.kind, &of_order.source_id) == (&activity.kind, &activity.source_id)
            })
        };
        self.orders.iter().any(has_source)
    }

    /// The product and the cost of an order, or the reason of its refusal.
    fn cost(&self, new: &NewOrder) -> Result<(Product, i64), OrderRefusal> {
        let product = match self.products.get(&new.product_id) {
            Some(naive) if naive.product.active && !naive.is_retired => naive.product.clone(),
            Some(_) | None => return Err(OrderRefusal::UnknownProduct),
        };
        match product.stock {
            Some(0) => return Err(OrderRefusal::SoldOut),
            Some(left) if left < new.quantity.get() => return Err(OrderRefusal::NotEnoughStock),
            Some(_) | None => {}
        }
        let price = product.sale_price.unwrap_or(product.regular_price).get();
        let cost = price * i64::from(new.quantity.get());
        // An order without cost does not change a debt.
        let is_short = cost > 0 && self.balance(&new.user_id) < cost;
        if is_short { Err(OrderRefusal::TooFewPoints) } else { Ok((product, cost)) }
    }

    fn place_order(&mut self, new: &NewOrder) -> PlaceOrderOutcome {
        let (product, cost) = match self.cost(new) {
            Ok(priced) => priced,
            Err(refusal) => return PlaceOrderOutcome::Refused(refusal),
        };
        let NewOrder { id, number, transaction_id, user_id, product_id: _, quantity, at } = new.clone();
        let price = product.sale_price.unwrap_or(product.regular_price);
        let order = Order {
            id,
            number,
            user_id,
            product: OrderedProduct { id: product.id, sku: product.sku, title: product.title, price },
            quantity,
            points: Points::new(cost).unwrap(),
            takes_stock: product.stock.is_some(),
            status: OrderStatus::Placed,
            created_at: at,
            fulfilled_at: None,
            cancelled_at: None,
        };
        self.append(
            &order.user_id,
            Transaction {
                id: transaction_id,
                activity: order.spending(),
                bonus_origin: pointbook_domain::BonusOrigin::Undecided,
            },
            at,
        );
        self.orders.push(order.clone());
        let left = product.stock.map(|stock| stock - quantity.get());
        let changes_catalogue = self.set_stock(&order.product.id, left);
        let user_points = self.points(&order.user_id);
        PlaceOrderOutcome::Placed(Box::new(WrittenOrder { order, user_points, changes_catalogue }))
    }

    /// Sets the stock. Returns whether clients see another class of stock.
    fn set_stock(&mut self, id: &ProductId, stock: Option<u32>) -> bool {
        let naive = self.products.get_mut(id).unwrap();
        let class = |stock| Availability::of(stock, TenantSettings::default().low_stock_threshold);
        let is_seen = class(naive.product.stock) != class(stock) && !naive.is_retired;
        naive.product.stock = stock;
        if is_seen {
            self.version += 1;
            naive.version = self.version;
        }
        is_seen
    }

    fn step_order(&mut self, id: &OrderId, step: &OrderStep, at: Timestamp) -> OrderStepOutcome {
        let Some(order) = self.orders.iter_mut().find(|order| order.id == *id) else {
            return OrderStepOutcome::Unknown;
        };
        match order.status {
            OrderStatus::Placed => order.status = step.status().into(),
            OrderStatus::Fulfilled => return OrderStepOutcome::AlreadyClosed(ClosedStatus::Fulfilled),
            OrderStatus::Cancelled => return OrderStepOutcome::AlreadyClosed(ClosedStatus::Cancelled),
        }
        let changes_catalogue = match step {
            OrderStep::Fulfil => {
                order.fulfilled_at = Some(at);
                false
            }
            OrderStep::Cancel { transaction_id, .. } => {
                order.cancelled_at = Some(at);
                let order = order.clone();
                let refund = Transaction {
                    id: transaction_id.clone(),
                    activity: order.refund(at),
                    bonus_origin: pointbook_domain::BonusOrigin::Undecided,
                };
                self.append(&order.user_id, refund, at);
                self.give_back(&order)
            }
        };
        let order = self.orders.iter().find(|order| order.id == *id).unwrap().clone();
        let user_points = self.points(&order.user_id);
        OrderStepOutcome::Done(Box::new(WrittenOrder { order, user_points, changes_catalogue }))
    }

    fn give_back(&mut self, order: &Order) -> bool {
        match self.products[&order.product.id].product.stock {
            Some(left) if order.takes_stock => {
                self.set_stock(&order.product.id, Some(left + order.quantity.get()))
            }
            Some(_) | None => false,
        }
    }

    fn upsert(&mut self, upsert: &ProductUpsert) -> UpsertOutcome {
        let mut product = upsert.product.clone();
        let stored = self.products.get(&product.id);
        if let Some(stored) = stored
            && upsert.keep_stock
        {
            product.stock = stored.product.stock;
        }
        let outcome = match stored {
            Some(stored) if !stored.is_retired && stored.product == product => {
                return UpsertOutcome::Unchanged;
            }
            Some(stored) if !stored.is_retired => UpsertOutcome::Replaced,
            Some(_) | None => UpsertOutcome::Created,
        };
        self.version += 1;
        let naive = NaiveProduct { product, is_retired: false, version: self.version };
        self.products.insert(upsert.product.id.clone(), naive);
        outcome
    }

    fn retire(&mut self, id: &ProductId) -> u64 {
        match self.products.get_mut(id) {
            Some(naive) if !naive.is_retired => {
                naive.is_retired = true;
                self.version += 1;
                1
            }
            Some(_) | None => 0,
        }
    }
}
