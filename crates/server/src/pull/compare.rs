//! Both sides, read in the same way and held against each other.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use pointbook_check::{Day, Filter, Group, Product, ReadError, Source, Transaction};

use super::plan::{POPULAR, ids, in_category};
use super::shown::Shown;

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

/// Both sides of a comparison, in short.
#[derive(Debug, Default)]
struct BothShown {
    theirs: Shown,
    ours: Shown,
}

impl BothShown {
    fn sha256(self) -> (String, String) {
        (self.theirs.sha256(), self.ours.sha256())
    }
}

impl Comparison {
    fn differs(&mut self, words: impl FnOnce() -> String) {
        self.differences += 1;
        if self.named.len() < NAMED {
            self.named.push(words());
        }
    }

    fn expect<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, theirs: &T, ours: &T) {
        if theirs != ours {
            self.differs(|| format!("{what}: there {theirs:?}, here {ours:?}"));
        }
    }
}

/// Categories, products with every field and in their order, and what the filters find that a pull believed.
pub(crate) fn compare_stores(theirs: &mut Source, ours: &mut Source) -> Result<Comparison, ReadError> {
    let (mut comparison, mut shown) = (Comparison::default(), BothShown::default());
    let (tree, our_tree) = (theirs.categories()?, ours.categories()?);
    shown.theirs.add_tree(&tree);
    shown.ours.add_tree(&our_tree);
    if tree != our_tree {
        comparison.differs(|| "the category trees differ".to_owned());
    }
    let listed = compare_lists((&mut comparison, &mut shown), theirs, ours)?;
    let mut categories = Vec::new();
    for root in &tree {
        root.visit(&mut |category| categories.push(category));
    }
    for category in categories {
        let words = format!("category {}", category.id);
        compare_found((&mut comparison, &mut shown), &words, in_category(category), theirs, ours)?;
    }
    let popular = compare_found((&mut comparison, &mut shown), "popular products", POPULAR, theirs, ours)?;
    if popular > 1 && popular == listed {
        comparison.note = Some(format!(
            "filter[onlyPopular] finds all {listed} products there; if it is ignored there, nothing is popular"
        ));
    }
    comparison.sha256 = shown.sha256();
    Ok(comparison)
}

/// Compares products by their ids, in whatever place of the list they are; gives how many are there.
fn compare_lists(
    (comparison, shown): (&mut Comparison, &mut BothShown),
    theirs: &mut Source,
    ours: &mut Source,
) -> Result<usize, ReadError> {
    let (mut here, mut listed, mut common) = (HashMap::new(), 0, Vec::new());
    let (mut theirs, mut ours) = (theirs.products(None), ours.products(None));
    while let Some(product) = ours.next_product()? {
        shown.ours.add_product(&product);
        here.insert(product.id.clone(), (here.len(), product));
    }
    while let Some(product) = theirs.next_product()? {
        listed += 1;
        shown.theirs.add_product(&product);
        match here.remove(&product.id) {
            None => comparison.differs(|| format!("product {} is not here", product.id)),
            Some((place, ours)) => {
                compare_products(comparison, &product, &ours);
                common.push((place, product.id));
            }
        }
    }
    for id in here.into_keys().collect::<BTreeSet<_>>() {
        comparison.differs(|| format!("product {id} is not there"));
    }
    compare_order(comparison, &common);
    Ok(listed)
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

/// Compares what a filter finds; gives how many it finds there.
fn compare_found(
    (comparison, shown): (&mut Comparison, &mut BothShown),
    name: &str,
    filter: Filter<'_>,
    theirs: &mut Source,
    ours: &mut Source,
) -> Result<usize, ReadError> {
    let read = |source| ids(source, filter).map(BTreeSet::from_iter);
    let (there, here): (BTreeSet<String>, BTreeSet<String>) = (read(theirs)?, read(ours)?);
    shown.theirs.add_found(name, &there);
    shown.ours.add_found(name, &here);
    if there != here {
        let alone = |left: &BTreeSet<String>, right: &BTreeSet<String>| match left.difference(right).next() {
            Some(first) => format!("{} (such as {first})", left.difference(right).count()),
            None => "0".to_owned(),
        };
        comparison.differs(|| {
            format!("{name}: found there alone {}, here alone {}", alone(&there, &here), alone(&here, &there))
        });
    }
    Ok(there.len())
}

fn compare_products(comparison: &mut Comparison, there: &Product, here: &Product) {
    let Product { id, title, sku, description, regular_price, sale_price, thumbnail, gallery } = there;
    comparison.compared += 1;
    let mut field = |name: &str, same: bool| {
        if !same {
            comparison.differs(|| format!("product {id}: another {name}"));
        }
    };
    field("title", *title == here.title);
    field("sku", *sku == here.sku);
    field("description", *description == here.description);
    field("regular_price", *regular_price == here.regular_price);
    field("sale_price", *sale_price == here.sale_price);
    field("thumbnail", *thumbnail == here.thumbnail);
    field("gallery", *gallery == here.gallery);
}

/// Days, their groups with sums and transactions, and the balance. The titles of groups are each server's own.
pub(crate) fn compare_history(theirs: &mut Source, ours: &mut Source) -> Result<Comparison, ReadError> {
    let ((there, their_points), (mut here, our_points)) = (days(theirs)?, days(ours)?);
    let sha256 = BothShown { theirs: shown(&there, their_points), ours: shown(&here, our_points) }.sha256();
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

fn shown(days: &Days, points: Option<i64>) -> Shown {
    let mut shown = Shown::default();
    for (date, groups) in days {
        shown.add_day(date, groups);
    }
    shown.add_points(points);
    shown
}

/// The whole history of one user, by date, and the balance.
fn days(source: &mut Source) -> Result<(Days, Option<i64>), ReadError> {
    let (mut history, mut days) = (source.history(), BTreeMap::new());
    while let Some(page) = history.next_page()? {
        days.extend(page.into_iter().map(comparable));
    }
    Ok((days, history.user_points()))
}

/// What of a group is the same on every server: its type, its sums, its transactions.
pub(super) type Comparable = (String, i64, i64, Vec<Transaction>);

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
