//! Pages by their paths.

use std::collections::HashMap;

use http::Method;
use matchit::Params;

use crate::pages::page::PageError;

/// Finds the pages of the shop or of the console by path and method.
pub struct PathTable {
    /// The method and the index of each page of a path.
    paths: matchit::Router<Vec<(Method, usize)>>,
}

impl PathTable {
    /// The methods and paths of all pages, in the order of their indices. A path has its parameters in braces.
    pub fn new(pages: impl IntoIterator<Item = (Method, &'static str)>) -> Self {
        let mut by_path: HashMap<&str, Vec<(Method, usize)>> = HashMap::new();
        for (index, (method, path)) in pages.into_iter().enumerate() {
            by_path.entry(path).or_default().push((method, index));
        }
        let mut paths = matchit::Router::new();
        for (path, pages) in by_path {
            if let Err(error) = paths.insert(path, pages) {
                unreachable!("the paths of pages are constants: {path}: {error}");
            }
        }
        Self { paths }
    }

    /// The index of the page with this method, and the parameters of the path. A slash at the end is ignored.
    ///
    /// # Errors
    /// In place of the index, [`PageError::NotFound`] or [`PageError::MethodNotAllowed`].
    pub fn find<'t, 'p>(
        &'t self,
        method: &Method,
        path: &'p str,
    ) -> (Result<usize, PageError>, Params<'t, 'p>) {
        let Ok(found) = self.paths.at(path.strip_suffix('/').unwrap_or(path)) else {
            return (Err(PageError::NotFound), Params::default());
        };
        let page = found.value.iter().find(|(known, _)| known == method);
        let methods = || found.value.iter().map(|(known, _)| known.as_str()).collect::<Vec<_>>().join(", ");
        let index = page.map(|(_, index)| *index);
        (index.ok_or_else(|| PageError::MethodNotAllowed(methods())), found.params)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_found_by_path_and_method() {
        let table =
            PathTable::new([(Method::GET, "/a/{id}"), (Method::POST, "/a/{id}"), (Method::GET, "/a")]);
        let find = |method: Method, path| table.find(&method, path).0.map_err(|error| format!("{error:?}"));
        assert_eq!(find(Method::GET, "/a/1"), Ok(0));
        assert_eq!(find(Method::POST, "/a/1/"), Ok(1));
        assert_eq!(find(Method::GET, "/a"), Ok(2));
        assert_eq!(find(Method::GET, "/b"), Err("NotFound".to_owned()));
        assert_eq!(find(Method::PUT, "/a/1"), Err("MethodNotAllowed(\"GET, POST\")".to_owned()));
        assert_eq!(table.find(&Method::GET, "/a/x%20y").1.get("id"), Some("x%20y"));
    }
}
