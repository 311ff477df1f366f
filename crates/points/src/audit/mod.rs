//! TODO: audit.

pub mod budgets;
pub mod ledger;
pub mod stock;
