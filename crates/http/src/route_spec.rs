//! The row of an operation in the table.

use std::pin::Pin;

use http::Method;
use pointbook_domain::Scope;

use crate::api_request::ApiRequest;
use crate::describe::Operation;
use crate::error::ApiError;
use crate::kernel::{BodyLimit, Response};
use crate::rate_limit::count::Counted;
use crate::state::HttpState;

/// Who may call an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A customer. The back office gets 401, like everyone else.
    Customer,
    /// A key of the back office with this scope. A key without it and a customer get 403, everyone else 401.
    Key(Scope),
    /// The same with two scopes: the operation shows or sends what the second one guards.
    KeyOfBoth([Scope; 2]),
    /// Any good token.
    Anyone,
}

impl Caller {
    /// Whether the operation is one of the back office.
    pub fn is_key(&self) -> bool {
        !self.scopes().is_empty()
    }

    /// The scopes that a key needs.
    pub fn scopes(&self) -> &[Scope] {
        match self {
            Self::Key(scope) => std::slice::from_ref(scope),
            Self::KeyOfBoth(scopes) => scopes,
            Self::Customer | Self::Anyone => &[],
        }
    }
}

/// One operation.
#[derive(Debug)]
pub struct RouteSpec {
    /// Its name in metrics, logs and tests.
    pub name: &'static str,
    /// The method. A GET also serves HEAD.
    pub method: Method,
    /// Its path below a tenant's base URL, with the names of its parameters in braces. A parameter is one segment.
    pub path: &'static str,
    /// Who may call it.
    pub caller: Caller,
    /// The limit of its body.
    pub body: BodyLimit,
    /// How it counts for the rate limit.
    pub counted: Counted,
    /// The documentation of the operation.
    pub documentation: Documentation,
    /// Reads the request, calls one use case, and renders the response.
    pub handler: Handler,
}

/// Makes the documentation of an operation, in the operation's file.
type Documentation = fn() -> Operation;

/// Calls the handler of an operation: `|_, request| Box::pin(list::list(request))`.
pub type Handler = for<'r> fn(&'r HttpState, ApiRequest<'r>) -> Handling<'r>;

/// A handler at work.
type Handling<'r> = Pin<Box<dyn Future<Output = Result<Response, ApiError>> + Send + 'r>>;
