//! How an order and the transactions of its points differ.

use std::fmt;

use crate::{OrderStatus, Points, ProductId};

/// What is wrong with an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderFault {
    /// Its price and pieces do not come to what it cost.
    OtherPrice {
        /// What it is said to cost.
        costs: Points,
        /// What its pieces come to, in points.
        pieces: i128,
    },
    /// There is no row of its product, not even a retired one.
    ProductMissing(ProductId),
    /// No transaction of the user took this many points.
    NotTaken(Points),
    /// The transaction that took its points took another number.
    OtherTaken {
        costs: Points,
        /// What the transaction changes the balance by, in points.
        changed: i128,
    },
    /// The transaction that took its points has other content than the order.
    OtherSpending(OrderField),
    /// The transaction took more points than there were.
    Overdrawn {
        /// The balance after it, in points.
        left: i64,
    },
    /// It is cancelled, but no transaction of the user gave this many points back.
    NotGivenBack(Points),
    /// It is cancelled, but the transaction that gave its points back gave another number.
    OtherGivenBack {
        costs: Points,
        /// What the transaction changes the balance by, in points.
        changed: i128,
    },
    /// The transaction that gave its points back has other content than the order.
    OtherRefund(OrderField),
    /// A transaction gave its points back, but it stands here.
    GivenBackWhile(OrderStatus),
}

/// What an order says of the transactions of its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderField {
    /// That they have no bonuses.
    Bonuses,
    /// The product's title.
    Title,
    /// The order's number, which is their subtitle.
    Number,
    /// When it was placed or cancelled.
    Time,
}

impl fmt::Display for OrderFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherPrice { costs, pieces } => {
                write!(f, "costs {costs} points but its pieces come to {pieces}")
            }
            Self::ProductMissing(product) => write!(f, "its product {:?} is not stored", product.as_str()),
            Self::NotTaken(costs) => write!(f, "no transaction took its {costs} points"),
            Self::OtherTaken { costs, changed } => {
                write!(f, "costs {costs} points but its transaction is of {changed} points")
            }
            Self::OtherSpending(field) => write!(f, "the transaction that took its points has {field}"),
            Self::Overdrawn { left } => write!(f, "the transaction that took its points left {left}"),
            Self::NotGivenBack(costs) => {
                write!(f, "is cancelled but no transaction gave its {costs} points back")
            }
            Self::OtherGivenBack { costs, changed } => {
                write!(f, "is cancelled and cost {costs} points but its refund is of {changed} points")
            }
            Self::OtherRefund(field) => write!(f, "its refund has {field}"),
            Self::GivenBackWhile(status) => {
                write!(f, "is {status} but a transaction gave its points back")
            }
        }
    }
}

impl fmt::Display for OrderField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bonuses => "bonuses",
            Self::Title => "another title",
            Self::Number => "another number",
            Self::Time => "another time",
        })
    }
}
