//! A row of the table of pages.

use std::pin::Pin;

use http::Method;
use pointbook_http::kernel::Response;
use pointbook_http::pages::PageError;
use pointbook_http::rate_limit::count::Counted;

use crate::visit::Visit;

/// Who may see a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visitor {
    Anyone,
    /// A member who is signed in.
    Member,
}

pub(crate) type Showing<'r> = Pin<Box<dyn Future<Output = Result<Response, PageError>> + Send + 'r>>;

/// A page of a shop. Pages that change something have POST, and get a form.
pub struct PageSpec {
    /// The name in metrics and logs.
    pub name: &'static str,
    pub method: Method,
    pub path: &'static str,
    pub visitor: Visitor,
    /// How it counts among the requests of a member.
    pub counted: Counted,
    pub(crate) show: for<'v> fn(&'v Visit<'_>) -> Showing<'v>,
}
