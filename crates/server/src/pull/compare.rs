//! Both sides, read in the same way and held against each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Debug;

use pointbook_check::{Day, Filter, Group, Product, ReadError, Source};

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

    fn compare_products(&mut self, theirs: &Product, ours: &Product) {
        self.compared += 1;
        for ((name, there), (_, here)) in product_fields(theirs).iter().zip(&product_fields(ours)) {
            if there != here {
                self.differs(|| format!("product {}: another {name}", theirs.id));
            }
        }
    }
}

/// Both stores, and what they showed so far.
struct Stores<'s> {
    theirs: &'s mut Source,
    ours: &'s mut Source,
    shown_by_them: Shown,
    shown_by_us: Shown,
    comparison: Comparison,
}

impl Stores<'_> {
    /// Compares products by their ids, in any order; returns how many are there. Ours are
    /// kept in memory; of theirs, one page and the ids.
    fn compare_lists(&mut self) -> Result<usize, ReadError> {
        let (mut here, mut listed, mut common) = (HashMap::new(), 0, Vec::new());
        let (mut theirs, mut ours) = (self.theirs.products(None), self.ours.products(None));
        while let Some(product) = ours.next_product()? {
            self.shown_by_us.add_product(&product);
            here.insert(product.id.clone(), (here.len(), product));
        }
        while let Some(product) = theirs.next_product()? {
            listed += 1;
            self.shown_by_them.add_product(&product);
            match here.remove(&product.id) {
                None => self.comparison.differs(|| format!("product {} is not here", product.id)),
                Some((place, ours)) => {
                    self.comparison.compare_products(&product, &ours);
                    common.push((place, product.id));
                }
            }
        }
        for id in here.into_keys().collect::<BTreeSet<_>>() {
            self.comparison.differs(|| format!("product {id} is not there"));
        }
        compare_order(&mut self.comparison, &common);
        Ok(listed)
    }

    /// Compares what a filter finds; returns how many it finds there.
    fn compare_found(&mut self, name: &str, filter: Filter<'_>) -> Result<usize, ReadError> {
        let (there, here) = (found(self.theirs, filter)?, found(self.ours, filter)?);
        self.shown_by_them.add_found(name, &there);
        self.shown_by_us.add_found(name, &here);
        if there != here {
            let (left, right) = (alone(&there, &here), alone(&here, &there));
            self.comparison.differs(|| format!("{name}: found there alone {left}, here alone {right}"));
        }
        Ok(there.len())
    }
}

/// Categories, products with every field and in their order, and what the filters find that a pull believed.
pub(crate) fn compare_stores(theirs: &mut Source, ours: &mut Source) -> Result<Comparison, ReadError> {
    let (mut comparison, mut shown_by_them, mut shown_by_us) =
        (Comparison::default(), Shown::default(), Shown::default());
    let (tree, our_tree) = (theirs.categories()?, ours.categories()?);
    shown_by_them.add_tree(&tree);
    shown_by_us.add_tree(&our_tree);
    if tree != our_tree {
        comparison.differs(|| "the category trees differ".to_owned());
    }
    let mut stores = Stores { theirs, ours, shown_by_them, shown_by_us, comparison };
    let listed = stores.compare_lists()?;
    let mut categories = Vec::new();
    for root in &tree {
        root.visit(&mut |category| categories.push(category));
    }
    for category in categories {
        stores.compare_found(&format!("category {}", category.id), in_category(category))?;
    }
    let popular = stores.compare_found("popular products", POPULAR)?;
    let Stores { shown_by_them, shown_by_us, mut comparison, .. } = stores;
    if popular > 1 && popular == listed {
        comparison.note = Some(format!(
            "filter[onlyPopular] finds all {listed} products there; if it is ignored there, nothing is popular"
        ));
    }
    comparison.sha256 = (shown_by_them.sha256(), shown_by_us.sha256());
    Ok(comparison)
}

fn found(source: &mut Source, filter: Filter<'_>) -> Result<BTreeSet<String>, ReadError> {
    ids(source, filter).map(BTreeSet::from_iter)
}

/// How many are in `left` alone, and the first of them.
fn alone(left: &BTreeSet<String>, right: &BTreeSet<String>) -> String {
    match left.difference(right).next() {
        Some(first) => format!("{} (such as {first})", left.difference(right).count()),
        None => "0".to_owned(),
    }
}

/// Compares the order of products of both sides: their places here, in the order there. It is one difference.
fn compare_order(comparison: &mut Comparison, common: &[(usize, String)]) {
    let turned = common.windows(2).find_map(|pair| match pair {
        [(left, before), (right, behind)] if left > right => Some((before, behind)),
        _ => None,
    });
    if let Some((before, behind)) = turned {
        comparison
            .differs(|| format!("another order: there {before} stands before {behind}, here behind it"));
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
            let common: Vec<_> = places.iter().map(|place| (*place, format!("p{place}"))).collect();
            compare_order(&mut comparison, &common);
            assert_eq!(comparison.differences, differences, "{:?}", comparison.named);
        }
    }
}
