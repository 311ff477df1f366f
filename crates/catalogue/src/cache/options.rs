use pointbook_domain::TenantSettings;

use crate::index::SnapshotOptions;

/// The settings of a tenant that concern its catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueOptions {
    /// The options of a snapshot.
    pub snapshot: SnapshotOptions,
    /// How many products are popular because of their orders.
    pub popular_most_ordered: u32,
}

impl CatalogueOptions {
    /// The options for these settings.
    pub fn of(settings: &TenantSettings) -> Self {
        let snapshot = SnapshotOptions {
            low_stock_threshold: settings.low_stock_threshold,
            hide_sold_out: settings.hide_sold_out,
        };
        Self { snapshot, popular_most_ordered: settings.popular_most_ordered }
    }
}
