//! The products of one flag, which are many, in a window of prices and times.

use std::ops::Range;

use crate::crossing::{Crossing, Window};
use crate::order::Order;
use crate::rank_set::RankSet;
use crate::selection::Slice;

/// The products of a flag are an order of their own, with ranks among themselves: the place of a rank
/// in the flag's set. So a window of them counts as one of all products does.
#[derive(Debug)]
pub(crate) struct FlagWindow<'s> {
    order: &'s Order,
    set: &'s RankSet,
    crossing: &'s Crossing,
    window: Window,
    /// The same in ranks among the flag's products.
    among: Window,
}

impl<'s> FlagWindow<'s> {
    /// The sets are those of the flag, in the order and across.
    pub(crate) fn new(
        order: &'s Order,
        sets: (&'s RankSet, &RankSet),
        crossing: &'s Crossing,
        window: Window,
    ) -> Self {
        let among = Window { own: places(sets.0, &window.own), crossed: places(sets.1, &window.crossed) };
        Self { order, set: sets.0, crossing, window, among }
    }

    pub(crate) fn count(&self) -> u32 {
        self.crossing.count(&self.among)
    }

    pub(crate) fn count_below(&self, rank: u32) -> u32 {
        let Range { start, end } = self.among.own;
        let own = start..self.set.count_below(rank).clamp(start, end.max(start));
        self.crossing.count(&Window { own, crossed: self.among.crossed.clone() })
    }

    pub(crate) fn contains(&self, rank: u32) -> bool {
        self.set.contains(rank) && self.order.is_in(&self.window, rank)
    }

    pub(crate) fn ranks(&self, slice: Slice) -> Vec<u32> {
        let places = self.crossing.ranks(&self.among, slice.skip, slice.take);
        let all = 0..u32::MAX;
        places.into_iter().flat_map(|place| self.set.members(&all, place, 1)).collect()
    }
}

/// How the products of a flag in one order lie across another.
pub(crate) fn flag_crossing(order: &Order, sets: (&RankSet, &RankSet)) -> Crossing {
    let mut ranks = vec![0; sets.0.len() as usize];
    let members = sets.0.members(&(0..u32::MAX), 0, usize::MAX);
    for (place, rank) in (0..).zip(members) {
        let across = order.crossed_rank(rank).map(|rank| sets.1.count_below(rank) as usize);
        if let Some(own) = across.and_then(|across| ranks.get_mut(across)) {
            *own = place;
        }
    }
    Crossing::new(ranks)
}

fn places(set: &RankSet, ranks: &Range<u32>) -> Range<u32> {
    set.count_below(ranks.start)..set.count_below(ranks.end)
}
