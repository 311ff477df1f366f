//! What must be known of a store before its products can be taken over: they do not tell it themselves.

use std::collections::{BTreeSet, HashMap, HashSet};

use pointbook_check::{Category, Filter, ReadError, Source};

/// What finds popular products.
pub(super) const POPULAR: Filter<'static> = ("filter[onlyPopular]", "true");

/// The categories, what is in them, and what is popular.
#[derive(Debug)]
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
        let (tree, mut categories) = (source.categories()?, HashMap::new());
        if !tree.is_empty() {
            source.filters_categories()?;
        }
        for category in &tree {
            gather(source, category, &mut categories)?;
        }
        let popular = ids(source, POPULAR)?.into_iter().collect();
        Ok(Self { tree, categories, popular })
    }
}

/// Notes the products of a category that are not below it; gives all of them.
fn gather(
    source: &mut Source,
    category: &Category,
    categories: &mut HashMap<String, Vec<String>>,
) -> Result<BTreeSet<String>, ReadError> {
    let mut below = BTreeSet::new();
    for child in &category.children {
        below.append(&mut gather(source, child, categories)?);
    }
    for id in ids(source, in_category(category))? {
        if below.insert(id.clone()) {
            categories.entry(id).or_default().push(category.id.clone());
        }
    }
    Ok(below)
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
