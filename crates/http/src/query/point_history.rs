//! The parameters of `GET /v1/user/point-history`.

use pointbook_describe::{Parameter, Schema};
use pointbook_domain::PageNumber;

use super::QueryString;
use super::fields::Fields;
use super::page::page_number;
use crate::error::FieldErrors;

/// Reads `page[number]`. The page size is not selectable, so `page[size]` is not even looked at.
///
/// # Errors
/// [`FieldErrors`] when it is no page number.
pub fn point_history_query(query: &QueryString<'_>) -> Result<PageNumber, FieldErrors> {
    let mut fields = Fields::default();
    let page = fields.members(query.get("page"), "page");
    let number = page_number(&mut fields, page);
    fields.finish(number)
}

/// What the description says of them.
pub(crate) fn point_history_parameters() -> [Parameter; 2] {
    let language = Parameter::header("Accept-Language", Schema::text(), LANGUAGE);
    [Parameter::Shared("PageNumber"), language]
}

const LANGUAGE: &str = "The languages that display texts are wanted in. Without one that the tenant has, they come in the \
                        tenant's.";

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> Result<u32, FieldErrors> {
        point_history_query(&QueryString::parse(Some(raw)).unwrap()).map(PageNumber::get)
    }

    #[test]
    fn only_the_page_number_is_read() {
        assert_eq!(read("page[size]=x&filter=y&sort=z"), Ok(1));
        assert_eq!(read("page[number]=7"), Ok(7));
        assert!(read("page[number]=x").is_err());
        assert!(read("page=2").is_err());
    }
}
