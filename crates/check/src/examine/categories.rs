//! The category tree, and the filter by category.

use std::collections::{BTreeMap, BTreeSet};

use super::filters::Single;
use super::{CATEGORIES, CATEGORY, DOCUMENTED, Examiner, PRODUCTS, UNKNOWN};
use crate::answer::Call;
use crate::book::judge;
use crate::read::{Category, category_list, product_list};
use crate::rule;

const PARENTS: usize = 6;

/// How many categories with others below them are filters, how many of those below each, and how many without any.
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
        // Those with most below them tell most.
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
        self.probe(rule::CATEGORIES_UNKNOWN, &call, r#"200 {"data":[]}"#, |answer| {
            let found = answer.read(category_list).and_then(|(found, _)| found);
            answer.status == 200 && found.is_some_and(|found| found.is_empty())
        });
        self.tree = tree;
    }

    pub(super) fn list_categories(&mut self, call: &Call) -> Option<Vec<Category>> {
        let answer = self.ask_ok(call, DOCUMENTED)?;
        self.read(&answer, category_list)?
    }

    fn examine_children(&mut self, category: &Category) {
        let call = Call::get(CATEGORIES).with(CATEGORY, &category.id);
        let Some(children) = self.list_categories(&call) else { return };
        let ids = |tree| Category::all(tree).into_iter().map(|category| category.id.as_str()).collect();
        let (wanted, came): (Vec<&str>, Vec<&str>) = (ids(&category.children), ids(&children));
        judge!(self, rule::CATEGORIES_FILTER, &call, children == category.children;
            "what is below it in the tree: {wanted:?}"; "{came:?}");
    }

    pub(super) fn examine_category_filter(&mut self) -> Option<Single> {
        self.examine_unknown_filter();
        let (pairs, leaves) = self.telling_categories();
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
        // Neither none nor all: what a combination can be told by.
        let telling = members.into_iter().filter(|(_, ids)| ids.len() < self.store.ids.len());
        let (id, ids) = telling.max_by_key(|(_, ids)| ids.len())?;
        Some((CATEGORY, id, ids))
    }

    /// A filter that is ignored finds everything.
    pub(super) fn examine_unknown_filter(&mut self) {
        let Some(answer) = self.ask_ok(&Call::get(PRODUCTS).with(CATEGORY, UNKNOWN), None) else { return };
        let items = answer.read(product_list).and_then(|(page, _)| page.items);
        let fits = items.is_some_and(|items| items.is_empty());
        self.book.expect_of(rule::FILTERS_CATEGORY, &answer, fits, "no products of an unknown category");
    }

    /// Some categories, each with one below it, and some without any below them.
    fn telling_categories(&self) -> (Vec<[String; 2]>, Vec<String>) {
        // In a list, a comma separates.
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
            "the products of {child}, which is below it"; "all but {missing:?}");
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
