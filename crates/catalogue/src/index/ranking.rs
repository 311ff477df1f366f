//! A total order of some products: number to rank and back.

use crate::index::numbers::narrow;

/// The rank of a product that the order lacks.
const UNRANKED: u32 = u32::MAX;

/// Product numbers by rank, counted from 0, and ranks by number.
#[derive(Debug)]
pub(crate) struct Ranking {
    numbers: Vec<u32>,
    ranks: Vec<u32>,
}

impl Ranking {
    /// Takes some of `product_count` products in order.
    pub(crate) fn new(numbers: Vec<u32>, product_count: usize) -> Self {
        let mut ranks = vec![UNRANKED; product_count];
        for (rank, &number) in (0..).zip(&numbers) {
            if let Some(place) = ranks.get_mut(number as usize) {
                *place = rank;
            }
        }
        Self { numbers, ranks }
    }

    /// How many products the order has; ranks are below.
    pub(crate) fn len(&self) -> u32 {
        narrow(self.numbers.len())
    }

    pub(crate) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    pub(crate) fn number_at(&self, rank: u32) -> Option<u32> {
        self.numbers.get(rank as usize).copied()
    }

    pub(crate) fn rank_of(&self, number: u32) -> Option<u32> {
        self.ranks.get(number as usize).copied().filter(|&rank| rank != UNRANKED)
    }

    /// For each rank here, the rank of the same product in another order of the same products.
    pub(crate) fn ranks_in(&self, other: &Self) -> Vec<u32> {
        self.numbers.iter().map(|&number| other.rank_of(number).unwrap_or(UNRANKED)).collect()
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        (self.numbers.capacity() + self.ranks.capacity()) * size_of::<u32>()
    }
}
