//! What the documentation of operations shares: their groups, and the parameters of pages.

use crate::describe::Parameter;

/// A group of operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tag {
    /// Products, categories, and the customer's own orders.
    Store,
    /// The point history.
    History,
    /// The signed-in customer, and the token of the request.
    Account,
    /// Operations for API keys.
    Management,
}

impl From<Tag> for &'static str {
    fn from(tag: Tag) -> Self {
        tag.words().0
    }
}

impl Tag {
    /// The name of the tag, and its description.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Store => ("store", "The gift store: products, categories, and the customer's own orders."),
            Self::History => ("history", "The point history of the signed-in customer."),
            Self::Account => ("account", "The signed-in customer, and the token of the request."),
            Self::Management => (
                "management",
                "Operations for the tenant's back office, with an API key that stays on servers.",
            ),
        }
    }
}

/// `page[number]` and `page[size]`.
pub fn page_parameters() -> Vec<Parameter> {
    vec![Parameter::Shared("PageNumber"), Parameter::Shared("PageSize")]
}

/// The header of a read from memory while the database is away.
pub const STALE: &[&str] = &["Warning"];
