//! Saving what commands change of the catalogue, with one version.

use pointbook_app::commands::{Changes, Facts, Needs};
use pointbook_domain::CategoryTree;

use super::stock;
use crate::catalogue::{NextVersion, categories, product_row};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::pipeline::both;

/// Loads products in full and categories, and the version that all who change them hold first.
pub(super) async fn load(
    database: &Transaction,
    tenant: &str,
    needs: &Needs,
    facts: &mut Facts,
) -> Outcome<()> {
    let Needs { catalogue, categories: needs_tree, catalogue_products, taken_pieces, .. } = needs;
    if *catalogue {
        facts.put_catalogue_version(NextVersion::take(database, tenant).await?.stored());
    }
    let tree = async {
        let tree: Option<CategoryTree> =
            if *needs_tree { Some(categories::read(database, tenant).await?) } else { None };
        Ok(tree)
    };
    let products = both(
        product_row::hold(database, tenant, catalogue_products),
        product_row::taken_pieces(database, tenant, taken_pieces),
    );
    let (tree, (products, taken)) = both(tree, products).await?;
    if let Some(tree) = tree {
        facts.put_categories(tree);
    }
    product_row::put(&products, facts)?;
    product_row::put_taken_pieces(&taken, facts)
}

/// Saves stocks, products and categories. Where clients see another catalogue, its version is raised by one; it is
/// taken before rows of products are locked, as every write takes both.
pub(super) async fn save(database: &Transaction, tenant: &str, changes: &Changes) -> Outcome<()> {
    let Changes { stocks, products, retired_products, categories, .. } = changes;
    if !changes.raises_catalogue() {
        return stock::save(database, tenant, stocks, None).await;
    }
    let next = NextVersion::take(database, tenant).await?;
    let rows = both(
        stock::save(database, tenant, stocks, Some(&next)),
        both(
            product_row::write(database, tenant, products, next.stamp()),
            product_row::retire(database, tenant, retired_products, next.stamp()),
        ),
    );
    rows.await?;
    if let Some(tree) = categories {
        categories::replace(database, tenant, tree).await?;
    }
    next.raise(database, tenant).await
}
