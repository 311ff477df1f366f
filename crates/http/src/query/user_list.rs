//! The parameters of `GET /v1/manage/users`.

use pointbook_app::PageQuery;
use pointbook_app::ports::UserFilter;
use pointbook_describe::{Parameter, Schema};

use super::QueryString;
use super::fields::{Fields, text_schema};
use super::page::page_query;
use crate::error::FieldErrors;
use crate::openapi::page_parameters;

/// Which of all users are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserListQuery {
    pub page: PageQuery,
    /// What to leave out.
    pub filter: UserFilter,
}

/// Reads page and filters.
///
/// # Errors
/// [`FieldErrors`] with every field that is refused, in the documented order.
pub fn user_list_query(query: &QueryString<'_>) -> Result<UserListQuery, FieldErrors> {
    let mut fields = Fields::default();
    let page = page_query(&mut fields, query);
    let filter = fields.members(query.get("filter"), "filter");
    let search = fields.text(filter.get("search"), "filter.search").map(str::to_owned);
    let given = filter.get("disabled");
    let disabled = fields.flag(given, "filter.disabled");
    fields.only_filters(filter, &["search", "disabled"]);
    fields.finish(UserListQuery { page, filter: UserFilter { search, disabled: given.map(|_| disabled) } })
}

/// What the description says of them.
pub(crate) fn user_list_parameters() -> Vec<Parameter> {
    let mut parameters = page_parameters();
    parameters.extend([
        Parameter::query(
            "filter[search]",
            text_schema(),
            "A part of the id, whatever the case of ASCII letters.",
        ),
        Parameter::query(
            "filter[disabled]",
            Schema::boolean(),
            "`true` for the disabled alone, `false` for the others alone.",
        ),
    ]);
    parameters
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(raw: &str) -> Result<UserFilter, String> {
        let read = user_list_query(&QueryString::parse(Some(raw)).unwrap());
        read.map(|query| query.filter).map_err(|errors| serde_json::to_string(&errors).unwrap())
    }

    #[test]
    fn a_flag_that_is_given_narrows_either_way() {
        let disabled = |raw| read(raw).unwrap().disabled;
        assert_eq!(disabled(""), None);
        assert_eq!(disabled("filter[disabled]="), None);
        assert_eq!(disabled("filter[disabled]=0"), Some(false));
        assert_eq!(disabled("filter[disabled]=TRUE"), Some(true));
    }

    #[test]
    fn every_bad_field_is_reported_at_once_and_in_order() {
        assert_eq!(read("filter[search]=+a,%25+").unwrap().search.as_deref(), Some("a,%"));
        assert_eq!(
            read("filter[x]=1&filter[disabled]=no&filter[search][]=a").unwrap_err(),
            r#"{"filter.search":["The filter.search must be a string."],"filter.disabled":["The filter.disabled field must be true or false."],"filter.x":["The selected filter.x is invalid."]}"#
        );
    }
}
