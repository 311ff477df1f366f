//! What is measured: one request each.

use super::data::ORDINARY_USERS;

/// A kind of request.
pub(super) struct Scenario {
    /// Its name in the table and on the command line.
    pub(super) name: &'static str,
    /// The path below the tenant's base address.
    pub(super) path: String,
    /// Whose token is sent.
    pub(super) user: String,
}

/// All scenarios for a catalogue of this many products.
pub(super) fn all(products: u32) -> Vec<Scenario> {
    let of_catalogue = lists(products).into_iter().map(|(name, query)| Scenario {
        name,
        path: format!("/v1/store/products{query}"),
        user: "user-0".to_owned(),
    });
    let others = [
        ("categories", "/v1/store/categories", "user-0".to_owned()),
        ("history, 500 rows", "/v1/user/point-history", format!("user-{}", ORDINARY_USERS / 2)),
        ("history, 100,000 rows", "/v1/user/point-history", "heavy".to_owned()),
    ];
    let others = others.map(|(name, path, user)| Scenario { name, path: path.to_owned(), user });
    of_catalogue.chain(others).collect()
}

/// What follows the address of the product list.
fn lists(products: u32) -> [(&'static str, String); 13] {
    let last = products / 15;
    let priced = "filter[minPrice]=50000&filter[maxPrice]=120000";
    [
        ("list, page 1", String::new()),
        ("list, last page", format!("?page[number]={last}")),
        ("list, sort by price, middle page", format!("?sort=price&page[number]={}", last / 2)),
        ("list, price range", format!("?{priced}")),
        ("list, price range, deep page", format!("?{priced}&page[number]={}", last / 6)),
        ("list, leaf category", "?filter[category]=l3-4-2".to_owned()),
        ("list, root category", "?filter[category]=r3".to_owned()),
        ("list, new", "?filter[newProducts]=true".to_owned()),
        ("list, low stock", "?filter[lowStock]=true".to_owned()),
        ("list, on sale", "?filter[onSale]=true".to_owned()),
        ("list, popular", "?filter[onlyPopular]=true".to_owned()),
        ("list, title in 1.6 %", "?filter[title]=titanium".to_owned()),
        ("detail", "/P0000500".to_owned()),
    ]
}
