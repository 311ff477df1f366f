//! Whether each order of a user took its points, and gave them back when it was cancelled.

use std::collections::HashMap;

use super::difference::{DifferenceKind, OrderFault};
use super::fact::StoredRow;
use crate::{ActivityType, Order, OrderStatus, SourceId};

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
    /// What the transaction of the spending changes the balance by.
    taken: Option<i128>,
    /// What the transaction of the refund changes the balance by.
    given_back: Option<i128>,
}

impl OrderChecks {
    /// Takes an order. All of them come before the first row.
    pub(super) fn take_order(&mut self, order: Order) {
        let place = self.orders.len();
        self.parts.insert(order.id.spending_source(), (place, Part::Spending));
        self.parts.insert(order.id.refund_source(), (place, Part::Refund));
        self.orders.push(OrderCheck { order, taken: None, given_back: None });
    }

    /// Takes a row. One of type `order` that belongs to no order is the operator's own: fine.
    pub(super) fn take_row(&mut self, row: &StoredRow) {
        if self.orders.is_empty() || row.kind() != ActivityType::order().as_str() {
            return;
        }
        let Some((place, part)) = self.parts.get(row.source_id()) else { return };
        let Some(check) = self.orders.get_mut(*place) else { return };
        match part {
            Part::Spending => check.taken = Some(row.net_points()),
            Part::Refund => check.given_back = Some(row.net_points()),
        }
    }

    pub(super) fn count(&self) -> u64 {
        self.orders.len() as u64
    }

    /// What is wrong, after the last row.
    pub(super) fn differences(&self) -> impl Iterator<Item = DifferenceKind> {
        self.orders.iter().flat_map(|check| {
            let kind = |fault| DifferenceKind::Order { id: check.order.id.clone(), fault };
            [check.spending_fault(), check.refund_fault()].into_iter().flatten().map(kind)
        })
    }
}

impl OrderCheck {
    fn spending_fault(&self) -> Option<OrderFault> {
        let costs = self.order.points;
        match self.taken {
            None => Some(OrderFault::NotTaken(costs)),
            Some(changed) if changed == i128::from(costs.negated().get()) => None,
            Some(changed) => Some(OrderFault::OtherTaken { costs, changed }),
        }
    }

    fn refund_fault(&self) -> Option<OrderFault> {
        let costs = self.order.points;
        match (self.order.status, self.given_back) {
            (OrderStatus::Cancelled, None) => Some(OrderFault::NotGivenBack(costs)),
            (OrderStatus::Cancelled, Some(changed)) if changed == i128::from(costs.get()) => None,
            (OrderStatus::Cancelled, Some(changed)) => Some(OrderFault::OtherGivenBack { costs, changed }),
            (OrderStatus::Placed | OrderStatus::Fulfilled, None) => None,
            (status @ (OrderStatus::Placed | OrderStatus::Fulfilled), Some(_)) => {
                Some(OrderFault::GivenBackWhile(status))
            }
        }
    }
}
