//! Servers with products, and their catalogues in memory.

use pointbook_catalogue::cache::CatalogueCache;
use pointbook_catalogue::commands::{ReplaceCategories, UpsertProducts};
use pointbook_domain::Product;
use pointbook_testkit::build::upsert;

use super::{TestServer, sample};

impl TestServer {
    /// A server with the sample of seven visible products in five categories.
    pub(crate) async fn with_sample() -> Self {
        let server = Self::start().await;
        let data = &server.production().data;
        data.write(ReplaceCategories::with(&sample::categories())).await.unwrap();
        server.store(&sample::products()).await;
        server
    }

    /// A server with this many products, of which several share each price.
    pub(crate) async fn with_products(count: u32) -> Self {
        let server = Self::start().await;
        server.store(&sample::many(count)).await;
        server
    }

    /// Adds a product to production and refreshes the server.
    pub(crate) async fn add_product(&self, id: &str) {
        self.store(&[sample::product(id)]).await;
    }

    pub(super) async fn store(&self, products: &[Product]) {
        let upserts: Vec<_> = products.iter().cloned().map(upsert).collect();
        self.production().data.write(UpsertProducts(upserts.clone())).await.unwrap();
        self.sync_with_database().await;
    }

    /// The tenants whose catalogue is in memory.
    pub(crate) fn loaded_catalogues(&self) -> Vec<String> {
        let directory = self.service.directory();
        let loaded =
            directory.tenants().iter().filter(|served| served.state::<CatalogueCache>().memory_bytes() > 0);
        loaded.map(|served| served.name().to_string()).collect()
    }
}
