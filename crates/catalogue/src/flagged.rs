//! The products of one flag, which are many, in a window of prices and times.

use std::ops::Range;

use crate::crossing::{Crossing, Window, length, narrow};
use crate::order::{Order, WALK};
use crate::rank_set::RankSet;
use crate::slice::Slice;

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
    places: Range<u32>,
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
        let places = crossing.places(&among);
        Self { order, set: sets.0, crossing, window, among, places }
    }

    pub(crate) fn count(&self) -> u32 {
        length(&self.places)
    }

    pub(crate) fn count_below(&self, rank: u32) -> u32 {
        let Range { start, end } = self.among.own;
        let rank = self.set.count_below(rank).clamp(start, end.max(start));
        self.crossing.place_of(&self.among, rank) - self.places.start
    }

    pub(crate) fn contains(&self, rank: u32) -> bool {
        self.set.contains(rank) && self.order.is_in(&self.window, rank)
    }

    /// As [`Order::ranks_at`] finds them.
    pub(crate) fn ranks(&self, slice: Slice) -> Vec<u32> {
        let places = slice.of(&self.places);
        let mut ranks = Vec::with_capacity(places.len());
        let Some(first) = self.crossing.rank_at(&self.among, places.start) else { return ranks };
        let last = first.saturating_add(length(&places).saturating_mul(WALK)).min(self.among.own.end);
        let mut near = first..last;
        self.set.visit(first, |rank| {
            if near.next().is_some() && self.order.is_across(&self.window.crossed, rank) {
                ranks.push(rank);
            }
            near.is_empty() || ranks.len() == places.len()
        });
        let far = places.end - (length(&places) - narrow(ranks.len()))..places.end;
        let far = self.crossing.ranks_at(&self.among, far).into_iter();
        ranks.extend(far.flat_map(|place| self.set.members(&(0..u32::MAX), place, 1)));
        ranks
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
