//! Splits the path of a request into the tenant's base path and the path below it.

/// The two parts of a request path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Route<'p> {
    /// Up to and including the first `/api` segment.
    pub base: &'p str,
    /// The rest: empty, or beginning with a slash.
    pub rest: &'p str,
}

/// Splits a path after its first `/api` segment. Returns `None` when it has no such segment.
pub fn split_path(path: &str) -> Option<Route<'_>> {
    const API: &str = "/api";
    let mut slashes = path.bytes().enumerate().filter(|(_, byte)| *byte == b'/').map(|(place, _)| place);
    slashes.find_map(|start| {
        let rest = path.get(start..)?.strip_prefix(API)?;
        let is_segment = rest.is_empty() || rest.starts_with('/');
        is_segment.then_some(Route { base: path.get(..start + API.len())?, rest })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_split_after_its_first_api_segment() {
        let split = |path| split_path(path).map(|route| (route.base, route.rest));
        assert_eq!(split("/api/v1/user"), Some(("/api", "/v1/user")));
        assert_eq!(split("/acme/api/v1/x/api/y"), Some(("/acme/api", "/v1/x/api/y")));
        assert_eq!(split("/apis/api"), Some(("/apis/api", "")));
        assert_eq!(split("/apiary/v1"), None);
        assert_eq!(split("/"), None);
        assert_eq!(split(""), None);
    }
}
