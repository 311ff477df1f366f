//! The OpenAPI 3.1 document, generated from the code: the tables of routes, the documentation of each operation and the schema of
//! each view beside its code, and the table of errors.
//!
//! `/openapi.json` serves it, `pointbook openapi` prints it, and `cargo xtask check` compares it with `openapi.json` in the
//! repository.

mod components;
mod header;
pub mod operation;
pub mod parameter;
mod refusals;

use bytes::Bytes;

use crate::describe::{IntoJson, Members, Operation};
use crate::documentation::Tag;
use crate::listed::Listed;
use crate::openapi::operation::written;
use crate::route_spec::RouteSpec;

/// The base URL of the demo, as an example.
const DEMO_BASE_URL: &str = "http://localhost:8080/acme/api";

/// The whole document as the repository has it. Each call renders it.
pub fn document(listed: &Listed) -> Bytes {
    render(listed, server(DEMO_BASE_URL, OF_THE_DEMO)).into()
}

/// The document as a server serves it: its default base URL is a path, so that requests go to the same server.
pub(crate) fn served_document(listed: &Listed, base_path: &str) -> Bytes {
    render(listed, server(base_path, RELATIVE)).into()
}

fn render(listed: &Listed, server: Members) -> Vec<u8> {
    let operations = operations(listed);
    let document = Members::default()
        .with("openapi", "3.1.1")
        .with("info", info())
        .with("servers", [server])
        .with("tags", tags())
        .with("paths", paths(&operations))
        .with("components", components::components(&operations))
        .into_json();
    // Strings, integers and lists of them always serialise.
    let mut bytes = serde_json::to_vec_pretty(&document).unwrap_or_default();
    bytes.push(b'\n');
    bytes
}

fn info() -> Members {
    let license =
        Members::default().with("name", "Apache-2.0 OR MIT").with("identifier", "Apache-2.0 OR MIT");
    Members::default()
        .with("title", "pointbook")
        .with("summary", "A loyalty-points service: gift store and point history.")
        .with("description", include_str!("introduction.txt").trim_end())
        .with("version", env!("CARGO_PKG_VERSION"))
        .with("license", license)
}

const OF_THE_DEMO: &str = "The default is the base URL of the demo: replace it.";
const RELATIVE: &str = "The default is relative to the address of this document: put yours in its place.";

fn server(default: &str, whose: &str) -> Members {
    let description = format!("The base URL of your tenant in one environment. It ends in `/api`. {whose}");
    let base_url = Members::default().with("default", default).with("description", description);
    Members::default()
        .with("url", "{base_url}")
        .with("description", "Each tenant has its own, one for production and one for staging.")
        .with("variables", Members::default().with("base_url", base_url))
}

fn tags() -> Vec<Members> {
    let written = |tag: Tag| {
        let (name, description) = tag.words();
        Members::default().with("name", name).with("description", description)
    };
    [Tag::Store, Tag::History, Tag::Account, Tag::Management].map(written).into()
}

fn paths(operations: &[(&RouteSpec, Operation)]) -> Members {
    let mut paths = Members::default();
    for (route, operation) in operations {
        let method = route.method.as_str().to_ascii_lowercase();
        paths.within(route.path, |methods| methods.set(&method, written(route, operation)));
    }
    paths
}

/// The four reads of the interface come first, the others in the order of the list.
pub fn operations(listed: &Listed) -> Vec<(&'static RouteSpec, Operation)> {
    let mut operations: Vec<_> = listed.routes().map(|route| (route, (route.documentation)())).collect();
    operations.sort_by_key(|(_, operation)| !operation.is_documented);
    operations
}
