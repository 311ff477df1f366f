//! Where an order stands, and where it may go from there.

use std::fmt;

/// Where an order stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderStatus {
    /// The points are taken; the pieces are reserved.
    Placed,
    /// The pieces went out. Final.
    Fulfilled,
    /// The points were given back. Final.
    Cancelled,
}

/// A text that is no status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownOrderStatus;

impl fmt::Display for UnknownOrderStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("must be placed, fulfilled or cancelled")
    }
}

impl std::error::Error for UnknownOrderStatus {}

impl OrderStatus {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Placed, Self::Fulfilled, Self::Cancelled];

    /// The text of the interface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Placed => "placed",
            Self::Fulfilled => "fulfilled",
            Self::Cancelled => "cancelled",
        }
    }

    /// Reads the text of the interface.
    ///
    /// # Errors
    /// [`UnknownOrderStatus`] for any other text.
    pub fn parse(text: &str) -> Result<Self, UnknownOrderStatus> {
        Self::ALL.into_iter().find(|status| status.as_str() == text).ok_or(UnknownOrderStatus)
    }

    /// Whether an order may take this step: from placed to one of the others, and no further.
    pub fn may_become(self, next: Self) -> bool {
        match (self, next) {
            (Self::Placed, Self::Fulfilled | Self::Cancelled) => true,
            (Self::Placed | Self::Fulfilled | Self::Cancelled, _) => false,
        }
    }
}

impl fmt::Display for OrderStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_placed_order_moves() {
        use OrderStatus::{Cancelled, Fulfilled, Placed};
        let steps = |from: OrderStatus| OrderStatus::ALL.map(|next| from.may_become(next));
        assert_eq!(steps(Placed), [false, true, true]);
        assert_eq!([steps(Fulfilled), steps(Cancelled)], [[false; 3]; 2]);
    }

    #[test]
    fn a_status_is_read_as_it_is_written() {
        for status in OrderStatus::ALL {
            assert_eq!(OrderStatus::parse(status.as_str()), Ok(status));
        }
        assert_eq!(OrderStatus::parse("Placed"), Err(UnknownOrderStatus));
    }
}
