//! `page[number]` and `page[size]`, the same for every list.

use pointbook_app::PageQuery;
use pointbook_domain::page::MAX_PAGE_NUMBER;
use pointbook_domain::{PageNumber, PageSize};

use super::QueryString;
use super::fields::Fields;
use super::members::Members;

/// Reads both; they come first among the errors of a list.
pub(super) fn page_query(fields: &mut Fields, query: &QueryString<'_>) -> PageQuery {
    let page = fields.members(query.get("page"), "page");
    let number = page_number(fields, page);
    PageQuery { number, size: page_size(fields, page) }
}

/// `page[number]`: 1 to 2,147,483,647, by default 1.
pub(super) fn page_number(fields: &mut Fields, page: Members<'_>) -> PageNumber {
    let number = fields.integer(page.get("number"), "page.number", 1..=i64::from(MAX_PAGE_NUMBER));
    let number = number.and_then(|number| u32::try_from(number).ok());
    number.and_then(PageNumber::new).unwrap_or(PageNumber::FIRST)
}

/// `page[size]`: at least 1; what is above the tenant's maximum is served as the maximum.
fn page_size(fields: &mut Fields, page: Members<'_>) -> Option<PageSize> {
    let size = fields.integer(page.get("size"), "page.size", 1..=i64::MAX)?;
    PageSize::new(u32::try_from(size).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::FieldErrors;

    fn read(raw: &str) -> Result<PageQuery, FieldErrors> {
        let query = QueryString::parse(Some(raw))?;
        let mut fields = Fields::default();
        let page = page_query(&mut fields, &query);
        fields.finish(page)
    }

    fn refused(raw: &str) -> String {
        serde_json::to_string(&read(raw).unwrap_err()).unwrap()
    }

    #[test]
    fn a_page_number_is_a_positive_integer() {
        for (given, message) in [
            ("0", "The page.number must be at least 1."),
            ("-1", "The page.number must be at least 1."),
            ("1.0", "The page.number must be an integer."),
            ("99999999999999999999", "The page.number must not be greater than 2147483647."),
        ] {
            let raw = format!("page[number]={given}");
            assert_eq!(refused(&raw), format!(r#"{{"page.number":["{message}"]}}"#));
        }
        assert_eq!(read("page[number]=2147483647").unwrap().number.get(), 2_147_483_647);
    }

    #[test]
    fn a_page_size_may_be_any_number_from_1() {
        assert_eq!(read("page[size]=99999999999999999999").unwrap().size, PageSize::new(u32::MAX));
        assert_eq!(refused("page[size]=0"), r#"{"page.size":["The page.size must be at least 1."]}"#);
        assert_eq!(refused("page[size][]=7"), r#"{"page.size":["The page.size must be an integer."]}"#);
    }

    #[test]
    fn a_page_has_members_of_which_others_are_ignored() {
        assert_eq!(refused("page=2"), r#"{"page":["The page must be an array."]}"#);
        let first = PageQuery { number: PageNumber::FIRST, size: None };
        assert_eq!(read("page=&page[foo]=x&page[]=1").unwrap(), first);
    }
}
