//! What the catalogue must answer, said as plainly as possible.

use std::collections::{BTreeMap, HashSet};

use caseless::Caseless;
use pointbook_catalogue::index::{
    ProductFilter, ProductQuery, ProductSort, Snapshot, SnapshotBuilder, SnapshotOptions,
};
use pointbook_domain::{
    Category, CategoryId, CategoryTree, PageRequest, Price, Product, ProductId, Timestamp,
};
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

/// A catalogue as a map of products by id.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) options: SnapshotOptions,
    pub(crate) products: BTreeMap<ProductId, Product>,
    pub(crate) tree: CategoryTree,
    pub(crate) most_ordered: Vec<ProductId>,
    pub(crate) now: Timestamp,
}

impl Model {
    /// A snapshot made at once from all products.
    pub(crate) fn snapshot(&self) -> Snapshot {
        let mut builder = SnapshotBuilder::new(self.options.clone(), crate::generate::key());
        self.products.values().for_each(|product| builder.upsert(product));
        builder.build(&self.tree, &self.most_ordered, self.now)
    }

    pub(crate) fn is_visible(&self, product: &Product) -> bool {
        product.active && product.published_at <= self.now
    }

    /// The id, the title and the URLs of pictures of the products that have one with this part.
    pub(crate) fn pictured(&self, part: &str) -> Vec<(String, String, Vec<String>)> {
        let urls = |product: &Product| {
            let all = std::iter::once(&product.thumbnail).chain(&product.gallery);
            all.filter(|url| !url.is_empty()).cloned().collect::<Vec<_>>()
        };
        let named = self.products.values().map(|product| (product, urls(product)));
        let found = named.filter(|(_, urls)| urls.iter().any(|url| url.contains(part)));
        found.map(|(product, urls)| (product.id.to_string(), product.title.clone(), urls)).collect()
    }

    /// The total and the products of the page.
    pub(crate) fn list(&self, query: &ProductQuery, page: PageRequest) -> (u64, Vec<Value>) {
        page_of(&self.matching(query), page)
    }

    /// All that match, in order.
    pub(crate) fn matching(&self, query: &ProductQuery) -> Vec<&Product> {
        let mut listed: Vec<&Product> = self
            .products
            .values()
            .filter(|product| self.is_visible(product))
            .filter(|product| !(self.options.hide_sold_out && product.stock == Some(0)))
            .filter(|product| self.matches(&query.filter, product))
            .collect();
        // A stable sort keeps the map's order, which is by id.
        match query.sort {
            ProductSort::Newest => listed.sort_by_key(|product| -product.published_at.as_micros()),
            ProductSort::PriceAscending => listed.sort_by_key(|product| price(product)),
            ProductSort::PriceDescending => listed.sort_by_key(|product| -price(product)),
        }
        listed
    }

    fn matches(&self, filter: &ProductFilter, product: &Product) -> bool {
        let threshold = self.options.low_stock_threshold;
        let is_popular = product.popular || self.most_ordered.contains(&product.id);
        let is_low = product.stock.is_some_and(|stock| stock > 0 && stock <= threshold);
        filter.min_price.is_none_or(|min| price(product) >= min)
            && filter.max_price.is_none_or(|max| price(product) <= max)
            && filter.new_since.is_none_or(|since| product.published_at > since)
            && (!filter.low_stock || is_low)
            && (!filter.on_sale || product.sale_price.is_some())
            && (!filter.popular || is_popular)
            && filter.titles.as_ref().is_none_or(|parts| has_title(product, parts))
            && filter.categories.as_ref().is_none_or(|ids| self.is_in_any(product, ids))
    }

    fn is_in_any(&self, product: &Product, ids: &[CategoryId]) -> bool {
        let mut below = HashSet::new();
        collect_below(self.tree.roots(), ids, false, &mut below);
        product.categories.iter().any(|id| below.contains(id))
    }
}

/// The number of products and those of the page.
pub(crate) fn page_of(products: &[&Product], page: PageRequest) -> (u64, Vec<Value>) {
    let skip = usize::try_from(page.offset()).unwrap();
    let items = products.iter().skip(skip).take(page.size.get() as usize);
    (products.len() as u64, items.map(|product| view(product)).collect())
}

/// The documented JSON of a product.
pub(crate) fn view(product: &Product) -> Value {
    json!({
        "id": product.id.as_str(),
        "title": product.title,
        "sku": product.sku,
        "description": product.description,
        "regular_price": product.regular_price.get(),
        "sale_price": product.sale_price.map(Price::get),
        "thumbnail": product.thumbnail,
        "gallery": product.gallery,
    })
}

/// The total and the products of a snapshot's page.
pub(crate) fn answer(snapshot: &Snapshot, query: &ProductQuery, page: PageRequest) -> (u64, Vec<Value>) {
    let page = snapshot.list(query, page);
    (page.total, page.items.into_iter().map(|item| serde_json::from_slice(item.json).unwrap()).collect())
}

fn price(product: &Product) -> i64 {
    product.sale_price.unwrap_or(product.regular_price).get()
}

fn has_title(product: &Product, parts: &[String]) -> bool {
    let parts: Vec<String> = parts.iter().map(|part| fold(part)).filter(|part| !part.is_empty()).collect();
    parts.is_empty() || parts.iter().any(|part| fold(&product.title).contains(part))
}

/// The rule, without any short cut.
fn fold(text: &str) -> String {
    let without_accents = text.nfkd().filter(|c| !('\u{300}'..='\u{36F}').contains(c));
    without_accents.default_case_fold().nfkc().collect()
}

/// Collects the categories that are asked for, and all below them.
fn collect_below(level: &[Category], asked: &[CategoryId], is_below: bool, into: &mut HashSet<CategoryId>) {
    for category in level {
        let is_in = is_below || asked.contains(&category.id);
        if is_in {
            into.insert(category.id.clone());
        }
        collect_below(&category.children, asked, is_in, into);
    }
}
