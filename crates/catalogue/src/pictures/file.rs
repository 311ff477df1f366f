//! `GET /pictures/{id}.{extension}` below the base URL of a tenant: the bytes of a picture, for everyone.
//!
//! This is no operation of the interface: it needs no token, and its response is no JSON. Apps and pages load it as any picture
//! of the web, so anonymous clients may send many such requests. Two bounds keep them from slowing other requests: how many read
//! the database at a time, and how many bytes wait for their clients.

use std::net::IpAddr;
use std::time::Duration;

use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG};
use http::{HeaderValue, StatusCode};
use pointbook_domain::{Picture, PictureId, TenantId};
use pointbook_http::error::ErrorShape;
use pointbook_http::kernel::{ClientAddress, Response, is_known};
use pointbook_http::{ApiError, FileRoute, HttpState, SiteRequest};
use pointbook_store::queue::{Bounds, Lane, Limits, Permit, Permits};

use crate::pictures::{find_bytes, find_picture};

/// The pictures of a tenant.
pub const FILES: FileRoute = FileRoute {
    name: "pictures.show",
    prefix: pointbook_domain::picture::FOLDER,
    answer: |file, request, state| Box::pin(answer(file, request, state)),
};

/// How many requests read pictures from the database at a time, and how many wait for that.
const READS: Limits = Limits {
    permits: Bounds { all: 4, tenant: 2, lane: usize::MAX },
    waiting: Bounds { all: 512, tenant: 256, lane: 128 },
    leaves_room: false,
};

/// The longest wait for a read. It ends before the timeout of requests.
const MAX_WAIT: Duration = Duration::from_secs(5);

/// How many bytes of pictures are in memory for clients that read slowly. A client is an address, or an IPv6 network
/// of 64 bits.
const BYTES: Limits = Limits {
    permits: Bounds { all: 64 << 20, tenant: 32 << 20, lane: 4 << 20 },
    waiting: Bounds { all: usize::MAX, tenant: usize::MAX, lane: usize::MAX },
    leaves_room: false,
};

/// The bytes are those of the id, so caches never ask again.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// A picture that a browser opens as a page can do nothing.
const NOTHING: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");

/// The address of a client. `None` when it is unknown.
type Client = Option<IpAddr>;

/// The bounds of all requests for pictures.
pub struct PicturePermits {
    reads: Permits<TenantId, Client>,
    bytes: Permits<TenantId, Client>,
}

impl Default for PicturePermits {
    fn default() -> Self {
        let reads = Permits::with_max_wait(READS, MAX_WAIT, |_| {});
        Self { reads, bytes: Permits::new(BYTES) }
    }
}

/// Responds to GET and HEAD.
async fn answer(file: &str, request: SiteRequest<'_>, state: &HttpState) -> Response {
    let shown = async { show(file, &request, state.parts.get()?).await };
    shown.await.unwrap_or_else(|error| error.into_response(ErrorShape::Documented))
}

async fn show(file: &str, request: &SiteRequest<'_>, permits: &PicturePermits) -> Result<Response, ApiError> {
    let (id, extension) = file.split_once('.').ok_or(ApiError::NotFound)?;
    let id = PictureId::parse(id).map_err(|_| ApiError::NotFound)?;
    let lane = lane_of(request.tenant.tenant.id.clone(), request.client);
    let read = permits.reads.acquire(lane.clone()).await.map_err(|_| ApiError::Unavailable)?;
    let data = &*request.tenant.data;
    let found = find_picture(data, &id).await?.filter(|picture| picture.format.extension() == extension);
    let picture = found.ok_or(ApiError::NotFound)?;
    let tag = format!("\"{id}\"");
    if is_known(&tag, request.headers) {
        return Ok(with_headers(Response::empty(StatusCode::NOT_MODIFIED), &tag, &picture));
    }
    let bytes = usize::try_from(picture.size_bytes).unwrap_or(usize::MAX);
    let memory = permits.bytes.try_acquire(lane, bytes).map_err(|_| ApiError::Unavailable)?;
    let bytes = find_bytes(data, &id).await?.ok_or(ApiError::NotFound)?;
    drop(read);
    let mut response = Response::empty(StatusCode::OK);
    response.body = Bytes::from_owner(Sending { bytes, _memory: memory });
    Ok(with_headers(response, &tag, &picture))
}

/// One person may have all addresses of an IPv6 network, so these share a lane.
fn lane_of(tenant: TenantId, client: ClientAddress<'_>) -> Lane<TenantId, Client> {
    Lane::of(tenant, client.network())
}

fn with_headers(mut response: Response, tag: &str, picture: &Picture) -> Response {
    let content_type = HeaderValue::from_static(picture.format.content_type());
    let headers = &mut response.headers;
    // Digits and quotes are always a header's value.
    headers.extend(HeaderValue::from_str(tag).ok().map(|tag| (ETAG, tag)));
    headers.insert(CACHE_CONTROL, FOR_EVER);
    if response.status == StatusCode::OK {
        headers.insert(CONTENT_TYPE, content_type);
        headers.insert(CONTENT_SECURITY_POLICY, NOTHING);
    }
    response
}

/// A body. It holds its permit until the client has it, or the connection is closed.
struct Sending {
    bytes: Vec<u8>,
    _memory: Permit<TenantId, Client>,
}

impl AsRef<[u8]> for Sending {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderMap;
    use pointbook_http::kernel::TrustedProxies;

    use super::*;

    fn lane(tenant: &str, client: u8) -> Lane<TenantId, Client> {
        Lane::of(TenantId::new(tenant).unwrap(), Some([203, 0, 113, client].into()))
    }

    #[test]
    fn a_client_that_reads_slowly_leaves_room_to_others() {
        let permits = PicturePermits::default();
        let take = |tenant: &str, client| permits.bytes.try_acquire(lane(tenant, client), 2 << 20);
        let held: Vec<_> = (0..2).map(|_| take("a", 1).unwrap()).collect();
        assert!(take("a", 1).is_err());
        let of_others: Vec<_> =
            (2..9).flat_map(|client| [take("a", client).unwrap(), take("a", client).unwrap()]).collect();
        assert!(take("a", 9).is_err(), "the tenant has half");
        assert!(take("b", 1).is_ok());
        drop((held, of_others));
        assert!(take("a", 1).is_ok());
    }

    #[test]
    fn the_addresses_of_a_network_share_a_lane() {
        let (proxies, headers) = (TrustedProxies::default(), HeaderMap::new());
        let lane = |peer| lane_of(TenantId::new("a").unwrap(), ClientAddress::new(&proxies, peer, &headers));
        let known = lane("[2001:db8:0:1::1]:4711");
        assert_eq!(lane("[2001:db8:0:1:ffff::2]:4712"), known);
        for other in ["[2001:db8:0:2::1]:4711", "203.0.113.1:4711"] {
            assert_ne!(lane(other), known, "{other}");
        }
        assert_ne!(lane("203.0.113.1:1"), lane("203.0.113.2:1"));
        let permits = PicturePermits::default();
        let held = permits.bytes.try_acquire(known, 4 << 20).unwrap();
        assert!(permits.bytes.try_acquire(lane("[2001:db8:0:1::3]:1"), 1).is_err());
        drop(held);
    }

    #[test]
    fn a_body_holds_its_permit_until_its_last_copy_is_gone() {
        let permits = PicturePermits::default();
        let all = 4 << 20;
        let memory = permits.bytes.try_acquire(lane("a", 1), all).unwrap();
        let body = Bytes::from_owner(Sending { bytes: vec![1, 2, 3], _memory: memory });
        let copy = body.slice(1..2);
        drop(body);
        assert!(permits.bytes.try_acquire(lane("a", 1), 1).is_err());
        drop(copy);
        assert!(permits.bytes.try_acquire(lane("a", 1), 1).is_ok());
    }
}
