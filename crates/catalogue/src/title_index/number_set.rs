//! The product numbers that a search finds.

use super::bits::Bits;
use crate::gallop;

/// Up to so many numbers are kept and sorted as a list, whatever the number of products.
const FEW: usize = 8;

/// A list is better than bits when at most one of so many products is in it: it is sorted while the
/// bits of all products are cleared and read.
const PRODUCTS_PER_LISTED: usize = 1024;

/// Whether so many numbers of so many products are better sorted than put into bits.
pub(super) fn is_few(count: usize, product_count: usize) -> bool {
    count <= FEW.max(product_count / PRODUCTS_PER_LISTED)
}

/// Product numbers in the cheaper of two shapes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NumberSet {
    /// Ascending, each once.
    List(Vec<u32>),
    /// A bit for each product.
    Bits(Bits),
}

impl Default for NumberSet {
    fn default() -> Self {
        Self::List(Vec::new())
    }
}

impl NumberSet {
    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::List(numbers) => numbers.len(),
            Self::Bits(bits) => bits.len(),
        }
    }

    /// Gives all numbers, ascending.
    pub(crate) fn for_each(&self, take: impl FnMut(u32)) {
        match self {
            Self::List(numbers) => numbers.iter().copied().for_each(take),
            Self::Bits(bits) => bits.for_each(take),
        }
    }

    /// The ranks of the products in an order that gives ranks by number. Products that it lacks have
    /// ranks from `rank_count` on and are left out. Many ranks are put into bits, few are sorted.
    pub(crate) fn ranks(&self, ranks_by_number: &[u32], rank_count: u32) -> Self {
        let rank_of = |number: u32| ranks_by_number.get(number as usize).copied();
        let rank_of = |number| rank_of(number).filter(|&rank| rank < rank_count);
        if self.is_few(rank_count as usize) {
            let mut ranks = Vec::new();
            self.for_each(|number| ranks.extend(rank_of(number)));
            ranks.sort_unstable();
            return Self::List(ranks);
        }
        let mut ranks = Bits::new(rank_count as usize);
        self.for_each(|number| {
            if let Some(rank) = rank_of(number) {
                ranks.insert(rank);
            }
        });
        Self::Bits(ranks)
    }

    pub(super) fn is_few(&self, product_count: usize) -> bool {
        matches!(self, Self::List(numbers) if is_few(numbers.len(), product_count))
    }

    /// What one of both has.
    pub(super) fn union(self, other: Self, product_count: usize) -> Self {
        match (self, other) {
            (Self::Bits(mut bits), Self::Bits(other)) => {
                bits.insert_all(&other);
                Self::Bits(bits)
            }
            (Self::Bits(mut bits), Self::List(numbers)) | (Self::List(numbers), Self::Bits(mut bits)) => {
                for number in numbers {
                    bits.insert(number);
                }
                Self::Bits(bits)
            }
            (Self::List(one), Self::List(other)) => {
                Self::from_lists([one.as_slice(), &other].into_iter(), product_count)
            }
        }
    }

    /// What lists that ascend have together.
    pub(super) fn from_lists<'l>(
        lists: impl Iterator<Item = &'l [u32]> + Clone,
        product_count: usize,
    ) -> Self {
        let count = lists.clone().map(<[u32]>::len).sum();
        let is_sorted = lists.clone().filter(|list| !list.is_empty()).nth(1).is_none();
        if is_sorted || is_few(count, product_count) {
            let mut numbers = Vec::with_capacity(count);
            lists.for_each(|list| numbers.extend_from_slice(list));
            numbers.sort_unstable();
            numbers.dedup();
            return Self::List(numbers);
        }
        let mut bits = Bits::new(product_count);
        for &number in lists.flatten() {
            bits.insert(number);
        }
        Self::Bits(bits)
    }

    /// What both have.
    pub(super) fn intersection(self, other: &Self) -> Self {
        match (self, other) {
            (Self::Bits(mut bits), Self::Bits(other)) => {
                bits.retain_all(other);
                Self::Bits(bits)
            }
            (Self::Bits(bits), Self::List(numbers)) => {
                Self::List(numbers.iter().copied().filter(|&number| bits.contains(number)).collect())
            }
            (Self::List(mut numbers), Self::Bits(other)) => {
                numbers.retain(|&number| other.contains(number));
                Self::List(numbers)
            }
            (Self::List(mut numbers), Self::List(other)) => {
                let mut next = 0;
                numbers.retain(|number| {
                    next = gallop::partition_point(next..other.len(), |place| other[place] < *number);
                    other.get(next) == Some(number)
                });
                Self::List(numbers)
            }
        }
    }

    /// Those that a rule keeps.
    pub(super) fn filtered(&self, is_kept: impl Fn(u32) -> bool) -> Self {
        let mut kept = Vec::new();
        self.for_each(|number| kept.extend(is_kept(number).then_some(number)));
        Self::List(kept)
    }
}
