//! What another process does to the same database file.

use std::sync::Arc;

use pointbook_app::ports::Database;
use pointbook_app::{Clock, ServedTenant, Service, ServiceLimits, token_hash};
use pointbook_domain::BaseUrl;
use pointbook_testkit::build::upsert;

use super::serving::open;
use super::{TestServer, sample};

impl TestServer {
    /// Another process on the same file.
    fn elsewhere(&self) -> Arc<dyn Database> {
        open(&self.file)
    }

    /// Production in another process, which looks for no changes by itself.
    pub(crate) async fn production_elsewhere(&self) -> Arc<ServedTenant> {
        let limits = ServiceLimits { principal_max_age_seconds: 10, catalogue_bytes: 1 };
        let service = Service::open(self.elsewhere(), self.clock.clone(), limits).await.unwrap();
        service.directory().find(&self.production().name()).unwrap().clone()
    }

    pub(crate) async fn revoke_elsewhere(&self, token: &str) {
        let data = self.elsewhere().tenant(&self.production().tenant.id);
        assert!(data.revoke_token(&token_hash(token.as_bytes()), self.clock.now()).await.unwrap());
    }

    /// Disables a user of production.
    pub(crate) fn disable_elsewhere(&self, user: &str) {
        let disable = "UPDATE users SET disabled_at = created_at WHERE tenant_id = ?1 AND id = ?2";
        let file = rusqlite::Connection::open(&self.file).unwrap();
        let tenant = self.production().tenant.id.clone();
        assert_eq!(file.execute(disable, [tenant.as_str(), user]).unwrap(), 1);
    }

    pub(crate) async fn add_product_elsewhere(&self, id: &str) {
        let data = self.elsewhere().tenant(&self.production().tenant.id);
        data.upsert_products(&[upsert(sample::product(id))]).await.unwrap();
    }

    pub(crate) async fn add_tenant_elsewhere(&self, slug: &str) {
        let mut tenant = self.production().tenant.clone();
        tenant.id = pointbook_domain::TenantId::new(slug).unwrap();
        tenant.slug = pointbook_domain::Slug::new(slug).unwrap();
        tenant.base_url = BaseUrl::parse(&format!("https://{slug}.example/{slug}/api")).unwrap();
        self.elsewhere().insert_tenant(&tenant).await.unwrap();
    }
}
