//! The complete data of a tenant, to check whether a write changed anything.

use std::sync::Arc;

use pointbook_domain::{Order, User};
use pointbook_points::audit::stock::{StockCount, stock_counts};
use pointbook_store::ports::{
    CatalogueVersion, HistoryRead, LedgerEntry, OrderFilter, PageOf, StoredProduct, StoredProductFilter,
    TenantData,
};

use super::chain::all_entries;
use super::whole_history;
use crate::build;

/// The readable data of a tenant without tokens and categories.
#[derive(Debug, Clone, PartialEq)]
pub struct TenantState {
    /// By id.
    pub users: Vec<User>,
    /// In the order of the users.
    pub histories: Vec<HistoryRead>,
    /// By user, then in order of recording.
    pub entries: Vec<LedgerEntry>,
    /// Newest first.
    pub orders: PageOf<Order>,
    /// By id.
    pub products: PageOf<StoredProduct>,
    /// By product id.
    pub stock: Vec<StockCount>,
    pub version: CatalogueVersion,
}

/// Reads the state, up to a thousand items of each kind.
pub async fn tenant_state(data: &Arc<dyn TenantData>) -> TenantState {
    let users = data.users_after(None, 1_000).await.unwrap();
    let mut histories = Vec::new();
    for user in &users {
        histories.push(whole_history(data, user.id.as_str()).await);
    }
    let all = build::page(1, 1_000);
    TenantState {
        users,
        histories,
        entries: all_entries(data).await,
        orders: data.orders(&OrderFilter::default(), all).await.unwrap(),
        products: data.products(&StoredProductFilter::default(), all).await.unwrap(),
        stock: stock_counts(&**data).await.unwrap(),
        version: data.catalogue_version().await.unwrap(),
    }
}
