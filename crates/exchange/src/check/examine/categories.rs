//! Examines the category tree and the filter by category.

use std::collections::{BTreeMap, BTreeSet};

use super::filters::Single;
use super::{CATEGORIES, CATEGORY, DOCUMENTED, Examiner, PRODUCTS, UNKNOWN};
use crate::check::exchange::Call;
use crate::check::read::{Category, category_list, product_list};
use crate::check::results::judge;
use crate::check::rule;

const PARENTS: usize = 6;

/// How many parents, children of each parent, and leaves are used as filters.
const SAMPLES: usize = 3;

/// The products of each category, by their ids.
type Members = BTreeMap<String, BTreeSet<String>>;

impl Examiner<'_> {
    pub(super) fn read_categories(&mut self) {
        let Some(tree) = self.list_categories(&Call::get(CATEGORIES)) else { return };
        let mut all = Category::all(&tree);
        let ids: BTreeSet<&str> = all.iter().map(|category| category.id.as_str()).collect();
        let (wanted, came) = (all.len(), ids.len());
        judge!(self, rule::CATEGORIES_IDS, &Call::get(CATEGORIES), came == wanted;
            "{wanted} different ids"; "{came} different ids");
        // Categories with many children show most.
        all.sort_by_key(|category| std::cmp::Reverse(category.children.len()));
        let inner = all.iter().filter(|category| !category.children.is_empty()).take(PARENTS - 1);
        let leaf = all.iter().rev().find(|category| category.children.is_empty());
        if all.is_empty() {
            self.untried(&[rule::CATEGORIES_FILTER], "there are no categories");
        }
        for category in inner.chain(leaf) {
            self.examine_children(category);
        }
        let call = Call::get(CATEGORIES).with(CATEGORY, UNKNOWN);
        self.probe(rule::CATEGORIES_UNKNOWN, &call, r#"200 {"data":[]}"#, |response| {
            let found = response.read(category_list).and_then(|(found, _)| found);
            response.status == 200 && found.is_some_and(|found| found.is_empty())
        });
        self.tree = tree;
    }

    pub(super) fn list_categories(&mut self, call: &Call) -> Option<Vec<Category>> {
        let response = self.ask_ok(call, DOCUMENTED)?;
        self.read(&response, category_list)?
    }

    fn examine_children(&mut self, category: &Category) {
        let call = Call::get(CATEGORIES).with(CATEGORY, &category.id);
        let Some(children) = self.list_categories(&call) else { return };
        let ids = |tree| Category::all(tree).into_iter().map(|category| category.id.as_str()).collect();
        let (wanted, came): (Vec<&str>, Vec<&str>) = (ids(&category.children), ids(&children));
        judge!(self, rule::CATEGORIES_FILTER, &call, children == category.children;
            "the subcategories in the tree: {wanted:?}"; "{came:?}");
    }

    pub(super) fn examine_category_filter(&mut self) -> Option<Single> {
        self.examine_unknown_filter();
        let (pairs, leaves) = self.sample_categories();
        let mut members = Members::new();
        for id in pairs.iter().flatten().chain(&leaves) {
            if !members.contains_key(id)
                && let Some(found) = self.find(&[(CATEGORY, id)], DOCUMENTED)
                && found.is_whole
            {
                members.insert(id.clone(), found.ids);
            }
        }
        for [parent, child] in &pairs {
            self.judge_tree(&members, parent, child);
        }
        self.examine_alternatives(&members);
        // A filter that finds all products would not show in a combination.
        let restricting = members.into_iter().filter(|(_, ids)| ids.len() < self.store.ids.len());
        let (id, ids) = restricting.max_by_key(|(_, ids)| ids.len())?;
        Some((CATEGORY, id, ids))
    }

    /// A server that ignores the filter finds all products.
    pub(super) fn examine_unknown_filter(&mut self) {
        let Some(response) = self.ask_ok(&Call::get(PRODUCTS).with(CATEGORY, UNKNOWN), None) else { return };
        let items = response.read(product_list).and_then(|(page, _)| page.items);
        let fits = items.is_some_and(|items| items.is_empty());
        self.results.expect_of(rule::FILTERS_CATEGORY, &response, fits, "no products of an unknown category");
    }

    /// Some pairs of a category and its child, and some leaves.
    fn sample_categories(&self) -> (Vec<[String; 2]>, Vec<String>) {
        // A comma separates the ids of a list.
        let is_plain = |category: &&Category| !category.id.contains(',');
        let all = Category::all(&self.tree).into_iter().filter(is_plain);
        let (inner, leaves): (Vec<_>, Vec<_>) = all.partition(|category| !category.children.is_empty());
        let pairs = inner.into_iter().take(SAMPLES).flat_map(|parent| {
            let children = parent.children.iter().filter(is_plain).take(SAMPLES);
            children.map(|child| [parent.id.clone(), child.id.clone()])
        });
        (pairs.collect(), leaves.into_iter().take(SAMPLES).map(|leaf| leaf.id.clone()).collect())
    }

    fn judge_tree(&mut self, members: &Members, parent: &str, child: &str) {
        let (Some(above), Some(below)) = (members.get(parent), members.get(child)) else { return };
        let missing = below.difference(above).next();
        let call = Call::get(PRODUCTS).with(CATEGORY, parent);
        judge!(self, rule::FILTERS_TREE, &call, missing.is_none();
            "also the products of its subcategory {child}"; "without {missing:?}");
    }

    fn examine_alternatives(&mut self, members: &Members) {
        let mut smallest: Vec<_> = members.iter().filter(|(_, ids)| !ids.is_empty()).collect();
        smallest.sort_by_key(|(_, ids)| ids.len());
        let [(left, its), (right, theirs), ..] = smallest.as_slice() else { return };
        let either = format!("{left},{right}");
        if let Some(found) = self.find(&[(CATEGORY, &either)], Some(rule::FILTERS_CATEGORY_LIST)) {
            let in_either = |id: &String| its.contains(id) || theirs.contains(id);
            self.judge_found(rule::FILTERS_CATEGORY_LIST, &found, |product| in_either(&product.id));
        }
    }
}
