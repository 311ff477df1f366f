//! The category tree.

use std::collections::BTreeSet;

use super::{CATEGORIES, Examiner, NOBODYS, Step};
use crate::answer::Call;
use crate::client::Halt;
use crate::cursor::Flaws;
use crate::read::{CATEGORY_RULES, Category, category_list};
use crate::rule::{CATEGORIES_FILTER, CATEGORIES_IDS, CATEGORIES_UNKNOWN};

/// How many categories are asked for their subcategories.
const SAMPLES: usize = 6;

impl Examiner<'_> {
    pub(super) fn read_categories(&mut self) -> Step {
        let Some(tree) = self.list_categories(&Call::get(CATEGORIES))? else { return Ok(()) };
        self.tree = tree;
        let mut all = Vec::new();
        self.tree.iter().for_each(|root| root.visit(&mut |category| all.push(category)));
        let ids: BTreeSet<&str> = all.iter().map(|category| category.id.as_str()).collect();
        let request = format!("GET {CATEGORIES}");
        self.book.expect(&CATEGORIES_IDS, &request, ids.len() == all.len(), || {
            (format!("{} different ids", all.len()), format!("{} different ids", ids.len()))
        });
        // Those with most below them tell most.
        all.sort_by_key(|category| std::cmp::Reverse(category.children.len()));
        let inner = all.iter().filter(|category| !category.children.is_empty()).take(SAMPLES - 1);
        let leaf = all.iter().rev().find(|category| category.children.is_empty());
        let samples: Vec<Category> = inner.chain(leaf).map(|category| (*category).clone()).collect();
        if samples.is_empty() {
            self.book.untried(&[&CATEGORIES_FILTER], "there are no categories");
        }
        for category in samples {
            self.examine_children(&category)?;
        }
        self.examine_unknown_category()
    }

    pub(super) fn list_categories(&mut self, call: &Call) -> Result<Option<Vec<Category>>, Halt> {
        let Some(answer) = self.ask_documented(call)? else { return Ok(None) };
        let Ok(json) = &answer.json else { return Ok(None) };
        let mut flaws = Flaws::new();
        let categories = category_list(json, &mut flaws);
        self.book.judge(&answer.request, CATEGORY_RULES, flaws);
        Ok(categories)
    }

    fn examine_children(&mut self, category: &Category) -> Step {
        let call = Call::get(CATEGORIES).with("filter[category]", &category.id);
        let Some(children) = self.list_categories(&call)? else { return Ok(()) };
        self.book.expect(&CATEGORIES_FILTER, &call.to_string(), children == category.children, || {
            (told(&category.children), told(&children))
        });
        Ok(())
    }

    fn examine_unknown_category(&mut self) -> Step {
        let answer = self.ask(&Call::get(CATEGORIES).with("filter[category]", NOBODYS))?;
        let found = answer.json.as_ref().ok().and_then(|json| category_list(json, &mut Flaws::new()));
        let fits = answer.status == 200 && found.is_some_and(|found| found.is_empty());
        self.book.expect(&CATEGORIES_UNKNOWN, &answer.request, fits, || {
            (r#"200 {"data":[]}"#.to_owned(), answer.shown())
        });
        Ok(())
    }
}

/// The categories of one level, by their ids, with how many are below them.
fn told(categories: &[Category]) -> String {
    let one = |category: &Category| {
        let mut below = 0_usize;
        category.visit(&mut |_| below += 1);
        format!("{} ({} below)", category.id, below - 1)
    };
    if categories.is_empty() {
        "none".to_owned()
    } else {
        categories.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}
