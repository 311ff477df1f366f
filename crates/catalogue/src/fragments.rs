//! The rendered JSON of many products: an arena of large blocks instead of an allocation for each.

use std::ops::Range;

use bytes::Bytes;

/// How large a block gets before the next one begins. One that holds a longer text is as long as that.
const BLOCK_BYTES: usize = 1 << 20;

/// A block of less is small: one of each change.
const SMALL_BLOCK_BYTES: usize = BLOCK_BYTES / 16;

/// So many of them may be in an arena: each costs an allocation, and a look at it with each change. Joined, they
/// are small no more, or seldom enough, so that little is copied twice.
const MAX_SMALL_BLOCKS: usize = 64;

/// The rendered JSON of one product, as it stands in a list and alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fragment<'s> {
    pub json: &'s [u8],
    /// The hash of the JSON under the tenant's key, made when it was rendered: what is made of fragments need not be
    /// read again to be told apart.
    pub hash: u128,
}

impl Fragment<'_> {
    /// Nothing, for a product that is taken out.
    pub(crate) const NONE: Self = Self { json: b"", hash: 0 };
}

/// Fragments by number. Blocks are shared with other arenas and never written again.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fragments {
    blocks: Vec<Bytes>,
    /// What is written before it becomes a block.
    open: Vec<u8>,
    places: Vec<Place>,
}

/// Where a fragment stands, in `open` when there is no such block yet; beside it its hash, because whoever reads the
/// one reads the other.
#[derive(Debug, Clone, Copy)]
struct Place {
    block: u32,
    start: u32,
    length: u32,
    hash: u128,
}

impl Place {
    fn range(self) -> Range<usize> {
        let start = self.start as usize;
        start..start + self.length as usize
    }
}

impl Fragments {
    pub(crate) fn get(&self, number: u32) -> Option<Fragment<'_>> {
        let place = *self.places.get(number as usize)?;
        let block = self.blocks.get(place.block as usize).map_or(&*self.open, |block| block);
        Some(Fragment { json: block.get(place.range())?, hash: place.hash })
    }

    pub(crate) fn push(&mut self, fragment: Fragment<'_>) {
        let place = self.write(fragment.json, fragment.hash);
        self.places.push(place);
    }

    fn write(&mut self, json: &[u8], hash: u128) -> Place {
        if !self.open.is_empty() && self.open.len() + json.len() > BLOCK_BYTES {
            self.close();
            self.open.reserve_exact(BLOCK_BYTES.max(json.len()));
        }
        // Lengths and counts of what a product may hold are far below 32 bits.
        let narrow = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
        let place = Place {
            block: narrow(self.blocks.len()),
            start: narrow(self.open.len()),
            length: narrow(json.len()),
            hash,
        };
        self.open.extend_from_slice(json);
        place
    }

    /// Makes a block of what was written, so that it can be shared.
    pub(crate) fn close(&mut self) {
        if !self.open.is_empty() {
            let mut block = std::mem::take(&mut self.open);
            block.shrink_to_fit();
            self.blocks.push(Bytes::from(block));
        }
    }

    /// Shares the blocks of another arena, which has to be closed, as this one; gives what
    /// [`Self::extend`] needs to know.
    pub(crate) fn adopt(&mut self, other: &Self) -> Adopted {
        let adopted = Adopted(u32::try_from(self.blocks.len()).unwrap_or(u32::MAX));
        self.blocks.extend_from_slice(&other.blocks);
        adopted
    }

    /// Appends these fragments of an arena that was adopted.
    pub(crate) fn extend(&mut self, other: &Self, adopted: Adopted, range: Range<usize>) {
        let moved = |place: &Place| Place { block: place.block + adopted.0, ..*place };
        self.places.extend(other.places.get(range).unwrap_or_default().iter().map(moved));
    }

    /// Appends a copy of one fragment of another arena.
    pub(crate) fn push_copy(&mut self, other: &Self, number: u32) {
        if let Some(fragment) = other.get(number) {
            self.push(fragment);
        }
    }

    /// Lets go of blocks that nothing is in, and copies what is left of those that hold little, so
    /// that at most half of the arena is unused. Joins small blocks when they are many.
    pub(crate) fn tidy(&mut self) {
        let used = self.used_bytes();
        let is_small = |block: &Bytes| block.len() < SMALL_BLOCK_BYTES;
        let are_many = self.blocks.iter().filter(|block| is_small(block)).count() > MAX_SMALL_BLOCKS;
        let is_kept =
            |(block, &used): (&Bytes, &usize)| used * 2 >= block.len() && !(are_many && is_small(block));
        let is_kept: Vec<bool> = self.blocks.iter().zip(&used).map(is_kept).collect();
        if is_kept.iter().all(|&kept| kept) {
            return;
        }
        let old = std::mem::take(self);
        let kept = old.blocks.iter().zip(&is_kept).filter(|(_, kept)| **kept);
        self.blocks = kept.map(|(block, _)| block.clone()).collect();
        self.places = old.places;
        let new_numbers = running_count(&is_kept);
        let mut scattered = Vec::new();
        for (number, place) in self.places.iter_mut().enumerate() {
            match new_numbers.get(place.block as usize) {
                Some(&Some(block)) => place.block = block,
                _ => scattered.push(number),
            }
        }
        self.rewrite(&scattered, &old.blocks);
    }

    /// Copies fragments out of blocks that are let go.
    fn rewrite(&mut self, numbers: &[usize], old_blocks: &[Bytes]) {
        for &number in numbers {
            let Some(&place) = self.places.get(number) else { continue };
            let json = old_blocks.get(place.block as usize).and_then(|block| block.get(place.range()));
            let written = self.write(json.unwrap_or_default(), place.hash);
            if let Some(place) = self.places.get_mut(number) {
                *place = written;
            }
        }
        self.close();
    }

    /// For each block, how many bytes of it are still a fragment.
    fn used_bytes(&self) -> Vec<usize> {
        let mut used = vec![0; self.blocks.len()];
        for place in &self.places {
            if let Some(used) = used.get_mut(place.block as usize) {
                *used += place.length as usize;
            }
        }
        used
    }

    pub(crate) fn reserve_for(&mut self, one: &Self, other: &Self) {
        self.places.reserve_exact(one.places.len() + other.places.len());
    }

    /// The JSON of all fragments, in bytes.
    pub(crate) fn rendered_bytes(&self) -> usize {
        self.places.iter().map(|place| place.length as usize).sum()
    }

    /// What it holds in memory, in bytes.
    pub(crate) fn memory_bytes(&self) -> usize {
        let blocks: usize = self.blocks.iter().map(|block| block.len() + size_of::<Bytes>()).sum();
        let places = self.places.capacity() * size_of::<Place>();
        blocks + self.open.capacity() + places
    }
}

/// What the blocks of an adopted arena are counted from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Adopted(u32);

/// The place of each one that is kept among those that are.
fn running_count(is_kept: &[bool]) -> Vec<Option<u32>> {
    let mut next = 0;
    let number = |&kept: &bool| {
        kept.then(|| {
            next += 1;
            next - 1
        })
    };
    is_kept.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arena(texts: &[&[u8]]) -> Fragments {
        let mut fragments = Fragments::default();
        for text in texts {
            fragments.push(Fragment { json: text, hash: text.len() as u128 });
        }
        fragments
    }

    fn texts(fragments: &Fragments) -> Vec<&[u8]> {
        (0..).map_while(|number| fragments.get(number)).map(|fragment| fragment.json).collect()
    }

    #[test]
    fn fragments_are_found_before_and_after_their_block_is_closed() {
        let long = vec![b'x'; BLOCK_BYTES];
        let mut fragments = arena(&[b"a", &long, b"", b"b"]);
        for _ in 0..2 {
            assert_eq!(texts(&fragments), [b"a", &*long, b"", b"b"]);
            fragments.close();
        }
        assert_eq!(fragments.blocks.len(), 3);
        assert_eq!(fragments.rendered_bytes(), BLOCK_BYTES + 2);
        assert_eq!(fragments.get(3).map(|fragment| fragment.hash), Some(1));
    }

    #[test]
    fn an_adopted_arena_is_shared_not_copied() {
        let mut old = arena(&[b"a", b"b", b"c"]);
        old.close();
        let mut new = arena(&[b"d"]);
        new.close();
        let adopted = new.adopt(&old);
        new.extend(&old, adopted, 1..3);
        assert_eq!(texts(&new), [b"d", b"b", b"c"]);
        let address = |fragments: &Fragments, number| fragments.get(number).unwrap().json.as_ptr();
        assert_eq!(address(&new, 1), address(&old, 1));
    }

    #[test]
    fn a_block_of_which_little_is_used_is_let_go() {
        let mut old = arena(&[b"aaaa", b"bb"]);
        old.close();
        let mut new = Fragments::default();
        let adopted = new.adopt(&old);
        new.extend(&old, adopted, 1..2);
        let unused = new.adopt(&old);
        new.extend(&old, unused, 0..0);
        new.tidy();
        assert_eq!((texts(&new), new.blocks.len()), (vec![&b"bb"[..]], 1));
        assert_eq!(new.blocks[0].len(), 2);
    }

    #[test]
    fn small_blocks_are_joined_when_they_are_many() {
        let mut all = arena(&[&vec![b'x'; SMALL_BLOCK_BYTES]]);
        all.close();
        let large = all.blocks[0].as_ptr();
        for number in 0..1_000_u32 {
            let mut one = arena(&[&number.to_le_bytes()]);
            one.close();
            let adopted = all.adopt(&one);
            all.extend(&one, adopted, 0..1);
            all.tidy();
            assert!(all.blocks.len() <= 1 + MAX_SMALL_BLOCKS);
        }
        assert_eq!(all.blocks[0].as_ptr(), large, "what is large stays where it is");
        let numbers: Vec<_> = (0..1_000_u32).map(u32::to_le_bytes).collect();
        assert_eq!(texts(&all)[1..], numbers);
    }
}
