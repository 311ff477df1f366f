//! The audits of a tenant's ledger, of the stock of its products, and of the budgets of its campaigns. An audit changes nothing.

pub mod budgets;
pub mod ledger;
pub mod stock;
