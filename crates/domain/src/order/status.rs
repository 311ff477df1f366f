//! The status of an order, and its next steps.

use crate::id::{FormError, shown_as_str};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderStatus {
    /// The points are taken; the pieces are reserved.
    Placed,
    /// The pieces were delivered. Final.
    Fulfilled,
    /// The points were returned. Final.
    Cancelled,
}

/// How an order was closed. Both are final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClosedStatus {
    Fulfilled,
    Cancelled,
}

impl From<ClosedStatus> for OrderStatus {
    fn from(closed: ClosedStatus) -> Self {
        match closed {
            ClosedStatus::Fulfilled => Self::Fulfilled,
            ClosedStatus::Cancelled => Self::Cancelled,
        }
    }
}

const RULE: FormError = FormError("must be placed, fulfilled or cancelled");

impl OrderStatus {
    pub const ALL: [Self; 3] = [Self::Placed, Self::Fulfilled, Self::Cancelled];

    pub fn as_str(self) -> &'static str {
        match self {
            Self::Placed => "placed",
            Self::Fulfilled => "fulfilled",
            Self::Cancelled => "cancelled",
        }
    }

    /// # Errors
    /// [`FormError`] for any other string.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(RULE)
    }

    /// The status after closing: a placed order may become one of the others, and nothing else.
    ///
    /// # Errors
    /// How the order was closed before.
    pub fn close(self, how: ClosedStatus) -> Result<Self, ClosedStatus> {
        match self {
            Self::Placed => Ok(how.into()),
            Self::Fulfilled => Err(ClosedStatus::Fulfilled),
            Self::Cancelled => Err(ClosedStatus::Cancelled),
        }
    }
}

shown_as_str!(OrderStatus);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_placed_order_is_closed() {
        for how in [ClosedStatus::Fulfilled, ClosedStatus::Cancelled] {
            assert_eq!(OrderStatus::Placed.close(how), Ok(how.into()));
            assert_eq!(OrderStatus::Fulfilled.close(how), Err(ClosedStatus::Fulfilled));
            assert_eq!(OrderStatus::Cancelled.close(how), Err(ClosedStatus::Cancelled));
        }
    }

    #[test]
    fn a_status_is_read_as_it_is_written() {
        for status in OrderStatus::ALL {
            assert_eq!(OrderStatus::parse(status.as_str()), Ok(status));
        }
        assert_eq!(OrderStatus::parse("Placed"), Err(RULE));
    }
}
