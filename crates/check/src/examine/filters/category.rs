//! Products by category. Products do not tell theirs, so the responses are held against each other.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{DOCUMENTED, Examiner, PRODUCTS, UNKNOWN};
use super::{CATEGORY, Single};
use crate::answer::Call;
use crate::read::{Category, product_list};
use crate::rule::{FILTERS_CATEGORY, FILTERS_CATEGORY_LIST, FILTERS_TREE};

/// How many categories with others below them are tried, how many of those below each, and how many without any.
const SAMPLES: usize = 3;

/// What each category has, by its id.
type Members = BTreeMap<String, BTreeSet<String>>;

impl Examiner<'_> {
    pub(super) fn examine_category_filter(&mut self) -> Option<Single> {
        self.examine_unknown_filter();
        let (pairs, leaves) = self.telling_categories();
        let mut members = Members::new();
        for id in pairs.iter().flat_map(|(parent, child)| [parent, child]).chain(&leaves) {
            if !members.contains_key(id)
                && let Some(found) = self.find(&[(CATEGORY, id)], DOCUMENTED)
                && found.is_whole
            {
                members.insert(id.clone(), found.ids);
            }
        }
        for (parent, child) in &pairs {
            self.judge_tree(&members, parent, child);
        }
        self.examine_alternatives(&members);
        // Neither none nor all: what a combination can be told by.
        let telling = members.into_iter().filter(|(_, ids)| ids.len() < self.store.ids.len());
        let most = telling.max_by_key(|(_, ids)| ids.len());
        most.map(|(id, ids)| (CATEGORY, id, ids))
    }

    /// A filter that is ignored finds everything, whatever is asked for.
    pub(in crate::examine) fn examine_unknown_filter(&mut self) {
        let Some(answer) = self.ask_ok(&Call::get(PRODUCTS).with(CATEGORY, UNKNOWN), None) else { return };
        let items = answer.read(product_list).and_then(|(page, _)| page.items);
        let fits = items.is_some_and(|items| items.is_empty());
        self.book.expect_of(&FILTERS_CATEGORY, &answer, fits, "no products of an unknown category");
    }

    /// Some categories, each with one below it, and some without any below them.
    fn telling_categories(&self) -> (Vec<(String, String)>, Vec<String>) {
        // In a list, a comma separates.
        let is_plain = |category: &&Category| !category.id.contains(',');
        let all = Category::all(&self.tree).into_iter().filter(is_plain);
        let (inner, leaves): (Vec<_>, Vec<_>) = all.partition(|category| !category.children.is_empty());
        let pairs = inner.into_iter().take(SAMPLES).flat_map(|parent| {
            let children = parent.children.iter().filter(is_plain).take(SAMPLES);
            children.map(|child| (parent.id.clone(), child.id.clone()))
        });
        (pairs.collect(), leaves.into_iter().take(SAMPLES).map(|leaf| leaf.id.clone()).collect())
    }

    fn judge_tree(&mut self, members: &Members, parent: &str, child: &str) {
        let (Some(above), Some(below)) = (members.get(parent), members.get(child)) else { return };
        let missing = below.difference(above).next();
        let request = format!("GET {PRODUCTS}?{CATEGORY}={parent}");
        let wanted = format!("what {child} has, which is below it");
        let came = format!("not {}", missing.map_or("", String::as_str));
        self.book.expect(&FILTERS_TREE, request, missing.is_none(), wanted, came);
    }

    fn examine_alternatives(&mut self, members: &Members) {
        let mut smallest: Vec<_> = members.iter().filter(|(_, ids)| !ids.is_empty()).collect();
        smallest.sort_by_key(|(_, ids)| ids.len());
        let [(left, its), (right, theirs), ..] = smallest.as_slice() else { return };
        let either = format!("{left},{right}");
        if let Some(found) = self.find(&[(CATEGORY, &either)], Some(&FILTERS_CATEGORY_LIST)) {
            let in_either = |id: &String| its.contains(id) || theirs.contains(id);
            self.judge_found(&FILTERS_CATEGORY_LIST, &found, |product| in_either(&product.id));
        }
    }
}
