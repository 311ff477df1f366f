//! The base path of a tenant at the beginning of the path of a request.

/// The path up to and including its first `/api` segment. `None` when it has no such segment.
pub(crate) fn base_path(path: &str) -> Option<&str> {
    const API: &str = "/api";
    let mut slashes = path.bytes().enumerate().filter(|(_, byte)| *byte == b'/').map(|(place, _)| place);
    slashes.find_map(|start| {
        let rest = path.get(start..)?.strip_prefix(API)?;
        let is_segment = rest.is_empty() || rest.starts_with('/');
        is_segment.then_some(path.get(..start + API.len())?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_base_path_ends_after_the_first_api_segment() {
        for (path, base) in [
            ("/api/v1/user", Some("/api")),
            ("/acme/api/v1/x/api/y", Some("/acme/api")),
            ("/apis/api", Some("/apis/api")),
            ("/apiary/v1", None),
            ("/", None),
            ("", None),
        ] {
            assert_eq!(base_path(path), base, "{path}");
        }
    }
}
