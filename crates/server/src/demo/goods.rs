//! What there is in the demo's gift store: the files beside this one, in the import formats. Products have two members
//! more: `published_days_ago`, so that there are always new ones and old ones, and `on_trial` for those that staging has.

use pointbook_domain::{Day, Environment, Timestamp};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::result::SampleResult;

/// The category tree, the same in both environments.
pub(super) const CATEGORIES: &str = include_str!("categories.json");

const PRODUCTS: &str = include_str!("products.jsonl");

const NINE_O_CLOCK_SECONDS: i64 = 9 * 3_600;
const DAY_SECONDS: i64 = 86_400;

/// What somebody who orders a product is shown.
#[derive(Debug, Deserialize)]
pub(super) struct Good {
    pub(super) id: String,
    pub(super) title: String,
    regular_price: i64,
    sale_price: Option<i64>,
    /// For how many days it has been in the store; negative when it is not there yet.
    pub(super) published_days_ago: i64,
    #[serde(default)]
    on_trial: bool,
}

impl Good {
    /// What it costs today, in points.
    pub(super) fn price(&self) -> i64 {
        self.sale_price.unwrap_or(self.regular_price)
    }
}

/// Everything that production has.
pub(super) fn goods() -> SampleResult<Vec<Good>> {
    Ok(PRODUCTS.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

/// The products of one environment for an import, with their days counted back from `today`. Staging has titles of its
/// own.
pub(super) fn products_jsonl(environment: Environment, today: Day) -> SampleResult<String> {
    let mut jsonl = String::new();
    for line in PRODUCTS.lines() {
        let Good { title, published_days_ago, on_trial, .. } = serde_json::from_str(line)?;
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
        let published_at = Timestamp::from_micros(micros).ok_or("a time outside the calendar")?;
        product.insert("published_at".to_owned(), published_at.to_string().into());
        jsonl.push_str(&Value::Object(product).to_string());
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
    fn every_leaf_of_three_levels_has_a_product_and_no_product_is_astray() {
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
    fn staging_has_ten_products_that_say_so() {
        let today = Day::from_days(20_778).unwrap();
        let jsonl = products_jsonl(Environment::Staging, today).unwrap();
        assert_eq!(jsonl.lines().count(), 10);
        assert_eq!(jsonl.matches("\"title\":\"[Staging] ").count(), 10);
    }
}
