//! `page[number]` and `page[size]` of every list.

use crate::{PageNumber, PageRequest, PageSize, TenantSettings};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageQuery {
    pub number: PageNumber,
    /// Items per page. `None` for the tenant's default. A number above the tenant's maximum counts as the maximum.
    pub size: Option<PageSize>,
}

impl PageQuery {
    /// The page that is served.
    pub fn request(self, settings: &TenantSettings) -> PageRequest {
        let size = self.size.unwrap_or(settings.page_size_default).min(settings.page_size_max);
        PageRequest { number: self.number, size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_is_the_tenant_s_default_and_at_most_its_maximum() {
        let settings = TenantSettings {
            page_size_default: PageSize::new(7).unwrap(),
            page_size_max: PageSize::new(20).unwrap(),
            ..TenantSettings::default()
        };
        let served = |size: Option<u32>| {
            let size = size.and_then(PageSize::new);
            PageQuery { number: PageNumber::FIRST, size }.request(&settings).size.get()
        };
        assert_eq!([None, Some(1), Some(20), Some(21)].map(served), [7, 1, 20, 20]);
    }
}
