//! The files that only pages of the console load.

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, StatusCode};
use pointbook_domain::settings::Color;
use pointbook_http::kernel::Response;

/// What every page loads: the frame and the kit.
pub const CONSOLE: &str = "/console.css";
/// What pages with a chart load, too.
pub const CHARTS: &str = "/charts.css";
/// What these sections load, too.
pub const CATALOGUE: &str = "/console.catalogue.css";
pub const CAMPAIGNS: &str = "/console.campaigns.css";
pub const SEGMENTS: &str = "/console.segments.css";
pub const LISTS: &str = "/console.lists.css";
pub const SETTINGS: &str = "/console.settings.css";

/// The path of the stylesheet with the colours of a tenant. The shop makes it of its address alone.
pub const BRAND: &str = "/brand.css";
/// The class of the part of a page that looks like a shop, where the page itself does not.
pub const BRANDED: &str = "branded";

/// The address of the stylesheet for parts of a page, which have the class [`BRANDED`].
pub fn brand_of_part(color: Color) -> String {
    format!("{BRAND}?part={}", color.to_string().trim_start_matches('#'))
}

/// What makes the pages smoother.
pub const SCRIPT: &str = "/console.js";

const CSS: HeaderValue = HeaderValue::from_static("text/css; charset=utf-8");
const JAVASCRIPT: HeaderValue = HeaderValue::from_static("text/javascript; charset=utf-8");
/// A browser asks again after an hour, so that a new version of the server is soon seen whole.
const HOUR: HeaderValue = HeaderValue::from_static("public, max-age=3600");

/// The file at this path.
pub fn find(path: &str) -> Option<Response> {
    let (text, kind) = match path {
        CONSOLE => (include_str!("../../assets/console.css"), CSS),
        CATALOGUE => (include_str!("../../assets/console.catalogue.css"), CSS),
        CAMPAIGNS => (include_str!("../../assets/console.campaigns.css"), CSS),
        SETTINGS => (include_str!("../../assets/console.settings.css"), CSS),
        SEGMENTS => (include_str!("../../assets/console.segments.css"), CSS),
        LISTS => (include_str!("../../assets/console.lists.css"), CSS),
        CHARTS => (pointbook_http::charts::STYLE, CSS),
        SCRIPT => (include_str!("../../assets/console.js"), JAVASCRIPT),
        _ => return None,
    };
    let mut response = Response::empty(StatusCode::OK);
    response.body = Bytes::from_static(text.as_bytes());
    response.headers.insert(CONTENT_TYPE, kind);
    response.headers.insert(CACHE_CONTROL, HOUR);
    Some(response)
}
