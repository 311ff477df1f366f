//! Facts of the tenant store.

use std::sync::Arc;

use pointbook_domain::{BaseUrl, Environment, Locale, Tenant, TenantId};
use pointbook_store::StoreError;
use pointbook_store::ports::{Database, InsertTenantError};

use crate::build;

/// The list of tenants is empty.
pub async fn a_new_database_has_no_tenants(database: Arc<dyn Database>) {
    assert_eq!(database.tenants().await.unwrap(), []);
}

/// Production comes before staging.
pub async fn tenants_come_by_slug_then_environment(database: Arc<dyn Database>) {
    let (b, a) = (build::tenant("b"), build::tenant("a"));
    let a_staging = staging(&a);
    for tenant in [&a_staging, &b, &a] {
        database.insert_tenant(tenant, &[]).await.unwrap();
    }
    assert_eq!(database.tenants().await.unwrap(), [a, a_staging, b]);
}

/// The version stays the same while no tenant changes.
pub async fn the_version_of_the_tenants_moves_with_each_change(database: Arc<dyn Database>) {
    let version = async || database.tenants_version().await.unwrap();
    let mut seen = vec![version().await];
    let (acme, other) = (build::tenant("acme"), build::tenant("other"));
    let mut moved = async || {
        let now = version().await;
        assert_eq!(now, version().await);
        assert!(!seen.contains(&now), "{seen:?}");
        seen.push(now);
    };
    database.insert_tenant(&acme, &[]).await.unwrap();
    moved().await;
    database.insert_tenant(&other, &[]).await.unwrap();
    moved().await;
    let mut settings = acme.settings.clone();
    settings.set("page_size_max", "50").unwrap();
    for changed in [
        Tenant { name: "Acme & Co".into(), ..acme.clone() },
        Tenant { locale: Locale::new("de").unwrap(), ..acme.clone() },
        Tenant { base_url: url("https://new.example/api"), ..acme.clone() },
        Tenant { settings, ..acme.clone() },
    ] {
        database.update_tenant(&changed, &[]).await.unwrap();
        moved().await;
    }
    if database.may_remove_tenants().await.unwrap() {
        while !database.remove_tenant_rows(&acme.id, 1_000).await.unwrap() {}
        moved().await;
    }
}

/// Settings and texts survive, too.
pub async fn every_field_of_a_tenant_survives(database: Arc<dyn Database>) {
    let mut tenant = Tenant {
        name: "Ümläut \"&\" Söhne\n".into(),
        locale: Locale::new("zh-Hant").unwrap(),
        ..build::tenant("acme")
    };
    for (key, value) in [
        ("page_size_max", "50"),
        ("hide_sold_out", "true"),
        ("cors", "https://shop.example,http://localhost:3000"),
        ("rate_limit_reads_per_minute", "600"),
        ("rate_limit_writes_per_minute", "0"),
        ("activity_types", "checkin,survey"),
        ("time_zone", "Asia/Kathmandu"),
        ("locales", "en,de"),
        ("texts.de", "code-title = \"Scan\"\n"),
    ] {
        tenant.settings.set(key, value).unwrap();
    }
    database.insert_tenant(&tenant, &[]).await.unwrap();
    assert_eq!(database.tenants().await.unwrap(), [tenant]);
}

/// The name consists of slug and environment.
pub async fn a_tenant_name_is_taken_once(database: Arc<dyn Database>) {
    let first = build::tenant("acme");
    database.insert_tenant(&first, &[]).await.unwrap();
    let again = Tenant { id: id("other"), base_url: url("https://other.example/api"), ..first.clone() };
    let refused = database.insert_tenant(&again, &[]).await;
    assert!(matches!(refused, Err(InsertTenantError::NameTaken)), "{refused:?}");
    assert_eq!(database.tenants().await.unwrap(), [first]);
}

/// A tenant with another name cannot take it either.
pub async fn a_base_url_is_taken_once(database: Arc<dyn Database>) {
    let first = build::tenant("acme");
    database.insert_tenant(&first, &[]).await.unwrap();
    let again = Tenant { base_url: first.base_url.clone(), ..build::tenant("other") };
    let refused = database.insert_tenant(&again, &[]).await;
    assert!(matches!(refused, Err(InsertTenantError::BaseUrlTaken)), "{refused:?}");
    assert_eq!(database.tenants().await.unwrap(), [first]);
}

/// The scheme does not distinguish tenants, because requests are matched by authority and path.
pub async fn a_base_url_is_taken_under_both_schemes(database: Arc<dyn Database>) {
    let first = build::tenant("acme");
    let other = build::tenant("other");
    database.insert_tenant(&first, &[]).await.unwrap();
    let plain = url("http://acme.example/api");
    let refused = database.insert_tenant(&Tenant { base_url: plain.clone(), ..other.clone() }, &[]).await;
    assert!(matches!(refused, Err(InsertTenantError::BaseUrlTaken)), "{refused:?}");
    database.insert_tenant(&other, &[]).await.unwrap();
    let refused = database.update_tenant(&Tenant { base_url: plain.clone(), ..other.clone() }, &[]).await;
    assert!(matches!(refused, Err(InsertTenantError::BaseUrlTaken)), "{refused:?}");
    let moved = Tenant { base_url: plain, ..first };
    database.update_tenant(&moved, &[]).await.unwrap();
    assert_eq!(database.tenants().await.unwrap(), [moved, other]);
}

/// Name, base URL, locale and settings may change. Slug, environment and creation time may not.
pub async fn an_update_replaces_what_may_change(database: Arc<dyn Database>) {
    let before = build::tenant("acme");
    database.insert_tenant(&before, &[]).await.unwrap();
    let mut after = Tenant {
        base_url: url("https://new.example/api"),
        name: "New".into(),
        locale: Locale::new("ja").unwrap(),
        created_at: build::on_day(1),
        environment: Environment::Staging,
        ..before.clone()
    };
    after.settings.set("page_size_max", "7").unwrap();
    database.update_tenant(&after, &[]).await.unwrap();
    let expected = Tenant { created_at: before.created_at, environment: before.environment, ..after };
    assert_eq!(database.tenants().await.unwrap(), [expected]);
}

/// Two tenants cannot have the same base URL.
pub async fn an_update_to_the_base_url_of_another_is_refused(database: Arc<dyn Database>) {
    let (a, b) = (build::tenant("a"), build::tenant("b"));
    database.insert_tenant(&a, &[]).await.unwrap();
    database.insert_tenant(&b, &[]).await.unwrap();
    database.update_tenant(&a, &[]).await.unwrap();
    let refused = database.update_tenant(&Tenant { base_url: b.base_url.clone(), ..a.clone() }, &[]).await;
    assert!(matches!(refused, Err(InsertTenantError::BaseUrlTaken)), "{refused:?}");
    assert_eq!(database.tenants().await.unwrap(), [a, b]);
}

/// The caller's directory would contain a tenant that does not exist.
pub async fn an_update_of_an_unknown_tenant_is_an_error(database: Arc<dyn Database>) {
    let refused = database.update_tenant(&build::tenant("acme"), &[]).await;
    assert!(matches!(refused, Err(InsertTenantError::Store(StoreError::Corrupt(_)))), "{refused:?}");
    assert_eq!(database.tenants().await.unwrap(), []);
}

/// This holds with and without tenants.
pub async fn a_database_answers_a_ping(database: Arc<dyn Database>) {
    database.ping().await.unwrap();
    database.insert_tenant(&build::tenant("acme"), &[]).await.unwrap();
    database.ping().await.unwrap();
}

/// The staging environment of a production tenant.
pub(super) fn staging(production: &Tenant) -> Tenant {
    let slug = production.slug.as_str();
    Tenant {
        id: id(&format!("{slug}-staging")),
        environment: Environment::Staging,
        base_url: url(&format!("https://staging.{slug}.example/api")),
        ..production.clone()
    }
}

fn id(text: &str) -> TenantId {
    TenantId::new(text).unwrap()
}

fn url(text: &str) -> BaseUrl {
    BaseUrl::parse(text).unwrap()
}
