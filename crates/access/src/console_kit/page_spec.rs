//! A row of the table of pages.

use std::pin::Pin;

use pointbook_domain::{Role, Scope};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{FormLimits, PageError};

use crate::console_kit::navigation::CountOf;
use crate::console_kit::visit::Visit;

/// A form without files. It may have the description of a product, or a page of orders.
pub const FORM: FormLimits =
    FormLimits { bytes: 512 * 1024, fields: 1_000, files: 0, too_large: FormLimits::TOO_LARGE };

/// The path that all pages of a tenant begin with.
pub const ROOT: &str = "/console/{tenant}";

/// Who may see a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Anyone,
    /// Every operator who is signed in.
    Operator,
    /// Operators whose role has the scope.
    Scope(Scope),
    /// Operators whose role has both scopes.
    Both(Scope, Scope),
    /// Owners. What they do here, no key can do: the command line can.
    Owner,
}

impl Access {
    /// Whether an operator with this role may see the page.
    pub fn admits(self, role: Role) -> bool {
        match self {
            Self::Anyone | Self::Operator => true,
            Self::Scope(scope) => role.has(scope),
            Self::Both(one, other) => role.has(one) && role.has(other),
            Self::Owner => role == Role::Owner,
        }
    }
}

pub type Showing<'r> = Pin<Box<dyn Future<Output = Result<Response, PageError>> + Send + 'r>>;

/// A page of the console. Pages that change something have POST, and get a form.
pub struct PageSpec {
    /// The name in metrics and logs.
    pub name: &'static str,
    pub method: Method,
    pub path: &'static str,
    pub access: Access,
    /// The management operations that show or do the same, by their names in metrics. Empty when only the command line can.
    pub operations: &'static [&'static str],
    /// The largest form that it reads. A page that takes files has a larger one than [`FORM`].
    pub form: FormLimits,
    /// Whether it needs a sign-in of the last minutes, where an issuer signs in.
    pub asks_again: bool,
    /// What the navigation says beside the section whose page this is.
    pub count: Option<CountOf>,
    pub show: for<'v> fn(&'v Visit<'_>) -> Showing<'v>,
}

impl PageSpec {
    /// A page whose change gives or takes rights: a stolen session alone must not be enough for it.
    #[must_use]
    pub const fn asking_again(mut self) -> Self {
        self.asks_again = true;
        self
    }

    /// The page of a section whose things are counted in the navigation.
    #[must_use]
    pub const fn counting(mut self, count: CountOf) -> Self {
        self.count = Some(count);
        self
    }
}

/// A row of a table of pages. The last argument may be left out: the limits of its form, when it takes files.
#[macro_export]
macro_rules! page {
    ($name:literal, $method:ident $path:literal, $access:expr, [$($operation:literal),*], $show:path) => {
        $crate::page!($name, $method $path, $access, [$($operation),*], $show, $crate::console_kit::page_spec::FORM)
    };
    ($name:literal, $method:ident $path:literal, $access:expr, [$($operation:literal),*], $show:path, $form:expr) => {
        $crate::console_kit::page_spec::PageSpec {
            name: $name,
            method: $crate::console_kit::page_spec::Method::$method,
            path: concat!("/console/{tenant}", $path),
            access: $access,
            operations: &[$($operation),*],
            form: $form,
            asks_again: false,
            count: None,
            show: |visit| Box::pin($show(visit)),
        }
    };
}

pub use http::Method;

pub use crate::page;
