//! For one order, the ranks of the products that each filter leaves.

use std::borrow::Cow;

use pointbook_domain::CategoryId;
use roaring::{MultiOps, RoaringBitmap};

use crate::categories::Categories;
use crate::products::Products;
use crate::query::ProductFilter;
use crate::ranking::Ranking;

/// What decides about membership besides the products themselves.
#[derive(Debug)]
pub(crate) struct FilterRules<'r> {
    pub(crate) low_stock_threshold: u32,
    /// For each category number of the builder, the category of the tree and those above it.
    pub(crate) lineages: &'r [Vec<usize>],
    /// How many categories the tree has.
    pub(crate) category_count: usize,
}

/// Sets of ranks. A category's set includes its descendants'.
#[derive(Debug)]
pub(crate) struct FilterSets {
    low_stock: RoaringBitmap,
    on_sale: RoaringBitmap,
    popular: RoaringBitmap,
    categories: Vec<RoaringBitmap>,
}

impl FilterSets {
    pub(crate) fn new(ranking: &Ranking, products: &Products, rules: &FilterRules<'_>) -> Self {
        let mut sets = Self {
            low_stock: RoaringBitmap::new(),
            on_sale: RoaringBitmap::new(),
            popular: RoaringBitmap::new(),
            categories: vec![RoaringBitmap::new(); rules.category_count],
        };
        for (rank, &number) in (0..).zip(ranking.numbers()) {
            sets.add_facts(rank, number, products, rules.low_stock_threshold);
            for &category in products.categories(number) {
                sets.add_lineage(
                    rank,
                    rules.lineages.get(category as usize).map_or(&[], Vec::as_slice),
                );
            }
        }
        sets
    }

    fn add_facts(&mut self, rank: u32, number: u32, products: &Products, low_stock_threshold: u32) {
        let Some(facts) = products.facts().get(number as usize) else {
            return;
        };
        if facts.is_low_stock(low_stock_threshold) {
            add(&mut self.low_stock, rank);
        }
        if facts.on_sale {
            add(&mut self.on_sale, rank);
        }
        if facts.popular {
            add(&mut self.popular, rank);
        }
    }

    fn add_lineage(&mut self, rank: u32, lineage: &[usize]) {
        for &category in lineage {
            if let Some(set) = self.categories.get_mut(category) {
                add(set, rank);
            }
        }
    }

    /// What the flags and categories of a filter leave together; none when they restrict nothing.
    pub(crate) fn matching(
        &self,
        filter: &ProductFilter,
        categories: &Categories,
    ) -> Option<Cow<'_, RoaringBitmap>> {
        let mut sets: Vec<Cow<'_, RoaringBitmap>> = Vec::new();
        let flags = [
            (filter.low_stock, &self.low_stock),
            (filter.on_sale, &self.on_sale),
            (filter.popular, &self.popular),
        ];
        sets.extend(
            flags
                .into_iter()
                .filter(|(asked, _)| *asked)
                .map(|(_, set)| Cow::Borrowed(set)),
        );
        if let Some(ids) = &filter.categories {
            sets.push(self.in_any(ids, categories));
        }
        // Small sets first: each step then costs what is left.
        sets.sort_by_key(|set| set.len());
        sets.into_iter().reduce(|left, next| Cow::Owned(&*left & &*next))
    }

    fn in_any(&self, ids: &[CategoryId], categories: &Categories) -> Cow<'_, RoaringBitmap> {
        let known = ids
            .iter()
            .filter_map(|id| self.categories.get(categories.index_of(id)?));
        let mut sets: Vec<&RoaringBitmap> = known.collect();
        match (sets.pop(), sets.is_empty()) {
            (None, _) => Cow::Owned(RoaringBitmap::new()),
            (Some(only), true) => Cow::Borrowed(only),
            (Some(last), false) => {
                sets.push(last);
                Cow::Owned(sets.union())
            }
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let flags = [&self.low_stock, &self.on_sale, &self.popular];
        flags.into_iter().chain(&self.categories).map(set_bytes).sum()
    }
}

/// Ranks come in ascending order; one that is there already, by a second category, is skipped.
fn add(set: &mut RoaringBitmap, rank: u32) {
    let _already_there = set.try_push(rank);
}

fn set_bytes(set: &RoaringBitmap) -> usize {
    /// What a container costs besides its values.
    const CONTAINER_BYTES: usize = 40;
    let containers = set.statistics();
    let values = containers.n_bytes_array_containers
        + containers.n_bytes_run_containers
        + containers.n_bytes_bitset_containers;
    size_of::<RoaringBitmap>()
        + CONTAINER_BYTES * containers.n_containers as usize
        + usize::try_from(values).unwrap_or(usize::MAX)
}
