//! Changes of the same database by other processes.

use std::sync::Arc;

use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::BaseUrl;
use pointbook_store::{ServedTenant, Service};
use pointbook_testkit::OneSecret;
use pointbook_testkit::build::upsert;

use super::serving::service_limits;
use super::{TestServer, sample};

impl TestServer {
    /// Production in another process, which does not look for changes.
    pub(crate) async fn production_elsewhere(&self) -> Arc<ServedTenant> {
        let database = self.storage.open().await;
        let (clock, secrets) = (self.clock.clone(), Arc::new(OneSecret));
        let service = Service::open(database, clock, secrets, service_limits()).await.unwrap();
        service.directory().find(&self.production().name()).unwrap().clone()
    }

    /// Makes the lots of a user unreadable, behind the back of the service.
    pub(crate) async fn damage_lots_elsewhere(&self, user: &str) {
        let damage = format!("UPDATE users SET lots = 'x' WHERE id = '{user}'");
        assert_eq!(self.storage.execute(&damage).await, 1);
    }

    /// Disables a user of production.
    pub(crate) async fn disable_elsewhere(&self, user: &str) {
        let tenant = self.production().tenant.id.clone();
        let tenant = tenant.as_str();
        let disable = format!(
            "UPDATE users SET disabled_at = created_at WHERE tenant_id = '{tenant}' AND id = '{user}'"
        );
        assert_eq!(self.storage.execute(&disable).await, 1);
    }

    pub(crate) async fn add_product_elsewhere(&self, id: &str) {
        let data = self.storage.open().await.tenant(&self.production().tenant.id);
        data.write(UpsertProducts(vec![upsert(sample::product(id))])).await.unwrap();
    }

    pub(crate) async fn add_tenant_elsewhere(&self, slug: &str) {
        let mut tenant = self.production().tenant.clone();
        tenant.id = pointbook_domain::TenantId::new(slug).unwrap();
        tenant.slug = pointbook_domain::Slug::new(slug).unwrap();
        tenant.base_url = BaseUrl::parse(&format!("https://{slug}.example/{slug}/api")).unwrap();
        self.storage.open().await.insert_tenant(&tenant, &[]).await.unwrap();
    }
}
