//! The products and categories of the demo, from the files beside this one, in the import formats. Products have two more
//! members: `published_days_ago`, so that some products are always new, and `on_trial` for the products of staging.

use pointbook_domain::{Environment, Tenant, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::sample::result::SampleResult;

/// The category tree, the same in both environments.
pub const CATEGORIES: &str = include_str!("categories.json");

const PRODUCTS: &str = include_str!("products.jsonl");

const NINE_O_CLOCK_SECONDS: i64 = 9 * 3_600;
const DAY_SECONDS: i64 = 86_400;

/// The parts of a sample product that orders and imports need.
#[derive(Debug, Deserialize)]
pub struct SampleProduct {
    pub id: String,
    pub title: String,
    regular_price: i64,
    sale_price: Option<i64>,
    /// Days since it was published; negative when it is not published yet.
    pub published_days_ago: i64,
    #[serde(default)]
    on_trial: bool,
}

impl SampleProduct {
    /// The current price, in points.
    pub fn price(&self) -> i64 {
        self.sale_price.unwrap_or(self.regular_price)
    }
}

/// The host of all pictures in the file. The server that serves the demo takes its place.
const PICTURE_HOST: &str = "https://images.acme.example/";

/// All products of production.
pub fn goods() -> SampleResult<Vec<SampleProduct>> {
    Ok(PRODUCTS.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// The products of a tenant of the demo as JSONL for an import. Their dates count back from the day on which the tenant was added. Titles of
/// staging begin with `[Staging]`.
pub fn products_jsonl(tenant: &Tenant) -> SampleResult<String> {
    let (environment, today) = (tenant.environment, tenant.created_at.day());
    let pictures = format!("{}/demo/pictures/", tenant.base_url.origin());
    let mut jsonl = String::new();
    for line in PRODUCTS.lines() {
        let SampleProduct { title, published_days_ago, on_trial, .. } = serde_json::from_str(line)?;
        let mut product: Map<String, Value> = serde_json::from_str(line)?;
        if environment == Environment::Staging {
            if !on_trial {
                continue;
            }
            product.insert("title".to_owned(), format!("[Staging] {title}").into());
        }
        product.retain(|name, _| name != "published_days_ago" && name != "on_trial");
        let seconds = NINE_O_CLOCK_SECONDS - published_days_ago * DAY_SECONDS;
        let micros = today.start().as_micros() + seconds * 1_000_000;
        let published_at = Timestamp::from_micros(micros)
            .ok_or("published_days_ago gives a time outside of the calendar")?;
        product.insert("published_at".to_owned(), published_at.to_string().into());
        jsonl.push_str(&Value::Object(product).to_string().replace(PICTURE_HOST, &pictures));
        jsonl.push('\n');
    }
    Ok(jsonl)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn collect_leaves(categories: &Value, depth: usize, leaves: &mut BTreeSet<String>) {
        for category in categories.as_array().unwrap() {
            let children = &category["children"];
            if children.as_array().unwrap().is_empty() {
                assert_eq!(depth, 3, "{category}");
                leaves.insert(category["id"].as_str().unwrap().to_owned());
            } else {
                collect_leaves(children, depth + 1, leaves);
            }
        }
    }

    #[test]
    fn products_use_exactly_the_leaf_categories_of_level_three() {
        let mut leaves = BTreeSet::new();
        collect_leaves(&serde_json::from_str(CATEGORIES).unwrap(), 1, &mut leaves);
        let products: Vec<Value> = PRODUCTS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let used = products.iter().flat_map(|product| product["categories"].as_array().unwrap());
        let used: BTreeSet<String> = used.map(|id| id.as_str().unwrap().to_owned()).collect();
        assert_eq!(used, leaves);
    }

    #[test]
    fn prices_span_100_to_50_000_points_and_sales_are_cheaper() {
        let products: Vec<Value> = PRODUCTS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let prices: BTreeSet<i64> =
            products.iter().map(|product| product["regular_price"].as_i64().unwrap()).collect();
        assert_eq!((prices.first(), prices.last()), (Some(&100), Some(&50_000)));
        for product in &products {
            let sale_price = product["sale_price"].as_i64();
            assert!(sale_price.is_none_or(|sale| sale < product["regular_price"].as_i64().unwrap()));
        }
    }

    #[test]
    fn staging_has_ten_products_with_staging_titles() {
        let tenant = Tenant { environment: Environment::Staging, ..pointbook_testkit::build::tenant("acme") };
        let jsonl = products_jsonl(&tenant).unwrap();
        assert_eq!(jsonl.lines().count(), 10);
        assert_eq!(jsonl.matches("\"title\":\"[Staging] ").count(), 10);
    }
}
