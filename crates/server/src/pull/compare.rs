//! Both sides, read in the same way and held against each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;

use pointbook_check::{Category, Day, Filter, Group, Product, ReadError, Source};

use super::plan::{POPULAR, ids, in_category};
use super::shown::{Comparable, Shown, product_fields};

/// How many differences are named of the store, and of each history.
const NAMED: usize = 10;

/// What differs, of so many.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// How many products or days were held against each other.
    pub(crate) compared: u64,
    /// The first differences, in words.
    pub(crate) named: Vec<String>,
    pub(crate) differences: u64,
    /// What is the same, and may be wrong on both sides.
    pub(crate) note: Option<String>,
    /// The SHA-256 of all that was held against each other, there and here: equal where nothing differs.
    pub(crate) sha256: (String, String),
}

impl Comparison {
    fn differs(&mut self, words: impl FnOnce() -> String) {
        self.differences += 1;
        if self.named.len() < NAMED {
            self.named.push(words());
        }
    }

    fn expect<T: PartialEq + Debug>(&mut self, what: &str, theirs: &T, ours: &T) {
        if theirs != ours {
            self.differs(|| format!("{what}: there {theirs:?}, here {ours:?}"));
        }
    }
}

/// What one side lists, and what each filter finds there.
struct Store {
    shown: Shown,
    products: Vec<Product>,
    found: Vec<BTreeSet<String>>,
}

impl Store {
    fn read(
        source: &mut Source,
        tree: &[Category],
        filters: &[(String, Filter<'_>)],
    ) -> Result<Self, ReadError> {
        let mut store = Self { shown: Shown::default(), products: Vec::new(), found: Vec::new() };
        store.shown.add_tree(tree);
        let mut listed = source.products(None);
        while let Some(product) = listed.next_product()? {
            store.shown.add_product(&product);
            store.products.push(product);
        }
        for (name, filter) in filters {
            let found = BTreeSet::from_iter(ids(source, *filter)?);
            store.shown.add_found(name, &found);
            store.found.push(found);
        }
        Ok(store)
    }
}

/// Categories, products with every field and in their order, and what the filters find that a pull believed.
pub(crate) fn compare_stores(theirs: &mut Source, ours: &mut Source) -> Result<Comparison, ReadError> {
    let mut comparison = Comparison::default();
    let (tree, our_tree) = (theirs.categories()?, ours.categories()?);
    if tree != our_tree {
        comparison.differs(|| "the category trees differ".to_owned());
    }
    let mut filters = Vec::new();
    for root in &tree {
        root.visit(&mut |category| {
            filters.push((format!("category {}", category.id), in_category(category)));
        });
    }
    filters.push(("popular products".to_owned(), POPULAR));
    let there = Store::read(theirs, &tree, &filters)?;
    let here = Store::read(ours, &our_tree, &filters)?;
    compare_lists(&mut comparison, &there.products, &here.products);
    for ((name, _), (there, here)) in filters.iter().zip(there.found.iter().zip(&here.found)) {
        compare_found(&mut comparison, name, there, here);
    }
    let (listed, popular) = (there.products.len(), there.found.last().map_or(0, BTreeSet::len));
    if popular > 1 && popular == listed {
        comparison.note = Some(format!(
            "filter[onlyPopular] finds all {listed} products there; if it is ignored there, nothing is popular"
        ));
    }
    comparison.sha256 = (there.shown.sha256(), here.shown.sha256());
    Ok(comparison)
}

/// Compares products by their ids, in whatever place of the list they are.
fn compare_lists(comparison: &mut Comparison, theirs: &[Product], ours: &[Product]) {
    let places = ours.iter().enumerate().map(|(place, product)| (product.id.as_str(), (place, product)));
    let (mut here, mut common) = (places.collect::<HashMap<_, _>>(), Vec::new());
    for product in theirs {
        let id = product.id.as_str();
        match here.remove(id) {
            None => comparison.differs(|| format!("product {id} is not here")),
            Some((place, ours)) => {
                comparison.compared += 1;
                for ((name, theirs), (_, ours)) in product_fields(product).iter().zip(product_fields(ours)) {
                    if *theirs != ours {
                        comparison.differs(|| format!("product {id}: another {name}"));
                    }
                }
                common.push((place, id));
            }
        }
    }
    for id in here.into_keys().collect::<BTreeSet<_>>() {
        comparison.differs(|| format!("product {id} is not there"));
    }
    compare_order(comparison, &common);
}

/// Compares the order of products of both sides: their places here, in the order there. It is one difference.
fn compare_order(comparison: &mut Comparison, common: &[(usize, &str)]) {
    let turned = common.windows(2).find_map(|pair| match pair {
        [(left, before), (right, behind)] if left > right => Some((before, behind)),
        _ => None,
    });
    if let Some((before, behind)) = turned {
        comparison
            .differs(|| format!("another order: there {before} stands before {behind}, here behind it"));
    }
}

fn compare_found(comparison: &mut Comparison, name: &str, there: &BTreeSet<String>, here: &BTreeSet<String>) {
    if there != here {
        let alone = |left: &BTreeSet<String>, right: &BTreeSet<String>| match left.difference(right).next() {
            Some(first) => format!("{} (such as {first})", left.difference(right).count()),
            None => "0".to_owned(),
        };
        comparison.differs(|| {
            format!("{name}: found there alone {}, here alone {}", alone(there, here), alone(here, there))
        });
    }
}

/// Days, their groups with sums and transactions, and the balance. The titles of groups are each server's own.
pub(crate) fn compare_history(theirs: &mut Source, ours: &mut Source) -> Result<Comparison, ReadError> {
    let ((there, their_points), (mut here, our_points)) = (days(theirs)?, days(ours)?);
    let sha256 = (shown(&there, their_points), shown(&here, our_points));
    let mut comparison = Comparison { sha256, ..Comparison::default() };
    for (date, day) in there {
        comparison.compared += 1;
        match here.remove(&date) {
            None => comparison.differs(|| format!("{date} is not here")),
            Some(ours) => comparison.expect(&date, &day, &ours),
        }
    }
    for date in here.into_keys() {
        comparison.differs(|| format!("{date} is not there"));
    }
    comparison.expect("user_points", &their_points, &our_points);
    Ok(comparison)
}

/// What of days is the same on every server.
type Days = BTreeMap<String, Vec<Comparable>>;

fn shown(days: &Days, points: Option<i64>) -> String {
    let mut shown = Shown::default();
    for (date, groups) in days {
        shown.add_day(date, groups);
    }
    shown.add_points(points);
    shown.sha256()
}

/// The whole history of one user, by date, and the balance.
fn days(source: &mut Source) -> Result<(Days, Option<i64>), ReadError> {
    let (mut history, mut days) = (source.history(), BTreeMap::new());
    while let Some(page) = history.next_page()? {
        days.extend(page.into_iter().map(comparable));
    }
    Ok((days, history.user_points()))
}

/// A date, and what of its day is the same on every server, in one order.
fn comparable(Day { date, groups }: Day) -> (String, Vec<Comparable>) {
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
        for (places, differences) in orders {
            let mut comparison = Comparison::default();
            let names: Vec<_> = places.iter().map(|place| (*place, format!("p{place}"))).collect();
            let common: Vec<_> = names.iter().map(|(place, id)| (*place, id.as_str())).collect();
            compare_order(&mut comparison, &common);
            assert_eq!(comparison.differences, differences, "{:?}", comparison.named);
        }
    }
}
