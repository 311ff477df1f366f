//! Prepares the work of a case, with all its input, so that only the calls are counted. Only this file calls the
//! counted functions.

use std::hint::black_box;
use std::iter;
use std::ops::Range;

use anyhow::{Context, Result, anyhow};
use http::header::ETAG;
use http::{HeaderValue, StatusCode};
use pointbook_catalogue::products::list_store::{ProductListQuery, list_products};
use pointbook_catalogue::products::query::product_list;
use pointbook_http::kernel::Face;
use pointbook_http::kernel::access_log::AccessLine;
use pointbook_http::query::{ReadQuery, parse};

use crate::fixture::{PEER, ServiceFixture};

/// The runs of a case, which callgrind counts. It may be called once, and returns whether each run gave the expected
/// result. The input is dropped later with the box, because dropping it would be counted too.
pub(crate) type Work<'g> = Box<dyn FnMut() -> bool + 'g>;

fn read(raw: &str) -> Result<ProductListQuery> {
    let read = parse(Some(raw)).ok().and_then(|query| query.read(product_list).ok());
    read.ok_or_else(|| anyhow!("the query string {raw:?} is not valid"))
}

/// Finds pages of the list in the snapshot.
pub(crate) fn lists(fixture: &ServiceFixture, raw: impl Iterator<Item = String>) -> Result<Work<'_>> {
    let queries = raw.map(|raw| read(&raw)).collect::<Result<Vec<_>>>()?;
    let settings = &fixture.tenant.tenant.settings;
    let list = |query| black_box(list_products(&fixture.snapshot, settings, query, fixture.now));
    let mut queries = queries.into_iter();
    Ok(Box::new(move || queries.all(|query| !list(query).page.items.is_empty())))
}

/// Finds products in the snapshot.
pub(crate) fn details(fixture: &ServiceFixture, ids: impl Iterator<Item = String>) -> Work<'_> {
    let ids: Vec<String> = ids.collect();
    Box::new(move || ids.iter().all(|id| black_box(fixture.snapshot.product(black_box(id))).is_some()))
}

/// Parses and validates query strings of the list.
pub(crate) fn query_strings(raw: impl Iterator<Item = String>) -> Work<'static> {
    let raw: Vec<String> = raw.collect();
    Box::new(move || raw.iter().all(|raw| black_box(read(raw)).is_ok()))
}

/// Writes lines of the access log, which another thread flushes.
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
                operator_id: None,
                client: "192.0.2.1",
                peer: PEER,
            }));
        }
        true
    })
}

/// Complete requests of the user without a connection: from the gateway through router and handler to the `ETag`.
pub(crate) fn gets(fixture: &ServiceFixture, paths: impl Iterator<Item = String>) -> Result<Work<'_>> {
    asking(fixture, paths, None, StatusCode::OK)
}

/// Requests for a resource that the client already has.
pub(crate) fn unchanged<'g>(fixture: &'g ServiceFixture, path: &str, runs: usize) -> Result<Work<'g>> {
    let answer =
        fixture.runtime.block_on(fixture.gateway.answer(fixture.get(path, None)?, PEER, Face::Whole));
    let tag = answer.headers().get(ETAG).context("a response without an ETag")?;
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
                is_right &=
                    black_box(fixture.gateway.answer(request, PEER, Face::Whole).await).status() == status;
            }
            is_right
        })
    }))
}
