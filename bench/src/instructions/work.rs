//! How the work of a case is made: all input before, so that only the calls are counted. These are the only places
//! that call what is measured.

use std::hint::black_box;
use std::iter;
use std::ops::Range;

use anyhow::{Context, Result, anyhow};
use http::header::ETAG;
use http::{HeaderValue, StatusCode};
use pointbook_app::{ProductListQuery, list_products};
use pointbook_http::query::{QueryString, product_list_query};
use pointbook_http_kernel::access_log::AccessLine;

use crate::fixture::{PEER, ServiceFixture};

/// What callgrind counts, to be done once: the runs of a case. Tells whether each of them found what it should. The
/// input is let go of later, with the box, because that would be counted too.
pub(crate) type Work<'g> = Box<dyn FnMut() -> bool + 'g>;

fn read(raw: &str) -> Result<ProductListQuery> {
    let read = QueryString::parse(Some(raw)).ok().and_then(|query| product_list_query(&query).ok());
    read.ok_or_else(|| anyhow!("{raw} is refused"))
}

/// Pages of the list, found in the snapshot.
pub(crate) fn lists(fixture: &ServiceFixture, raw: impl Iterator<Item = String>) -> Result<Work<'_>> {
    let queries = raw.map(|raw| read(&raw)).collect::<Result<Vec<_>>>()?;
    let settings = &fixture.tenant.tenant.settings;
    let list = |query| black_box(list_products(&fixture.snapshot, settings, query, fixture.now));
    let mut queries = queries.into_iter();
    Ok(Box::new(move || queries.all(|query| !list(query).page.items.is_empty())))
}

/// Products, found in the snapshot.
pub(crate) fn details(fixture: &ServiceFixture, ids: impl Iterator<Item = String>) -> Work<'_> {
    let ids: Vec<String> = ids.collect();
    Box::new(move || ids.iter().all(|id| black_box(fixture.snapshot.product(black_box(id))).is_some()))
}

/// Query strings of the list, read and checked.
pub(crate) fn query_strings(raw: impl Iterator<Item = String>) -> Work<'static> {
    let raw: Vec<String> = raw.collect();
    Box::new(move || raw.iter().all(|raw| black_box(read(raw)).is_ok()))
}

/// Lines of the access log, which another thread writes out.
pub(crate) fn log_lines(fixture: &ServiceFixture, runs: Range<usize>) -> Work<'_> {
    let ids: Vec<String> = runs.map(|run| format!("count-{run}")).collect();
    Box::new(move || {
        for (request_id, duration_us) in ids.iter().zip(10..) {
            fixture.access_log.write(black_box(&AccessLine {
                time: fixture.now,
                request_id,
                tenant: Some(("acme", "production")),
                method: "GET",
                path: "/api/v1/store/products",
                route: "store.products.list",
                status: 200,
                duration_us,
                response_bytes: 8_190,
                token_id: Some("0123456789abcdef0123"),
                user_id: Some("demo-user"),
                client: "192.0.2.1",
                peer: PEER,
            }));
        }
        true
    })
}

/// Whole requests of the user, without the connection: from the gateway through router and handler to the `ETag`.
pub(crate) fn gets(fixture: &ServiceFixture, paths: impl Iterator<Item = String>) -> Result<Work<'_>> {
    asking(fixture, paths, None, StatusCode::OK)
}

/// What the client has already.
pub(crate) fn unchanged<'g>(fixture: &'g ServiceFixture, path: &str, runs: usize) -> Result<Work<'g>> {
    let answer = fixture.runtime.block_on(fixture.gateway.answer(fixture.get(path, None)?, PEER));
    let tag = answer.headers().get(ETAG).context("an answer without an ETag")?;
    asking(fixture, iter::repeat_n(path.to_owned(), runs), Some(tag), StatusCode::NOT_MODIFIED)
}

fn asking<'g>(
    fixture: &'g ServiceFixture,
    paths: impl Iterator<Item = String>,
    if_none_match: Option<&HeaderValue>,
    status: StatusCode,
) -> Result<Work<'g>> {
    let requests = paths.map(|path| fixture.get(&path, if_none_match)).collect::<Result<Vec<_>>>()?;
    let mut requests = requests.into_iter();
    Ok(Box::new(move || {
        fixture.runtime.block_on(async {
            let mut is_right = true;
            for request in requests.by_ref() {
                is_right &= black_box(fixture.gateway.answer(request, PEER).await).status() == status;
            }
            is_right
        })
    }))
}
