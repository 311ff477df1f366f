//! Reads both sides in the same way and compares them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;

use super::digest::{ComparableGroup, ContentDigest, product_fields};
use super::store_index::{POPULAR, ids, in_category};
use crate::check::{Day, Filter, Group, Product, ReadError, Source};

/// How many differences a comparison describes.
const MAX_NAMED: usize = 10;

/// The result of comparing a store or a history.
#[derive(Debug, Default)]
pub struct Comparison {
    /// How many products or days of the other server were compared.
    pub compared: u64,
    /// Descriptions of the first differences.
    pub named: Vec<String>,
    /// How many differences the comparison found, with those that it does not describe.
    pub differences: u64,
    /// A result that is equal on both sides, but suspicious.
    pub note: Option<String>,
    /// The SHA-256 of the compared data on the other server, and here. Both are equal when nothing differs.
    pub sha256: (String, String),
}

impl Comparison {
    fn differs(&mut self, describe: impl FnOnce() -> String) {
        self.differences += 1;
        if self.named.len() < MAX_NAMED {
            self.named.push(describe());
        }
    }

    fn expect_equal<T: PartialEq + Debug>(&mut self, name: &str, theirs: &T, ours: &T) {
        if theirs != ours {
            self.differs(|| format!("{name}: {theirs:?} on the other server, {ours:?} here"));
        }
    }

    fn compare_products(&mut self, theirs: &Product, ours: &Product) {
        self.compared += 1;
        for ((name, there), (_, here)) in product_fields(theirs).iter().zip(&product_fields(ours)) {
            if there != here {
                self.differs(|| format!("product {}: {name} differs", theirs.id));
            }
        }
    }
}

/// Both stores, and digests of their data so far.
struct Stores<'s> {
    theirs: &'s mut Source,
    ours: &'s mut Source,
    their_digest: ContentDigest,
    our_digest: ContentDigest,
    comparison: Comparison,
}

impl Stores<'_> {
    /// Compares products by id and returns how many the other server lists. Keeps our products in memory; of theirs, one
    /// page and the ids.
    fn compare_lists(&mut self) -> Result<usize, ReadError> {
        let (mut here, mut listed, mut common) = (HashMap::new(), 0, Vec::new());
        let (mut theirs, mut ours) = (self.theirs.products(None), self.ours.products(None));
        while let Some(product) = ours.next_product()? {
            self.our_digest.add_product(&product);
            here.insert(product.id.clone(), (here.len(), product));
        }
        while let Some(product) = theirs.next_product()? {
            listed += 1;
            self.their_digest.add_product(&product);
            match here.remove(&product.id) {
                None => self.comparison.differs(|| format!("product {} is missing here", product.id)),
                Some((index, ours)) => {
                    self.comparison.compare_products(&product, &ours);
                    common.push((index, product.id));
                }
            }
        }
        for id in here.into_keys().collect::<BTreeSet<_>>() {
            self.comparison.differs(|| format!("product {id} is missing on the other server"));
        }
        compare_order(&mut self.comparison, &common);
        Ok(listed)
    }

    /// Compares the products that a filter finds. Returns how many it finds on the other server.
    fn compare_found(&mut self, name: &str, filter: Filter<'_>) -> Result<usize, ReadError> {
        let (there, here) = (found(self.theirs, filter)?, found(self.ours, filter)?);
        self.their_digest.add_found(name, &there);
        self.our_digest.add_found(name, &here);
        if there != here {
            let (left, right) = (alone(&there, &here), alone(&here, &there));
            self.comparison
                .differs(|| format!("{name}: found only on the other server {left}, only here {right}"));
        }
        Ok(there.len())
    }
}

/// Compares categories, products with all fields and their order, and the results of the filters that a pull uses.
///
/// # Errors
/// When one side cannot be read or breaks a rule of the interface.
pub fn compare_stores(theirs: &mut Source, ours: &mut Source) -> Result<Comparison, ReadError> {
    let (mut comparison, mut their_digest, mut our_digest) =
        (Comparison::default(), ContentDigest::default(), ContentDigest::default());
    let (tree, our_tree) = (theirs.categories()?, ours.categories()?);
    their_digest.add_tree(&tree);
    our_digest.add_tree(&our_tree);
    if tree != our_tree {
        comparison.differs(|| "the category trees differ".to_owned());
    }
    let mut stores = Stores { theirs, ours, their_digest, our_digest, comparison };
    let listed = stores.compare_lists()?;
    let mut categories = Vec::new();
    for root in &tree {
        root.visit(&mut |category| categories.push(category));
    }
    for category in categories {
        stores.compare_found(&format!("category {}", category.id), in_category(category))?;
    }
    let popular = stores.compare_found("popular products", POPULAR)?;
    let Stores { their_digest, our_digest, mut comparison, .. } = stores;
    if popular > 1 && popular == listed {
        comparison.note = Some(format!(
            "filter[onlyPopular] finds all {listed} products on the other server, which may ignore this filter: then \
             no product should be popular"
        ));
    }
    comparison.sha256 = (their_digest.sha256(), our_digest.sha256());
    Ok(comparison)
}

fn found(source: &mut Source, filter: Filter<'_>) -> Result<BTreeSet<String>, ReadError> {
    ids(source, filter).map(BTreeSet::from_iter)
}

/// How many ids are only in `left`, and the first of them.
fn alone(left: &BTreeSet<String>, right: &BTreeSet<String>) -> String {
    match left.difference(right).next() {
        Some(first) => format!("{} (such as {first})", left.difference(right).count()),
        None => "0".to_owned(),
    }
}

/// Compares the order of the products that both sides have. `common` has their positions here, in the order of the other
/// server. Another order counts as one difference.
fn compare_order(comparison: &mut Comparison, common: &[(usize, String)]) {
    let swapped = common.windows(2).find_map(|pair| match pair {
        [(left, before), (right, behind)] if left > right => Some((before, behind)),
        _ => None,
    });
    if let Some((before, behind)) = swapped {
        comparison.differs(|| {
            format!("the order differs: {before} precedes {behind} on the other server, and follows it here")
        });
    }
}

/// Compares days, their groups with sums and transactions, and the balance. Ignores the titles of groups, which may differ
/// between servers.
///
/// # Errors
/// When one side cannot be read or breaks a rule of the interface.
pub fn compare_history(theirs: &mut Source, ours: &mut Source) -> Result<Comparison, ReadError> {
    let ((there, their_points), (mut here, our_points)) = (days(theirs)?, days(ours)?);
    let sha256 = (history_sha256(&there, their_points), history_sha256(&here, our_points));
    let mut comparison = Comparison { sha256, ..Comparison::default() };
    for (date, day) in there {
        comparison.compared += 1;
        match here.remove(&date) {
            None => comparison.differs(|| format!("{date} is missing here")),
            Some(ours) => comparison.expect_equal(&date, &day, &ours),
        }
    }
    for date in here.into_keys() {
        comparison.differs(|| format!("{date} is missing on the other server"));
    }
    comparison.expect_equal("user_points", &their_points, &our_points);
    Ok(comparison)
}

/// The groups of each date, without the parts that may differ between servers.
type Days = BTreeMap<String, Vec<ComparableGroup>>;

fn history_sha256(days: &Days, points: Option<i64>) -> String {
    let mut digest = ContentDigest::default();
    for (date, groups) in days {
        digest.add_day(date, groups);
    }
    digest.add_points(points);
    digest.sha256()
}

/// The whole history of one user, by date, and the balance.
fn days(source: &mut Source) -> Result<(Days, Option<i64>), ReadError> {
    let (mut history, mut days) = (source.history(), BTreeMap::new());
    while let Some(page) = history.next_page()? {
        days.extend(page.into_iter().map(comparable));
    }
    Ok((days, history.user_points()))
}

/// A date and its groups in a fixed order, without the parts that may differ between servers.
fn comparable(Day { date, groups }: Day) -> (String, Vec<ComparableGroup>) {
    let group = |group: Group| {
        let Group { kind, title: _, subtitle: _, total_points, total_bonus_points, mut transactions } = group;
        transactions.sort();
        (kind, total_points, total_bonus_points, transactions)
    };
    let mut groups: Vec<_> = groups.into_iter().map(group).collect();
    groups.sort();
    (date, groups)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_order_is_one_difference() {
        let orders: [(&[usize], u64); 4] = [(&[], 0), (&[0, 2, 5], 0), (&[3, 0, 1], 1), (&[3, 2, 1], 1)];
        for (indices, differences) in orders {
            let mut comparison = Comparison::default();
            let common: Vec<_> = indices.iter().map(|index| (*index, format!("p{index}"))).collect();
            compare_order(&mut comparison, &common);
            assert_eq!(comparison.differences, differences, "{:?}", comparison.named);
        }
    }
}
