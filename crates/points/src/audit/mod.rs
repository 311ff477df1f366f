//! The audits of a tenant's ledger, of the stock of its products, of the budgets of its campaigns, and of its held activities. An audit changes
//! nothing.

pub mod budgets;
mod held;
pub mod ledger;
pub mod stock;

use pointbook_store::StoreResult;
use pointbook_store::ports::TenantData;

/// Compares sums with their rows: the budgets of campaigns, and the points of held activities. Returns the differences in words.
///
/// # Errors
/// When the store fails, or a row cannot be read.
pub async fn audit_sums(data: &dyn TenantData) -> StoreResult<Vec<String>> {
    let mut differences = budgets::audit_budgets(data).await?;
    differences.extend(held::audit_held(data).await?);
    Ok(differences)
}
