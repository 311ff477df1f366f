//! What is there to be read at the root of the listener, by anybody: `/openapi.json` and the pages at `/docs`. It is
//! the same for every tenant, and tells nothing of any.

use std::net::IpAddr;
use std::sync::{LazyLock, OnceLock};

use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    HOST, LOCATION, REFERRER_POLICY, VARY,
};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use libdeflater::{CompressionLvl, Compressor, Decompressor};
use pointbook_http_kernel::{Response, RootRequest, Tag, is_known, takes_gzip};
use pointbook_pages::{FILES, PageFile};

use super::docs::{DocsSettings, DocsTokens, file_at};
use crate::ApiError;
use crate::openapi::served_document;

const ALLOWED: &str = "GET, HEAD";
/// Keep it, but ask: the next version of the server may have another one.
const ASK: HeaderValue = HeaderValue::from_static("no-cache");
/// What never changes under its path is not asked for again.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// The pages load nothing from elsewhere, run nothing that stands within them, and send nothing anywhere else.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// Something to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Document {
    /// The description of the interface.
    Description,
    /// A file of the pages.
    Page(&'static PageFile),
    /// What the pages are filled in with.
    Settings,
    /// The pages by another address, to which their relative ones do not fit.
    Elsewhere,
}

impl Document {
    /// What stands at a path; nothing of the pages where there are none.
    pub(super) fn of(path: &str, docs: Option<&DocsSettings>) -> Option<Self> {
        if path == "/openapi.json" {
            return Some(Self::Description);
        }
        // A tenant may have its base there, too: `/docs/api`.
        if !path.starts_with("/docs") || docs.is_none() {
            return None;
        }
        match path {
            "/docs/" => Some(Self::Elsewhere),
            "/docs/settings.json" => Some(Self::Settings),
            _ => file_at(path).map(Self::Page),
        }
    }

    /// It, or that the client has it.
    pub(super) fn answer(
        self,
        request: &RootRequest<'_>,
        docs: Option<&DocsSettings>,
        description: &Description,
    ) -> Response {
        let (method, headers) = (&request.parts.method, &request.parts.headers);
        if !request.permits.admits(false) {
            return ApiError::Unavailable.into_response();
        }
        if !matches!(*method, Method::GET | Method::HEAD) {
            let method = method.clone();
            return ApiError::MethodNotAllowed { method, allowed: ALLOWED.into() }.into_response();
        }
        match self {
            Self::Description => description.answer(docs, headers),
            Self::Page(file) => page(file, headers),
            Self::Settings => settings(docs, headers),
            Self::Elsewhere => elsewhere(),
        }
    }
}

/// The description in both forms, made once when it is first asked for.
#[derive(Default)]
pub(super) struct Description(OnceLock<Forms>);

struct Forms {
    plain: Bytes,
    gzip: Bytes,
    tag: Tag,
}

/// The default base path where no tenant's is known. To tell that of a tenant would tell strangers its name.
const DEFAULT_BASE_PATH: &str = "/api";

impl Description {
    fn forms(&self, docs: Option<&DocsSettings>) -> &Forms {
        self.0.get_or_init(|| {
            let known = docs.and_then(|docs| docs.base_path.as_deref());
            let plain = served_document(known.unwrap_or(DEFAULT_BASE_PATH));
            Forms { gzip: packed(&plain).into(), tag: Tag::of_document(&plain), plain }
        })
    }

    fn answer(&self, docs: Option<&DocsSettings>, request: &HeaderMap) -> Response {
        let Forms { plain, gzip, tag } = self.forms(docs);
        let mut response = if takes_gzip(request) {
            packed_or_known(*tag, request, || gzip.clone())
        } else {
            plain_or_known(*tag, request, || plain.clone())
        };
        describe(&mut response, "application/json", ASK);
        // Tools in browsers read it as well.
        response.headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        response
    }
}

fn page(file: &'static PageFile, request: &HeaderMap) -> Response {
    let PageFile { path, kind, gzip, is_fixed } = *file;
    let (tag, cache) =
        if is_fixed { (Tag::of_document(path.as_bytes()), FOR_EVER) } else { (Tag::of_document(gzip), ASK) };
    let mut response = if takes_gzip(request) {
        packed_or_known(tag, request, || Bytes::from_static(gzip))
    } else {
        plain_or_known(tag, request, || plain(file))
    };
    describe(&mut response, kind, cache);
    response.headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    response.headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn settings(docs: Option<&DocsSettings>, request: &HeaderMap) -> Response {
    let mut told = docs.cloned().unwrap_or_default();
    if !is_known_host(told.host.as_deref(), request) {
        told.tokens = DocsTokens::default();
    }
    // Texts always serialise.
    let settings = serde_json::to_vec(&told).unwrap_or_default();
    let mut response = plain_or_known(Tag::of_document(&settings), request, || settings.into());
    describe(&mut response, "application/json", ASK);
    response
}

/// Whether a request names the configured host, or this machine by a name of its own. A page of another site that lets
/// its name lead to this machine would otherwise read the tokens (DNS rebinding).
fn is_known_host(configured: Option<&str>, request: &HeaderMap) -> bool {
    let asked = request.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let host = host_of(asked);
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    let is_of_this_machine =
        host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|ip| ip.is_loopback());
    is_of_this_machine || configured.is_some_and(|known| host_of(known).eq_ignore_ascii_case(host))
}

/// An authority without its port.
fn host_of(authority: &str) -> &str {
    match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => authority,
    }
}

fn elsewhere() -> Response {
    let mut response = Response::empty(StatusCode::PERMANENT_REDIRECT);
    response.headers.insert(LOCATION, HeaderValue::from_static("../docs"));
    response
}

fn plain_or_known(tag: Tag, request: &HeaderMap, plain: impl FnOnce() -> Bytes) -> Response {
    if is_known(tag, request) { Response::not_modified(tag) } else { Response::tagged(tag, plain()) }
}

/// The same content by other bytes has a weak tag.
fn packed_or_known(tag: Tag, request: &HeaderMap, packed: impl FnOnce() -> Bytes) -> Response {
    let mut response = plain_or_known(tag, request, packed);
    response.has_weak_tag = true;
    if response.status == StatusCode::OK {
        response.headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

fn describe(response: &mut Response, kind: &'static str, cache: HeaderValue) {
    if response.status == StatusCode::OK {
        response.is_json = false;
        response.headers.insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    }
    response.headers.insert(CACHE_CONTROL, cache);
    response.headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
}

/// In gzip; empty, were there no memory for it. The usual level: whoever asks first waits for it.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut compressor = Compressor::new(CompressionLvl::default());
    let mut packed = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let length = compressor.gzip_compress(bytes, &mut packed).unwrap_or_default();
    packed.truncate(length);
    packed
}

/// For the few clients that take no gzip: one copy of each file, which all of them share.
fn plain(file: &PageFile) -> Bytes {
    static PLAIN: LazyLock<Vec<(&str, Bytes)>> =
        LazyLock::new(|| FILES.iter().map(|file| (file.path, unpacked(file.gzip).into())).collect());
    let found = PLAIN.iter().find(|(path, _)| *path == file.path);
    found.map_or_else(Bytes::new, |(_, plain)| plain.clone())
}

fn unpacked(gzip: &[u8]) -> Vec<u8> {
    let length = gzip.last_chunk().map_or(0, |length| u32::from_le_bytes(*length));
    let mut plain = vec![0; usize::try_from(length).unwrap_or_default()];
    // What was packed at build time is whole, as a test of `pages` finds.
    let length = Decompressor::new().gzip_decompress(gzip, &mut plain).unwrap_or_default();
    plain.truncate(length);
    plain
}
