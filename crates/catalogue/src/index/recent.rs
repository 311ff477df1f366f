//! What changed since the large segment was built: a small segment that lies over it.

use std::sync::Arc;

use pointbook_domain::Timestamp;

use crate::index::changes::Changes;
use crate::index::facts::Facts;
use crate::index::orders::BySort;
use crate::index::products::Products;
use crate::index::rules::Rules;
use crate::index::segment::Segment;

/// The products that were added, changed or published since, and which ones of the base they hide.
#[derive(Debug)]
pub(crate) struct Recent {
    changed: Changed,
    segment: Segment,
    lays: BySort<Lay>,
}

/// What changed, whether it is laid over the base or merged into it.
#[derive(Debug, Default)]
pub(crate) struct Changed {
    products: Arc<Products>,
    /// Numbers of the base's products that are seen no more, ascending: changed, removed or moved here.
    hidden: Vec<u32>,
}

impl Changed {
    /// How many products changed.
    pub(crate) fn count(&self) -> usize {
        self.hidden.len().max(self.products.len())
    }

    /// All products as they are now.
    pub(crate) fn merged_into(&self, base: &Segment) -> Arc<Products> {
        if self.count() == 0 {
            return Arc::clone(base.products());
        }
        Arc::new(base.products().merged(&self.hidden, &self.products))
    }
}

/// How the small segment lies over one order of the base.
#[derive(Debug)]
pub(crate) struct Lay {
    /// Ranks of the base's products that are seen no more, ascending.
    pub(crate) hidden: Vec<u32>,
    /// By rank in the small segment: the rank in the base that the product stands right before.
    pub(crate) places: Vec<u32>,
}

impl Recent {
    /// Lays what changed over the base.
    pub(crate) fn laid_over(base: &Segment, changed: Changed, rules: &Rules, now: Timestamp) -> Self {
        let segment = Segment::new(Arc::clone(&changed.products), rules, now);
        let lays = BySort::of(|sort| {
            let ranking = base.orders().order(sort).ranking();
            let hidden = changed.hidden.iter();
            let mut hidden: Vec<u32> = hidden.filter_map(|&number| ranking.rank_of(number)).collect();
            hidden.sort_unstable();
            let place = |&number: &u32| {
                let id_place = base.products().place_of(segment.products().id(number as usize));
                base.orders().place_of(
                    sort,
                    segment.products().facts_of(number).unwrap_or(&Facts::NONE),
                    id_place,
                )
            };
            let numbers = segment.orders().order(sort).ranking().numbers();
            Lay { hidden, places: numbers.iter().map(place).collect() }
        });
        Self { changed, segment, lays }
    }

    /// What changed, later changes included. Products of the base that these ids name, or that were
    /// published by now, are among it, to be seen as the rules say now.
    pub(crate) fn with(&self, changes: Changes, moved: &[&[u8]], base: &Segment, now: Timestamp) -> Changed {
        let mut hidden = base.products().numbers_of(changes.ids());
        let moved = self.moved(moved, &hidden, base, now);
        let replaced = self.segment.products().numbers_of(changes.ids());
        let copies = base.products().picked(moved.iter().map(|&number| number as usize));
        let newer = copies.merged(&[], &changes.into_upserted());
        let products = self.segment.products().merged(&replaced, &newer);
        hidden.extend(moved);
        hidden.extend_from_slice(self.hidden());
        hidden.sort_unstable();
        hidden.dedup();
        Changed { products: Arc::new(products), hidden }
    }

    /// What is laid over the base.
    pub(crate) fn changed(&self) -> &Changed {
        &self.changed
    }

    /// The numbers of the base's products that are to move here, ascending: neither hidden nor changed.
    fn moved(&self, ids: &[&[u8]], changed: &[u32], base: &Segment, now: Timestamp) -> Vec<u32> {
        let mut numbers = base.products().numbers_of(ids.iter().copied());
        let due = base.waiting().iter().take_while(|(at, _)| *at <= now);
        numbers.extend(due.map(|&(_, number)| number));
        numbers.sort_unstable();
        numbers.dedup();
        numbers.retain(|number| !self.hides(*number) && changed.binary_search(number).is_err());
        numbers
    }

    pub(crate) fn segment(&self) -> &Segment {
        &self.segment
    }

    pub(crate) fn lays(&self) -> &BySort<Lay> {
        &self.lays
    }

    /// Whether this product of the base is seen no more.
    pub(crate) fn hides(&self, number: u32) -> bool {
        self.hidden().binary_search(&number).is_ok()
    }

    /// Numbers of the base's products that are seen no more, ascending.
    pub(crate) fn hidden(&self) -> &[u32] {
        &self.changed.hidden
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.changed.count() == 0
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let lay = |lay: &Lay| lay.hidden.capacity() + lay.places.capacity();
        let numbers = self.changed.hidden.capacity() + self.lays.iter().map(lay).sum::<usize>();
        self.segment.memory_bytes() + numbers * size_of::<u32>()
    }
}
