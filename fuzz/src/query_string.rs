//! Query strings, with the lists that read their parameters, and the links that repeat them.

use pointbook_access::audit_log::query::audit_log;
use pointbook_catalogue::products::query::{managed_product_list, product_list};
use pointbook_events::feed::query::event_list;
use pointbook_http::query::{ReadQuery, import_lines, parse};
use pointbook_http::query_string::{MAX_PAIRS, PageLinks, QueryString, Value, decode_segment, encode_into};
use pointbook_points::members::query::user_list;
use pointbook_points::orders::query::order_list;
use pointbook_reports::query::report_days;

/// The link of a page has the same parameters, so its own links are the same. Each list reads them or refuses them.
pub(crate) fn read(raw: &[u8]) {
    let Ok(raw) = str::from_utf8(raw) else { return };
    let mut encoded = Vec::new();
    encode_into(raw.as_bytes(), &mut encoded);
    assert_eq!(decode_segment(str::from_utf8(&encoded).unwrap()).as_deref(), Some(raw));
    let Ok(query) = parse(Some(raw)) else { return };
    if raw.split('&').count() >= MAX_PAIRS {
        // Perhaps the page number has no room beside as many parameters.
        return;
    }
    let (link, filters) = (link_of(&query), query.read(product_list).map(|list| (list.filter, list.sort)));
    let read = parse(Some(&link)).unwrap();
    // A parameter `page` with a value makes room for `page[number]`.
    if !matches!(query.parameters().get("page"), Some(Value::Text(_) | Value::Bytes(_))) {
        assert_eq!(link_of(&read), link);
        let same = read.read(product_list).map(|list| (list.filter, list.sort));
        assert!(filters.is_err() || filters == same, "{filters:?} {same:?}");
    }
    let _ = query.read(managed_product_list);
    let _ = query.read(order_list);
    let _ = query.read(user_list);
    let _ = query.read(event_list);
    let _ = query.read(audit_log);
    let _ = query.read(import_lines);
    let _ = query.read(report_days);
}

/// The query of the link to the first page.
fn link_of(query: &QueryString<'_>) -> String {
    let mut link = Vec::new();
    PageLinks::new("", "", query).write(1, &mut link);
    let link = String::from_utf8(link).unwrap();
    assert!(link.bytes().all(|byte| byte.is_ascii_graphic() && !b"\"\\".contains(&byte)), "{link}");
    link.strip_prefix('?').unwrap().to_owned()
}
