//! Reads products and categories.

mod categories;
mod version;

use async_trait::async_trait;
use pointbook_domain::{CategoryTree, ProductId};

pub(crate) use self::version::{insert_threshold, update_threshold};
use crate::ports::{CatalogueStore, CatalogueVersion, ProductChange, StoreResult};
use crate::postgres::connection::Params;
use crate::postgres::scoped::IntoScoped;
use crate::postgres::store::PostgresTenant;
use crate::schema::Group;
use crate::schema::rows::ProductRow;
use crate::{select, sql};

#[async_trait]
impl CatalogueStore for PostgresTenant {
    async fn catalogue_version(&self) -> StoreResult<CatalogueVersion> {
        self.access
            .read_short("catalogue_version", |database| version::read(database, &self.id).scoped())
            .await
    }

    async fn product_changes(
        &self,
        since: CatalogueVersion,
        after: Option<&ProductId>,
        limit: u32,
    ) -> StoreResult<Vec<ProductChange>> {
        let (tenant, after, limit) = (&*self.id, after.map_or("", ProductId::as_str), i64::from(limit));
        // Versions are stored as signed numbers, so none is above `i64::MAX`.
        let version = i64::try_from(since.0).unwrap_or(i64::MAX);
        let of_all: Params<'_> = &[&tenant, &after, &limit];
        let of_changed: Params<'_> = &[&tenant, &after, &limit, &version];
        let (select, params) =
            if since.0 == 0 { (select_all(), of_all) } else { (select_changed(), of_changed) };
        let rows: Vec<ProductRow> =
            self.access.read("product_changes", |database| database.all(select, params).scoped()).await?;
        Ok(rows.into_iter().map(ProductChange::from).collect())
    }

    async fn categories(&self) -> StoreResult<CategoryTree> {
        self.access.read("categories", |database| categories::read(database, &self.id).scoped()).await
    }
}

/// Selects the products of the catalogue, ordered by id.
fn select_all() -> &'static str {
    select!(ProductRow, "WHERE tenant_id = $1 AND id > $2 AND retired_at IS NULL ORDER BY id LIMIT $3")
}

/// Selects the products that changed after a version. A separate query finds the few changed ids, because with a limit in the
/// same query PostgreSQL scans the whole key.
fn select_changed() -> &'static str {
    sql!(format!(
        "WITH changed AS MATERIALIZED (
             SELECT id FROM products WHERE tenant_id = $1 AND version > $4 AND id > $2
         ) {}",
        ProductRow::select(
            "WHERE tenant_id = $1 AND id IN (SELECT id FROM changed ORDER BY id LIMIT $3) ORDER BY id"
        )
    ))
}
