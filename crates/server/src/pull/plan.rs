//! What must be known of a store before its products can be taken over: they do not tell it themselves.

use std::collections::{BTreeSet, HashMap, HashSet};

use pointbook_check::{Category, Filter, ReadError, Source};

/// What finds popular products.
pub(super) const POPULAR: Filter<'static> = ("filter[onlyPopular]", "true");

/// The categories, what is in them, and what is popular.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) tree: Vec<Category>,
    /// The lowest categories that find a product, by its id, in the order of the tree.
    pub(crate) categories: HashMap<String, Vec<String>>,
    pub(crate) popular: HashSet<String>,
}

impl Plan {
    /// Asks for every category, and for what is popular. Where the filter for categories is ignored, each would
    /// seem to have everything, so that is found out first.
    pub(crate) fn read(source: &mut Source) -> Result<Self, ReadError> {
        let mut plan = Self { tree: source.categories()?, ..Self::default() };
        if !plan.tree.is_empty() {
            source.filters_categories()?;
        }
        let tree = std::mem::take(&mut plan.tree);
        for category in &tree {
            plan.gather(source, category)?;
        }
        plan.tree = tree;
        plan.popular = ids(source, POPULAR)?.into_iter().collect();
        Ok(plan)
    }

    /// Notes the products of a category that are not below it; gives all of them.
    fn gather(&mut self, source: &mut Source, category: &Category) -> Result<BTreeSet<String>, ReadError> {
        let mut below = BTreeSet::new();
        for child in &category.children {
            below.append(&mut self.gather(source, child)?);
        }
        for id in ids(source, in_category(category))? {
            if below.insert(id.clone()) {
                self.categories.entry(id).or_default().push(category.id.clone());
            }
        }
        Ok(below)
    }
}

/// What finds the products of a category.
pub(super) fn in_category(category: &Category) -> Filter<'_> {
    ("filter[category]", &category.id)
}

/// What passes this filter, in the order of the store.
pub(super) fn ids(source: &mut Source, filter: Filter<'_>) -> Result<Vec<String>, ReadError> {
    let (mut products, mut ids) = (source.products(Some(filter)), Vec::new());
    while let Some(product) = products.next_product()? {
        ids.push(product.id);
    }
    Ok(ids)
}
