//! Page arithmetic of the documented envelope.

use std::fmt;

/// The largest page number: the maximum of a signed 32-bit integer.
pub const MAX_PAGE_NUMBER: u32 = i32::MAX as u32;

/// A page number, from 1 to [`MAX_PAGE_NUMBER`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageNumber(u32);

impl PageNumber {
    pub const FIRST: Self = Self(1);

    /// Takes a page number. `None` outside 1 to [`MAX_PAGE_NUMBER`].
    pub fn new(number: u32) -> Option<Self> {
        (1..=MAX_PAGE_NUMBER).contains(&number).then_some(Self(number))
    }

    pub fn get(self) -> u32 {
        self.0
    }
}

/// The number of items per page, at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PageSize(u32);

impl PageSize {
    /// The documented default of `page[size]`, 15 items.
    pub const DEFAULT: Self = Self(15);

    /// Takes a size in items. `None` for 0.
    pub fn new(items: u32) -> Option<Self> {
        (items > 0).then_some(Self(items))
    }

    pub fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for PageSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The number and the size of the requested page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageRequest {
    pub number: PageNumber,
    pub size: PageSize,
}

impl PageRequest {
    pub fn offset(self) -> u64 {
        u64::from(self.number.0 - 1) * u64::from(self.size.0)
    }

    /// The position of the page among `total` items.
    pub fn window(self, total: u64) -> PageWindow {
        let (number, size) = (u64::from(self.number.0), u64::from(self.size.0));
        let last_page = total.div_ceil(size).max(1);
        let empty = self.offset() >= total;
        PageWindow {
            current_page: number,
            per_page: size,
            total,
            last_page,
            from: if empty { 0 } else { self.offset() + 1 },
            to: if empty { 0 } else { (self.offset() + size).min(total) },
        }
    }
}

/// The numbers of `meta`. An empty page has `from` and `to` 0; `last_page` is never below 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageWindow {
    /// The requested page, even beyond the last one.
    pub current_page: u64,
    pub per_page: u64,
    pub total: u64,
    /// Number of pages, at least 1.
    pub last_page: u64,
    /// The position of the first item on this page, from 1. 0 on an empty page.
    pub from: u64,
    /// The position of the last item on this page. 0 on an empty page.
    pub to: u64,
}

impl PageWindow {
    /// The page before, also of a page beyond the last one. `None` on page 1.
    pub fn prev(&self) -> Option<u64> {
        (self.current_page > 1).then(|| self.current_page - 1)
    }

    /// The next page. `None` on the last page and beyond.
    pub fn next(&self) -> Option<u64> {
        (self.current_page < self.last_page).then(|| self.current_page + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(number: u32, size: u32, total: u64) -> PageWindow {
        PageRequest { number: PageNumber::new(number).unwrap(), size: PageSize::new(size).unwrap() }
            .window(total)
    }

    #[test]
    fn a_middle_page_knows_both_neighbours() {
        let page = window(2, 15, 40);
        assert_eq!((page.from, page.to, page.last_page), (16, 30, 3));
        assert_eq!((page.prev(), page.next()), (Some(1), Some(3)));
    }

    #[test]
    fn the_last_page_may_be_short() {
        let page = window(3, 15, 40);
        assert_eq!((page.from, page.to, page.next()), (31, 40, None));
    }

    #[test]
    fn page_beyond_last_keeps_total() {
        let page = window(9, 15, 40);
        assert_eq!((page.current_page, page.from, page.to, page.total, page.last_page), (9, 0, 0, 40, 3));
        assert_eq!((page.prev(), page.next()), (Some(8), None));
    }

    #[test]
    fn no_items_make_one_empty_page() {
        let page = window(1, 15, 0);
        assert_eq!((page.from, page.to, page.last_page, page.prev(), page.next()), (0, 0, 1, None, None));
    }

    #[test]
    fn the_largest_page_of_the_largest_size_does_not_overflow() {
        let page = window(MAX_PAGE_NUMBER, u32::MAX, u64::MAX);
        assert!(page.last_page > 0);
    }
}
