//! Products by category. Products do not tell theirs, so the answers are held against each other.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{Examiner, NOBODYS, PRODUCTS};
use super::{CATEGORY, Single};
use crate::answer::Call;
use crate::client::Halt;
use crate::cursor::Flaws;
use crate::read::{Category, product_list};
use crate::rule::{FILTERS_CATEGORY, FILTERS_CATEGORY_LIST, FILTERS_TREE};

/// How many categories with others below them are tried.
const INNER: usize = 3;
/// How many of those below each.
const CHILDREN: usize = 3;
/// How many without any.
const LEAVES: usize = 3;

/// What each category has, by its id.
type Members = BTreeMap<String, BTreeSet<String>>;

impl Examiner<'_> {
    pub(super) fn examine_category_filter(&mut self) -> Result<Option<Single>, Halt> {
        self.examine_unknown_filter()?;
        let (families, leaves) = self.telling_categories();
        let mut members = Members::new();
        let ids = families.iter().flat_map(|(parent, children)| std::iter::once(parent).chain(children));
        for id in ids.chain(&leaves) {
            if !members.contains_key(id)
                && let Some(found) = self.find(&[(CATEGORY, id)])?
                && found.is_whole
            {
                members.insert(id.clone(), found.ids);
            }
        }
        for (parent, children) in &families {
            self.judge_family(&members, parent, children);
        }
        self.examine_alternatives(&members)?;
        // Neither none nor all: what a combination can be told by.
        let telling = members.into_iter().filter(|(_, ids)| ids.len() < self.store.ids.len());
        let most = telling.max_by_key(|(_, ids)| ids.len());
        Ok(most.map(|(id, ids)| (CATEGORY, id, ids)))
    }

    /// A filter that is ignored finds everything, whatever is asked for.
    pub(in crate::examine) fn examine_unknown_filter(&mut self) -> Result<(), Halt> {
        let answer = self.ask(&Call::get(PRODUCTS).with(CATEGORY, NOBODYS))?;
        let (Ok(json), 200) = (&answer.json, answer.status) else { return Ok(()) };
        let page = product_list(json, &mut Flaws::new());
        let is_empty = page.items.is_some_and(|items| items.is_empty());
        self.book.expect(&FILTERS_CATEGORY, &answer.request, is_empty, || {
            ("no products of an unknown category".to_owned(), answer.shown())
        });
        Ok(())
    }

    /// Some categories with some of their children, and some without.
    fn telling_categories(&self) -> (Vec<(String, Vec<String>)>, Vec<String>) {
        let mut all: Vec<&Category> = Vec::new();
        self.tree.iter().for_each(|root| root.visit(&mut |category| all.push(category)));
        // In a list, a comma separates.
        all.retain(|category| !category.id.contains(','));
        let (inner, leaves): (Vec<&Category>, Vec<_>) =
            all.into_iter().partition(|category| !category.children.is_empty());
        let id = |category: &Category| category.id.clone();
        let plain = |category: &&Category| !category.id.contains(',');
        let family = |parent: &&Category| {
            (id(parent), parent.children.iter().filter(plain).take(CHILDREN).map(id).collect())
        };
        let leaves = leaves.into_iter().take(LEAVES).map(id).collect();
        (inner.iter().take(INNER).map(family).collect(), leaves)
    }

    fn judge_family(&mut self, members: &Members, parent: &str, children: &[String]) {
        let Some(above) = members.get(parent) else { return };
        for child in children {
            let Some(below) = members.get(child) else { continue };
            let missing = below.iter().find(|id| !above.contains(*id));
            let request = format!("GET {PRODUCTS}?{CATEGORY}={parent}");
            self.book.expect(&FILTERS_TREE, &request, missing.is_none(), || {
                let missing = missing.cloned().unwrap_or_default();
                (format!("what {child} has, which is below it"), format!("not {missing}"))
            });
        }
    }

    fn examine_alternatives(&mut self, members: &Members) -> Result<(), Halt> {
        let plain = members.iter().filter(|(_, ids)| !ids.is_empty());
        let mut smallest: Vec<_> = plain.collect();
        smallest.sort_by_key(|(_, ids)| ids.len());
        let [(left, its), (right, theirs), ..] = smallest.as_slice() else { return Ok(()) };
        let both: BTreeSet<String> = its.union(theirs).cloned().collect();
        if let Some(found) =
            self.find_by(&FILTERS_CATEGORY_LIST, &[(CATEGORY, &format!("{left},{right}"))])?
        {
            let difference = self.difference_of_ids(&found, &both);
            self.judge_found(&FILTERS_CATEGORY_LIST, &found, difference);
        }
        Ok(())
    }
}
