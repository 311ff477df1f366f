//! Facts of the isolation of tenants.

use std::sync::Arc;

use pointbook_access::tokens::issue::StoreToken;
use pointbook_access::tokens::revoke::{RevokeToken, RevokeTokensOf};
use pointbook_catalogue::commands::{ReplaceCategories, RetireProducts, UpsertProducts};
use pointbook_domain::{Activity, Product, Tenant, TokenKind};
use pointbook_points::audit::ledger::{AuditReport, audit_ledger};
use pointbook_store::StoreError;
use pointbook_store::ports::{
    CatalogueVersion, Database, OrderStepOutcome, Query, RecordOutcome, TenantData,
};

use super::order_steps::{done, step};
use super::orders::{award, placed, put_product, shop};
use super::state::tenant_state;
use super::tenants::staging;
use super::{add_tenant, record_all, whole_history};
use crate::build;
use crate::build::{activity, recorded};

/// Two tenants may have the same user ids, activities and transaction ids.
pub async fn tenants_share_no_users_or_history(database: Arc<dyn Database>) {
    let (a, b) = (add_tenant(&database, "a").await, add_tenant(&database, "b").await);
    assert_separate_ledgers(&a, &b).await;
}

/// A token of one tenant is unknown to the other, and stays active when the other revokes it.
pub async fn tenants_share_no_tokens(database: Arc<dyn Database>) {
    let (a, b) = (add_tenant(&database, "a").await, add_tenant(&database, "b").await);
    let (in_a, in_b) = (build::token(1, Some("u1")), build::token(2, Some("u1")));
    a.write(StoreToken(in_a.clone())).await.unwrap();
    b.write(StoreToken(in_b.clone())).await.unwrap();
    assert_eq!(b.find_token(&in_a.hash).await.unwrap(), None);
    assert!(!b.write(RevokeToken { hash: in_a.hash, customer: None, at: build::noon() }).await.unwrap());
    let revoked = b
        .write(RevokeTokensOf { owner: TokenKind::Customer(build::user_id("u1")), at: build::noon() })
        .await
        .unwrap();
    assert_eq!(revoked, [in_b.hash]);
    assert_eq!(a.find_token(&in_a.hash).await.unwrap().unwrap().record, in_a);
}

/// A query of all tenants needs the handle for all tenants.
pub async fn a_tenant_reads_only_its_own_rows(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "a").await;
    add_tenant(&database, "b").await;
    let all = Query::of::<Tenant>("all", &["id"]).of_all_tenants();
    for refused in
        [data.rows(&all).await.err(), data.few_rows(&all).await.err(), data.count(&all).await.err()]
    {
        assert!(matches!(refused, Some(StoreError::Corrupt(_))), "{refused:?}");
    }
    assert_eq!(database.all_tenants().count(&all).await.unwrap(), 2);
}

/// Products, categories and the version are separate.
pub async fn tenants_share_no_catalogue(database: Arc<dyn Database>) {
    let (a, b) = (add_tenant(&database, "a").await, add_tenant(&database, "b").await);
    let tree = build::tree(vec![build::category("c", vec![build::category("d", vec![])])]);
    let product = build::product("p1");
    a.write(ReplaceCategories::with(&tree)).await.unwrap();
    a.write(UpsertProducts(vec![build::upsert(product.clone())])).await.unwrap();
    let other = Product { popular: true, ..product.clone() };
    b.write(UpsertProducts(vec![build::upsert(other)])).await.unwrap();
    b.write(RetireProducts { ids: vec![product.id.clone()], at: build::noon() }).await.unwrap();
    b.write(ReplaceCategories::with(&build::tree(vec![build::category("d", vec![])]))).await.unwrap();
    assert_eq!(a.catalogue_version().await.unwrap(), CatalogueVersion(2));
    assert_eq!(b.catalogue_version().await.unwrap(), CatalogueVersion(3));
    assert_eq!(a.categories().await.unwrap(), tree);
    let changes = a.product_changes(CatalogueVersion(0), None, 10).await.unwrap();
    assert_eq!(changes, [pointbook_store::ports::ProductChange::Upserted(Box::new(product))]);
    assert_eq!(b.product_changes(CatalogueVersion(0), None, 10).await.unwrap(), []);
}

/// Production and staging of one customer are two tenants.
pub async fn environments_of_one_customer_share_nothing(database: Arc<dyn Database>) {
    let production = add_tenant(&database, "acme").await;
    let tenant = staging(&build::tenant("acme"));
    database.insert_tenant(&tenant, &[]).await.unwrap();
    assert_separate_ledgers(&production, &database.tenant(&tenant.id)).await;
}

async fn assert_separate_ledgers(a: &Arc<dyn TenantData>, b: &Arc<dyn TenantData>) {
    let in_a = recorded("u1", activity("s1", 10));
    let in_b = recorded("u1", Activity { created_at: build::on_day(1), ..activity("s1", -3) });
    record_all(a, std::slice::from_ref(&in_a)).await;
    record_all(b, &[in_b.clone(), recorded("u2", activity("s1", 5))]).await;
    let again = b.write(build::history([in_b.clone()])).await.unwrap();
    assert_eq!(again, [RecordOutcome::AlreadyRecorded]);
    for (data, new, balance, users) in [(a, in_a, 10, 1), (b, in_b, -3, 2)] {
        let history = whole_history(data, "u1").await;
        assert_eq!((history.user_points.get(), history.day_count), (balance, 1));
        assert_eq!(history.rows, build::history_rows([&new.transaction]));
        assert_eq!(data.users_after(None, 10).await.unwrap().len(), users);
        assert_eq!(data.entries_after(None, 10).await.unwrap().len(), users);
        let report = audit_ledger(&**data, |_| {}).await.unwrap();
        let transactions = users as u64;
        assert_eq!(report, AuditReport { users: transactions, transactions, orders: 0, differences: 0 });
    }
}

/// Each tenant has separate orders, products, stock and steps, even under the same ids and numbers.
pub async fn tenants_share_no_orders(database: Arc<dyn Database>) {
    let a = shop(&database, Product { stock: Some(9), ..build::product("mug") }, 1_000).await;
    let b = add_tenant(&database, "b").await;
    let new = build::order("o1", "u1", "mug");
    placed(&a, &new).await;
    let before = tenant_state(&a).await;
    assert_eq!(b.order(&new.id).await.unwrap(), None);
    assert_eq!(step(&b, "o1", &build::cancel("o1")).await, OrderStepOutcome::Unknown);
    put_product(&b, build::product("mug")).await;
    award(&b, "u1", 5_000).await;
    placed(&b, &new).await;
    assert_eq!(tenant_state(&b).await.orders.total, 1);
    done(&b, "o1", &build::cancel("o1")).await;
    assert_eq!(tenant_state(&a).await, before);
    assert_eq!(b.most_ordered(build::noon(), 9).await.unwrap(), []);
    assert_eq!(a.most_ordered(build::noon(), 9).await.unwrap(), [build::product_id("mug")]);
}
