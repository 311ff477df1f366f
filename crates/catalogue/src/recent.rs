//! What changed since the large segment was built: a small segment that lies over it.

use std::sync::Arc;

use pointbook_domain::Timestamp;

use crate::changes::Changes;
use crate::facts::Facts;
use crate::orders::BySort;
use crate::products::Products;
use crate::rules::Rules;
use crate::segment::Segment;

/// The products that were added, changed or published since, and which ones of the base they hide.
#[derive(Debug)]
pub(crate) struct Recent {
    segment: Segment,
    /// Numbers of the base's products that are seen no more, ascending: changed, removed or moved here.
    hidden: Vec<u32>,
    lays: BySort<Lay>,
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
    /// Nothing changed yet.
    pub(crate) fn none(base: &Segment, rules: &Rules, now: Timestamp) -> Self {
        Self::new(Products::default(), Vec::new(), base, rules, now)
    }

    fn new(products: Products, hidden: Vec<u32>, base: &Segment, rules: &Rules, now: Timestamp) -> Self {
        let segment = Segment::new(Arc::new(products), rules, now);
        let lays = BySort::of(|sort| {
            let ranking = base.orders().order(sort).ranking();
            let mut hidden: Vec<u32> = hidden.iter().filter_map(|&number| ranking.rank_of(number)).collect();
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
        Self { segment, hidden, lays }
    }

    /// The same with later changes. Products of the base that these ids name, or that were published
    /// by now, move here to be seen as the rules say now.
    pub(crate) fn with(
        &self,
        changes: Changes,
        moved: &[&[u8]],
        base: &Segment,
        rules: &Rules,
        now: Timestamp,
    ) -> Self {
        let mut hidden = base.products().numbers_of(changes.ids());
        let moved = self.moved(moved, &hidden, base, now);
        let replaced = self.segment.products().numbers_of(changes.ids());
        let newer = copies(base.products(), &moved).merged(&[], &changes.into_upserted());
        let products = self.segment.products().merged(&replaced, &newer);
        hidden.extend(moved);
        hidden.extend_from_slice(&self.hidden);
        hidden.sort_unstable();
        hidden.dedup();
        Self::new(products, hidden, base, rules, now)
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
        self.hidden.binary_search(&number).is_ok()
    }

    /// Numbers of the base's products that are seen no more, ascending.
    pub(crate) fn hidden(&self) -> &[u32] {
        &self.hidden
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.change_count() == 0
    }

    /// How many products changed.
    pub(crate) fn change_count(&self) -> usize {
        self.hidden.len().max(self.segment.products().len())
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        let lay = |lay: &Lay| lay.hidden.capacity() + lay.places.capacity();
        let numbers = self.hidden.capacity() + self.lays.iter().map(lay).sum::<usize>();
        self.segment.memory_bytes() + numbers * size_of::<u32>()
    }
}

fn copies(products: &Products, numbers: &[u32]) -> Products {
    let mut copies = Products::default();
    for &number in numbers {
        copies.push_copy(products, number);
    }
    copies.close();
    copies
}
