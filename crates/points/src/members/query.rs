//! The parameters of lists of members, and of their point history.

use pointbook_domain::{PageNumber, PageQuery};
use pointbook_http::describe::{Parameter, Schema};
use pointbook_http::query::Fields;
use pointbook_store::ports::UserFilter;

/// The users that the back office asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserListQuery {
    pub page: PageQuery,
    pub filter: UserFilter,
}

/// `GET /v1/manage/users`.
pub fn user_list(fields: &mut Fields<'_>) -> UserListQuery {
    let search = "A part of the id. The case of letters does not matter.";
    let disabled = "`true` for disabled users only, `false` for enabled users only.";
    let page = fields.page();
    let filter = fields.filter(|filter| UserFilter {
        search: filter.text("search", search).map(str::to_owned),
        disabled: filter.flag("disabled", disabled),
    });
    UserListQuery { page, filter }
}

/// `GET /v1/user/point-history`. A request cannot choose the page size, so `page[size]` is not read.
pub fn point_history(fields: &mut Fields<'_>) -> PageNumber {
    fields.page_number()
}

/// The parameters of `GET /v1/user/point-history`, with its header, for the OpenAPI document.
pub fn point_history_parameters() -> [Parameter; 2] {
    const LANGUAGE: &str = "The preferred languages of the display texts. Without a match, the texts are in the \
                            language of the tenant.";
    let language = Parameter::header("Accept-Language", Schema::text(), LANGUAGE);
    [Parameter::Shared("PageNumber"), language]
}

#[cfg(test)]
mod tests;
