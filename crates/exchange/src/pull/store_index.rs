//! Reads what products do not show themselves: their categories, and whether they are popular.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::check::{Category, Filter, ReadError, Source};

/// The filter that finds popular products.
pub(super) const POPULAR: Filter<'static> = ("filter[onlyPopular]", "true");

/// The category tree, the categories of each product, and the popular products.
#[derive(Debug)]
pub struct StoreIndex {
    /// The root categories, each with its subcategories.
    pub tree: Vec<Category>,
    /// For each product id, the deepest categories that contain the product, in the order of the tree.
    pub categories: HashMap<String, Vec<String>>,
    /// The ids of popular products.
    pub popular: HashSet<String>,
}

impl StoreIndex {
    /// Reads the products of every category, and the popular ones. First checks that the server does not ignore the
    /// category filter: otherwise every category would seem to contain all products.
    ///
    /// # Errors
    /// When the other server cannot be read or breaks a rule of the interface.
    pub fn read(source: &mut Source) -> Result<Self, ReadError> {
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

/// Adds the category to its products that are in none of its subcategories. Returns all its products.
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

/// The filter that finds the products of a category.
pub(super) fn in_category(category: &Category) -> Filter<'_> {
    ("filter[category]", &category.id)
}

/// The ids of the products that pass this filter, in the order of the store.
pub(super) fn ids(source: &mut Source, filter: Filter<'_>) -> Result<Vec<String>, ReadError> {
    let (mut products, mut ids) = (source.products(Some(filter)), Vec::new());
    while let Some(product) = products.next_product()? {
        ids.push(product.id);
    }
    Ok(ids)
}
