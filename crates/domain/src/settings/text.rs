//! The text forms of settings.

use std::fmt;

use crate::{CorsPolicy, PageSize};

/// The largest page size an operator can allow, in items, so that one answer stays bounded.
pub const MAX_PAGE_SIZE: u32 = 1_000;

/// The most products that are popular by their orders, so that asking for them stays cheap.
pub const MAX_POPULAR_MOST_ORDERED: u32 = 1_000;

pub(super) fn parse_size(value: &str) -> Result<PageSize, String> {
    let size = value.parse().ok().filter(|items| *items <= MAX_PAGE_SIZE).and_then(PageSize::new);
    size.ok_or_else(|| format!("must be an integer from 1 to {MAX_PAGE_SIZE}"))
}

pub(super) fn parse_number(value: &str) -> Result<u32, String> {
    value.parse().map_err(|_| format!("must be an integer from 0 to {}", u32::MAX))
}

pub(super) fn parse_most_ordered(value: &str) -> Result<u32, String> {
    let products = value.parse().ok().filter(|products| *products <= MAX_POPULAR_MOST_ORDERED);
    products.ok_or_else(|| format!("must be an integer from 0 to {MAX_POPULAR_MOST_ORDERED}"))
}

pub(super) fn parse_bool(value: &str) -> Result<bool, String> {
    value.parse().map_err(|_| "must be true or false".to_owned())
}

pub(super) fn parse_cors(value: &str) -> Result<CorsPolicy, String> {
    match value {
        "off" => Ok(CorsPolicy::Off),
        "any" => Ok(CorsPolicy::AnyOrigin),
        _ => parse_list(value, parse_origin).map(CorsPolicy::Origins),
    }
}

fn parse_origin(origin: &str) -> Result<String, &'static str> {
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"));
    match host {
        Some(host) if !host.is_empty() && host.bytes().all(|b| b.is_ascii_graphic() && b != b'/') => {
            Ok(origin.to_owned())
        }
        _ => Err("an origin is http://HOST[:PORT] or https://HOST[:PORT]"),
    }
}

pub(super) fn parse_list<T, E: fmt::Display>(
    value: &str,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<Vec<T>, String> {
    let parts = value.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| parse(part).map_err(|error| format!("has a part {part:?}: {error}"))).collect()
}

pub(super) fn join(items: &[impl ToString]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
