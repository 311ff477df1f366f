use pointbook_catalogue::SnapshotOptions;
use pointbook_domain::TenantSettings;

/// What a tenant's settings say of its catalogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CatalogueOptions {
    /// What snapshots are built with.
    pub snapshot: SnapshotOptions,
    /// How many products are popular because they were ordered most.
    pub popular_most_ordered: u32,
}

impl CatalogueOptions {
    /// The options that these settings come to.
    pub fn of(settings: &TenantSettings) -> Self {
        let snapshot = SnapshotOptions {
            low_stock_threshold: settings.low_stock_threshold,
            hide_sold_out: settings.hide_sold_out,
        };
        Self { snapshot, popular_most_ordered: settings.popular_most_ordered }
    }
}
