//! Whether each order of a user took its points, and gave them back when it was cancelled.

use std::collections::HashMap;

use super::difference::DifferenceKind;
use super::fact::StoredRow;
use super::order_fault::{OrderFault, OrderField};
use crate::activity::ORDER;
use crate::{Activity, Order, OrderStatus, Points, SourceId, Timestamp};

/// The orders of one user and what their transactions came to.
#[derive(Debug, Default)]
pub(super) struct OrderChecks {
    orders: Vec<OrderCheck>,
    /// Which order a source id belongs to, and as what.
    parts: HashMap<SourceId, (usize, Part)>,
}

#[derive(Debug, Clone, Copy)]
enum Part {
    Spending,
    Refund,
}

#[derive(Debug)]
struct OrderCheck {
    order: Order,
    spending: Option<Found>,
    refund: Option<Found>,
}

impl OrderChecks {
    /// Takes an order. All of them come before the first row.
    pub(super) fn take_order(&mut self, order: Order) {
        let place = self.orders.len();
        self.parts.insert(order.id.spending_source(), (place, Part::Spending));
        self.parts.insert(order.id.refund_source(), (place, Part::Refund));
        self.orders.push(OrderCheck { order, spending: None, refund: None });
    }

    /// Takes a row. One of type `order` that belongs to no order is the operator's own: fine.
    pub(super) fn take_row(&mut self, row: &StoredRow) {
        if self.orders.is_empty() || row.kind() != ORDER {
            return;
        }
        let Some((place, part)) = self.parts.get(row.source_id()) else { return };
        let Some(check) = self.orders.get_mut(*place) else { return };
        match part {
            Part::Spending => check.spending = Some(Found::spending(&check.order, row)),
            Part::Refund => check.refund = Some(Found::refund(&check.order, row)),
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.orders.len() as u64
    }

    /// What is wrong, after the last row.
    pub(super) fn differences(&self) -> impl Iterator<Item = DifferenceKind> {
        self.orders.iter().flat_map(|check| {
            let kind = |fault| DifferenceKind::Order { id: check.order.id.clone(), fault };
            check.faults().into_iter().map(kind)
        })
    }
}

impl OrderCheck {
    fn faults(&self) -> Vec<OrderFault> {
        let mut faults: Vec<_> = self.price_fault().into_iter().collect();
        self.add_spending_faults(&mut faults);
        self.add_refund_faults(&mut faults);
        faults
    }

    fn price_fault(&self) -> Option<OrderFault> {
        let Order { product, quantity, points: costs, .. } = &self.order;
        let pieces = i128::from(product.price.get()) * i128::from(quantity.get());
        (pieces != i128::from(costs.get())).then_some(OrderFault::OtherPrice { costs: *costs, pieces })
    }

    fn add_spending_faults(&self, faults: &mut Vec<OrderFault>) {
        let costs = self.order.points;
        let Some(Found { changed, left, others }) = &self.spending else {
            faults.push(OrderFault::NotTaken(costs));
            return;
        };
        if *changed != i128::from(costs.negated().get()) {
            faults.push(OrderFault::OtherTaken { costs, changed: *changed });
        }
        if costs > Points::ZERO && *left < 0 {
            faults.push(OrderFault::Overdrawn { left: *left });
        }
        faults.extend(others.iter().map(|field| OrderFault::OtherSpending(*field)));
    }

    fn add_refund_faults(&self, faults: &mut Vec<OrderFault>) {
        let costs = self.order.points;
        match (self.order.status, &self.refund) {
            (OrderStatus::Placed | OrderStatus::Fulfilled, None) => {}
            (OrderStatus::Cancelled, None) => faults.push(OrderFault::NotGivenBack(costs)),
            (OrderStatus::Cancelled, Some(Found { changed, left: _, others })) => {
                if *changed != i128::from(costs.get()) {
                    faults.push(OrderFault::OtherGivenBack { costs, changed: *changed });
                }
                faults.extend(others.iter().map(|field| OrderFault::OtherRefund(*field)));
            }
            (status @ (OrderStatus::Placed | OrderStatus::Fulfilled), Some(_)) => {
                faults.push(OrderFault::GivenBackWhile(status));
            }
        }
    }
}

/// What the transaction of a spending or a refund says.
#[derive(Debug)]
struct Found {
    /// What it changes the balance by, in points.
    changed: i128,
    /// The balance after it, in points.
    left: i64,
    /// Where it has other content than its order, but for the points.
    others: Vec<OrderField>,
}

impl Found {
    fn spending(order: &Order, row: &StoredRow) -> Self {
        Self::compare(row, |_| order.spending())
    }

    /// The time of an order that is not cancelled is not compared: that there is a refund is fault enough.
    fn refund(order: &Order, row: &StoredRow) -> Self {
        Self::compare(row, |at| order.refund(order.cancelled_at.unwrap_or(at)))
    }

    /// What cannot be read is told as that, and not compared.
    fn compare(row: &StoredRow, expected: impl FnOnce(Timestamp) -> Activity) -> Self {
        let others = row.content.as_ref().map_or_else(
            |_| Vec::new(),
            |content| {
                let activity = &content.transaction.activity;
                other_fields(activity, &expected(activity.created_at))
            },
        );
        Self { changed: row.net_points(), left: row.balance_after(), others }
    }
}

/// Type and source id are how the activity was found, and points are compared with their bonuses.
fn other_fields(found: &Activity, expected: &Activity) -> Vec<OrderField> {
    let Activity { kind: _, source_id: _, points: _, bonuses, title, subtitle, created_at } = found;
    let fields = [
        (OrderField::Bonuses, *bonuses != expected.bonuses),
        (OrderField::Title, *title != expected.title),
        (OrderField::Number, *subtitle != expected.subtitle),
        (OrderField::Time, *created_at != expected.created_at),
    ];
    fields.into_iter().filter(|(_, is_other)| *is_other).map(|(field, _)| field).collect()
}
