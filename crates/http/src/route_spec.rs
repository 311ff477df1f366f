//! The row of an operation in the table.

use std::pin::Pin;

pub use http::Method;
use pointbook_domain::Scope;

use crate::api_request::ApiRequest;
use crate::describe::Operation;
use crate::error::ApiError;
use crate::kernel::{BodyLimit, Response};
use crate::rate_limit::count::Counted;

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
    /// The documentation of the operation.
    pub documentation: Documentation,
    /// Reads the request, calls one use case, and renders the response.
    pub handler: for<'r> fn(ApiRequest<'r>) -> Handling<'r>,
}

impl RouteSpec {
    /// How it counts for the rate limit. The back office is not counted, because an import would use up the limit. A customer who reached
    /// the limit can still sign out, which any token may: a token does it once.
    pub fn counted(&self) -> Counted {
        match self.caller {
            Caller::Key(_) | Caller::KeyOfBoth(_) | Caller::Anyone => Counted::Never,
            Caller::Customer if self.method == Method::GET => Counted::Read,
            Caller::Customer => Counted::Write,
        }
    }
}

/// Declares an operation: its name, method and path, its callers, its handler and its documentation. The body has the ordinary limit,
/// unless another one is given last.
///
/// ```text
/// route!("manage.keys.list", GET "/v1/manage/keys", Caller::Key(Scope::KeysWrite), list::list, list::documentation)
/// ```
#[macro_export]
macro_rules! route {
    ($name:literal, $method:ident $path:expr, $caller:expr, $handler:path, $documentation:path) => {
        $crate::route!(
            $name, $method $path, $caller, $handler, $documentation, $crate::kernel::BodyLimit::Ordinary
        )
    };
    ($name:literal, $method:ident $path:expr, $caller:expr, $handler:path, $documentation:path, $body:expr) => {
        $crate::RouteSpec {
            name: $name,
            method: $crate::Method::$method,
            path: $path,
            caller: $caller,
            body: $body,
            documentation: $documentation,
            handler: |request| Box::pin($handler(request)),
        }
    };
}

/// Makes the documentation of an operation, in the operation's file.
type Documentation = fn() -> Operation;

/// A handler at work.
type Handling<'r> = Pin<Box<dyn Future<Output = Result<Response, ApiError>> + Send + 'r>>;
