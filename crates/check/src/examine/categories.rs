//! The category tree.

use std::collections::BTreeSet;

use super::{CATEGORIES, DOCUMENTED, Examiner, UNKNOWN};
use crate::answer::Call;
use crate::read::{Category, category_list};
use crate::rule::{CATEGORIES_FILTER, CATEGORIES_IDS, CATEGORIES_UNKNOWN};

/// How many categories are asked for their subcategories.
const SAMPLES: usize = 6;

impl Examiner<'_> {
    pub(super) fn read_categories(&mut self) {
        let Some(tree) = self.list_categories(&Call::get(CATEGORIES)) else { return };
        let mut all = Category::all(&tree);
        let ids: BTreeSet<&str> = all.iter().map(|category| category.id.as_str()).collect();
        let (wanted, came) = (all.len(), format!("{} different ids", ids.len()));
        let request = format_args!("GET {CATEGORIES}");
        let wanted_ids = format!("{wanted} different ids");
        self.book.expect(&CATEGORIES_IDS, request, ids.len() == wanted, wanted_ids, came);
        // Those with most below them tell most.
        all.sort_by_key(|category| std::cmp::Reverse(category.children.len()));
        let inner = all.iter().filter(|category| !category.children.is_empty()).take(SAMPLES - 1);
        let leaf = all.iter().rev().find(|category| category.children.is_empty());
        if all.is_empty() {
            self.untried(&[&CATEGORIES_FILTER], "there are no categories");
        }
        for category in inner.chain(leaf) {
            self.examine_children(category);
        }
        self.examine_unknown_category();
        self.tree = tree;
    }

    pub(super) fn list_categories(&mut self, call: &Call) -> Option<Vec<Category>> {
        let answer = self.ask_ok(call, DOCUMENTED)?;
        self.read(&answer, category_list)?
    }

    fn examine_children(&mut self, category: &Category) {
        let call = Call::get(CATEGORIES).with("filter[category]", &category.id);
        let Some(children) = self.list_categories(&call) else { return };
        let (wanted, came) = (told(&category.children), told(&children));
        self.book.expect(&CATEGORIES_FILTER, &call, children == category.children, wanted, came);
    }

    fn examine_unknown_category(&mut self) {
        let Some(answer) = self.ask(&Call::get(CATEGORIES).with("filter[category]", UNKNOWN)) else { return };
        let found = answer.read(category_list).and_then(|(found, _)| found);
        let fits = answer.status == 200 && found.is_some_and(|found| found.is_empty());
        self.book.expect_of(&CATEGORIES_UNKNOWN, &answer, fits, r#"200 {"data":[]}"#);
    }
}

/// The categories of one level, by their ids, with how many are below them.
fn told(categories: &[Category]) -> String {
    let below = |category: &Category| Category::all(&category.children).len();
    let one = |category: &Category| format!("{} ({} below)", category.id, below(category));
    if categories.is_empty() {
        "none".to_owned()
    } else {
        categories.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}
