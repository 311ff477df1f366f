//! What the HTML pages of shop and console share: documents and responses, forms, cookies, texts in all shipped languages,
//! numbers and dates.

mod cookie;
mod document;
mod figures;
mod form;
mod multipart;
mod page;
mod pager;
mod path_table;
mod tenant;
mod visible;
mod words;

pub use cookie::{SessionCookie, is_from_here};
pub use document::{document, document_with, error_outside, error_page, message};
pub use figures::{clock_time, date, moment, moment_text, number, percent, points, short_date, signed};
pub use form::{Form, FormLimits, TOKEN_FIELD, form_token};
pub use multipart::FormFile;
pub use page::{PageError, html_in, see_other};
pub use pager::pager;
pub use path_table::PathTable;
pub use tenant::find_at_host;
pub use visible::{spelt, visible};
pub use words::{Languages, Source, Words, languages, text_faults};
