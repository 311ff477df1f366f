//! The operations by method and path.

use std::borrow::Cow;
use std::collections::HashMap;

use http::Method;
use matchit::InsertError;

use crate::error::ErrorShape;
use crate::route_spec::RouteSpec;

/// The methods and their texts in `Allow`, in this order.
const METHODS: [(Method, &str); 5] = [
    (Method::GET, "GET, HEAD"),
    (Method::POST, "POST"),
    (Method::PUT, "PUT"),
    (Method::PATCH, "PATCH"),
    (Method::DELETE, "DELETE"),
];

/// Finds the operation of a request.
pub struct RouteTable {
    /// A tree for each method. In a common tree, the path of `POST /v1/manage/products/import` would hide the product with the
    /// id `import` from all other methods.
    by_method: [(Method, matchit::Router<&'static RouteSpec>); METHODS.len()],
    /// The paths of all methods.
    paths: matchit::Router<KnownPath>,
    /// The names of the documented reads.
    documented: Vec<&'static str>,
}

/// The response to a method that the path does not have.
#[derive(Clone)]
pub struct KnownPath {
    /// The name of the path's last operation, for metrics and logs.
    pub name: &'static str,
    /// The value of `Allow`.
    pub allow: Cow<'static, str>,
}

impl RouteTable {
    /// # Errors
    /// When two operations match the same request.
    pub fn new(routes: impl Iterator<Item = &'static RouteSpec> + Clone) -> Result<Self, InsertError> {
        let mut by_method = METHODS.map(|(method, _)| (method, matchit::Router::new()));
        for route in routes.clone() {
            for (_, tree) in by_method.iter_mut().filter(|(method, _)| *method == route.method) {
                insert(tree, route.path, &route)?;
            }
        }
        let is_documented = |route: &&RouteSpec| (route.documentation)().is_documented;
        let documented = routes.clone().filter(is_documented).map(|route| route.name).collect();
        let mut table = Self { by_method, paths: matchit::Router::new(), documented };
        let names: HashMap<_, _> = routes.map(|route| (route.path, route.name)).collect();
        for (path, name) in names {
            let known = KnownPath { name, allow: table.allow(path) };
            insert(&mut table.paths, path, &known)?;
        }
        Ok(table)
    }

    /// The operation of a method at a path.
    pub fn find(&self, method: &Method, path: &str) -> Option<&'static RouteSpec> {
        let (_, tree) = self.by_method.iter().find(|(of_tree, _)| of_tree == method)?;
        tree.at(path).ok().map(|found| *found.value)
    }

    /// Which members the errors of an operation have.
    pub fn error_shape(&self, route: &RouteSpec) -> ErrorShape {
        if self.documented.contains(&route.name) { ErrorShape::Documented } else { ErrorShape::WithCode }
    }

    /// The known path, for a method that it does not have.
    pub fn known_path(&self, path: &str) -> Option<&KnownPath> {
        self.paths.at(path).ok().map(|found| found.value)
    }

    fn allow(&self, path: &str) -> Cow<'static, str> {
        let names: Vec<_> = METHODS
            .into_iter()
            .filter(|(method, _)| self.find(method, path).is_some())
            .map(|(_, names)| names)
            .collect();
        names.join(", ").into()
    }
}

/// Adds a path in all its spellings.
fn insert<T: Clone>(tree: &mut matchit::Router<T>, path: &str, value: &T) -> Result<(), InsertError> {
    spellings(path).into_iter().try_for_each(|spelling| tree.insert(spelling, value.clone()))
}

/// The path, and the same path with empty parameters in the middle. A parameter of matchit is never empty, but
/// `/v1/manage/users//tokens` names a user with a bad id, and not another path.
fn spellings(path: &str) -> Vec<String> {
    let mut spellings = vec![String::new()];
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let may_be_empty = segment.starts_with('{') && segments.peek().is_some();
        let choices = if may_be_empty { vec![segment, ""] } else { vec![segment] };
        let longer = |spelling: &String| {
            choices.iter().map(move |choice| format!("{spelling}/{choice}")).collect::<Vec<_>>()
        };
        spellings = spellings.iter().flat_map(longer).collect();
    }
    spellings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::Operation;
    use crate::documentation::Tag;
    use crate::error::ApiError;
    use crate::kernel::BodyLimit;
    use crate::path_params::PathParams;
    use crate::route_spec::Caller;

    const fn thing(name: &'static str, method: Method, path: &'static str) -> RouteSpec {
        RouteSpec {
            name,
            method,
            path,
            caller: Caller::Anyone,
            body: BodyLimit::Ordinary,
            documentation: || Operation::ours("things", Tag::Store, "Things"),
            handler: |_| Box::pin(std::future::ready(Err(ApiError::NotFound))),
        }
    }

    static NESTED: [RouteSpec; 5] = [
        thing("show", Method::GET, "/v1/things/{thingId}"),
        thing("put", Method::PUT, "/v1/things/{thingId}"),
        thing("import", Method::POST, "/v1/things/import"),
        thing("part", Method::GET, "/v1/things/{thingId}/parts/{partId}"),
        thing("reverse", Method::POST, "/v1/things/{thingId}/parts/{partId}/reverse"),
    ];

    /// The name of the found operation, with its two parameters.
    fn found(method: &Method, path: &str) -> Option<String> {
        let table = RouteTable::new(NESTED.iter()).unwrap();
        let route = table.find(method, path)?;
        let params = PathParams { pattern: route.path, path };
        let text = |name| params.text(name).unwrap();
        Some(format!("{} {:?} {:?}", route.name, text("thingId"), text("partId")))
    }

    fn assert_found(method: &Method, path: &str, expected: &str) {
        assert_eq!(found(method, path).as_deref(), Some(expected), "{path}");
    }

    #[test]
    fn parameters_of_nested_resources_have_their_names() {
        let (get, post) = (&Method::GET, &Method::POST);
        assert_found(get, "/v1/things/a", r#"show "a" """#);
        assert_found(get, "/v1/things/{thingId}", r#"show "{thingId}" """#);
        assert_found(get, "/v1/things/a/parts/b", r#"part "a" "b""#);
        assert_found(post, "/v1/things/%2F/parts/b%2Fc/reverse", r#"reverse "/" "b/c""#);
        for path in ["/v1/things", "/v1/things/a/b", "/v1/things/a/parts", "/v1/things/a/parts/b/c", ""] {
            assert_eq!(found(get, path), None, "{path}");
        }
    }

    #[test]
    fn an_empty_parameter_is_a_bad_id_unless_it_ends_the_path() {
        let (get, post) = (&Method::GET, &Method::POST);
        assert_found(get, "/v1/things//parts/b", r#"part "" "b""#);
        assert_found(post, "/v1/things/a/parts//reverse", r#"reverse "a" """#);
        assert_found(post, "/v1/things//parts//reverse", r#"reverse "" """#);
        assert_eq!(found(get, "/v1/things/"), None);
        assert_eq!(found(get, "/v1/things/a/parts/"), None);
    }

    #[test]
    fn a_path_without_parameters_hides_nothing_from_other_methods() {
        assert_found(&Method::POST, "/v1/things/import", r#"import "" """#);
        assert_found(&Method::PUT, "/v1/things/import", r#"put "import" """#);
        assert_found(&Method::GET, "/v1/things/import/parts/b", r#"part "import" "b""#);
        let table = RouteTable::new(NESTED.iter()).unwrap();
        let known = |path| table.known_path(path).map(|known| (known.name, &*known.allow));
        assert_eq!(known("/v1/things/import"), Some(("import", "GET, HEAD, POST, PUT")));
        assert_eq!(known("/v1/things/a"), Some(("put", "GET, HEAD, PUT")));
        assert_eq!(known("/v1/things//parts//reverse"), Some(("reverse", "POST")));
        assert_eq!(known("/v1/things/"), None);
    }

    #[test]
    fn two_operations_of_one_request_are_an_error() {
        static TWICE: [RouteSpec; 2] =
            [thing("a", Method::GET, "/v1/{a}"), thing("b", Method::GET, "/v1/{b}")];
        assert!(RouteTable::new(TWICE.iter()).is_err());
    }
}
