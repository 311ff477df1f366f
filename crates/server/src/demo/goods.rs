//! What there is in the demo's gift store: the files beside this one, in the import formats, the
//! products with one member more, `published_days_ago`, so that there are always new ones and old ones.

use pointbook_domain::{Day, Environment, Timestamp};
use serde_json::{Map, Value};

use super::result::SampleResult;

/// The category tree, the same in both environments.
pub(super) const CATEGORIES: &str = include_str!("categories.json");

const PRODUCTS: &str = include_str!("products.jsonl");

/// What staging has of the products, under titles of its own.
const ON_TRIAL: [&str; 10] = [
    "cafe-mug",
    "hand-grinder",
    "wool-blanket",
    "day-pack",
    "gas-stove",
    "over-ear-headphones",
    "giftcard-bakery",
    "film-month",
    "ebook-bread",
    "donate-trees",
];

/// What somebody who orders a product is shown.
#[derive(Debug)]
pub(super) struct Good {
    pub(super) id: String,
    pub(super) title: String,
    /// What it costs today, in points.
    pub(super) price: i64,
    /// For how many days it has been in the store; negative when it is not there yet.
    pub(super) published_days_ago: i64,
}

/// Everything that production has.
pub(super) fn goods() -> SampleResult<Vec<Good>> {
    members().map(|line| good(&line?)).collect()
}

/// The products of one environment for an import, with their days counted back from `today`.
pub(super) fn products_jsonl(environment: Environment, today: Day) -> SampleResult<String> {
    let mut jsonl = String::new();
    for line in members() {
        let mut product = line?;
        let Good { id, title, published_days_ago, .. } = good(&product)?;
        if environment == Environment::Staging {
            if !ON_TRIAL.contains(&id.as_str()) {
                continue;
            }
            product.insert("title".to_owned(), format!("[Staging] {title}").into());
        }
        product.remove("published_days_ago");
        let published_at = nine_o_clock(today, published_days_ago)?;
        product.insert("published_at".to_owned(), published_at.to_string().into());
        jsonl.push_str(&Value::Object(product).to_string());
        jsonl.push('\n');
    }
    Ok(jsonl)
}

fn members() -> impl Iterator<Item = SampleResult<Map<String, Value>>> {
    PRODUCTS.lines().map(|line| Ok(serde_json::from_str(line)?))
}

fn good(product: &Map<String, Value>) -> SampleResult<Good> {
    let text = |name: &str| product.get(name).and_then(Value::as_str).map(str::to_owned);
    let number = |name: &str| product.get(name).and_then(Value::as_i64);
    let good = || {
        Some(Good {
            id: text("id")?,
            title: text("title")?,
            price: number("sale_price").or_else(|| number("regular_price"))?,
            published_days_ago: number("published_days_ago")?,
        })
    };
    Ok(good().ok_or_else(|| format!("a sample product is incomplete: {product:?}"))?)
}

fn nine_o_clock(today: Day, days_ago: i64) -> SampleResult<Timestamp> {
    let days = i32::try_from(i64::from(today.as_days()) - days_ago)?;
    let day = Day::from_days(days).ok_or("a day outside the calendar")?;
    Ok(day.start().plus_seconds(9 * 3600))
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
        let products: Vec<_> = members().map(Result::unwrap).collect();
        let used = products.iter().flat_map(|product| product["categories"].as_array().unwrap());
        let used: BTreeSet<String> = used.map(|id| id.as_str().unwrap().to_owned()).collect();
        assert_eq!(used, leaves);
    }

    #[test]
    fn prices_span_100_to_50_000_points_and_sales_are_cheaper() {
        let products: Vec<_> = members().map(Result::unwrap).collect();
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
        assert_eq!(jsonl.lines().count(), ON_TRIAL.len());
        assert_eq!(jsonl.matches("\"title\":\"[Staging] ").count(), ON_TRIAL.len());
    }
}
