//! The documents at the root of the listener: `/openapi.json` and the pages at `/docs`. They need no token, are the same for
//! every tenant, and reveal no tenant.

use std::net::IpAddr;
use std::sync::{LazyLock, OnceLock};

use bytes::Bytes;
use http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE,
    HOST, LOCATION, REFERRER_POLICY, VARY,
};
use http::{HeaderMap, HeaderValue, StatusCode};
use libdeflater::{CompressionLvl, Compressor, Decompressor};

use super::{DocsSettings, DocsTokens};
use crate::docs_page::{FILES, PageFile};
use crate::kernel::{Response, Tag, is_known, takes_gzip};
use crate::listed::Listed;
use crate::openapi::served_document;

/// A client may keep it, but must revalidate it: the next version of the server may have another one.
const ASK: HeaderValue = HeaderValue::from_static("no-cache");
/// A URL whose content never changes needs no revalidation.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// The pages load nothing from other origins, run no inline scripts, and send nothing elsewhere.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

#[derive(Clone, Copy)]
pub(super) enum Document {
    Description,
    Page(&'static PageFile),
    Settings,
    /// A URL at which the relative links of the pages would not work.
    Elsewhere,
}

impl Document {
    /// The document at a path. `None` for a page when the pages are off.
    pub(super) fn of(path: &str, docs: Option<&DocsSettings>) -> Option<Self> {
        if path == "/openapi.json" {
            return Some(Self::Description);
        }
        // A tenant may have its base URL here, such as `/docs/api`.
        if !path.starts_with("/docs") || docs.is_none() {
            return None;
        }
        match path {
            "/docs/" => Some(Self::Elsewhere),
            "/docs/settings.json" => Some(Self::Settings),
            _ => FILES.iter().find(|file| file.path == path).map(Self::Page),
        }
    }

    pub(super) fn answer(
        self,
        request: &HeaderMap,
        docs: Option<&DocsSettings>,
        description: &Description,
        listed: &Listed,
    ) -> Response {
        match self {
            Self::Description => description.answer(docs, request, listed),
            Self::Page(file) => page(file, request),
            Self::Settings => settings(docs, request),
            Self::Elsewhere => elsewhere(),
        }
    }
}

/// The document in both forms. The first request makes it.
#[derive(Default)]
pub(super) struct Description(OnceLock<Forms>);

struct Forms {
    plain: Bytes,
    gzip: Bytes,
    tag: Tag,
}

/// The default base path when no tenant is configured for the pages. The path of a real tenant would reveal its name.
const DEFAULT_BASE_PATH: &str = "/api";

impl Description {
    fn forms(&self, docs: Option<&DocsSettings>, listed: &Listed) -> &Forms {
        self.0.get_or_init(|| {
            let known = docs.and_then(|docs| docs.base_path.as_deref());
            let plain = served_document(listed, known.unwrap_or(DEFAULT_BASE_PATH));
            Forms { gzip: packed(&plain).into(), tag: Tag::of_document(&plain), plain }
        })
    }

    fn answer(&self, docs: Option<&DocsSettings>, request: &HeaderMap, listed: &Listed) -> Response {
        let Forms { plain, gzip, tag } = self.forms(docs, listed);
        let is_packed = takes_gzip(request);
        let body = || if is_packed { gzip.clone() } else { plain.clone() };
        let mut response = tagged(*tag, request, is_packed, body);
        describe(&mut response, "application/json", ASK);
        // Tools in browsers read it too.
        response.headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        response
    }
}

fn page(file: &'static PageFile, request: &HeaderMap) -> Response {
    let PageFile { path, kind, gzip, is_fixed } = *file;
    let (tag, cache) =
        if is_fixed { (Tag::of_document(path.as_bytes()), FOR_EVER) } else { (Tag::of_document(gzip), ASK) };
    let is_packed = takes_gzip(request);
    let body = || if is_packed { Bytes::from_static(gzip) } else { plain(file) };
    let mut response = tagged(tag, request, is_packed, body);
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
    let mut response = tagged(Tag::of_document(&settings), request, false, || settings.into());
    describe(&mut response, "application/json", ASK);
    response
}

/// Whether a request names the configured host, or this machine by a local name. Otherwise a page of another site could read the
/// tokens by DNS rebinding.
fn is_known_host(configured: Option<&str>, request: &HeaderMap) -> bool {
    let asked = request.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let host = host_of(asked);
    let address = host.trim_matches(['[', ']']).parse::<IpAddr>();
    let is_of_this_machine =
        host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|ip| ip.is_loopback());
    is_of_this_machine || configured.is_some_and(|known| host_of(known).eq_ignore_ascii_case(host))
}

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

/// A document, unless the client has it. A compressed form has a weak `ETag`.
fn tagged(tag: Tag, request: &HeaderMap, is_packed: bool, body: impl FnOnce() -> Bytes) -> Response {
    let mut response =
        if is_known(tag, request) { Response::not_modified(tag) } else { Response::tagged(tag, body()) };
    response.has_weak_tag = is_packed;
    if is_packed && response.status == StatusCode::OK {
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

/// Compressed with gzip, at the usual level, because the first request waits for it. Empty without memory.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut compressor = Compressor::new(CompressionLvl::default());
    let mut packed = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let length = compressor.gzip_compress(bytes, &mut packed).unwrap_or_default();
    packed.truncate(length);
    packed
}

/// For the few clients without gzip: one uncompressed copy of each file, shared by all.
fn plain(file: &PageFile) -> Bytes {
    static PLAIN: LazyLock<Vec<(&str, Bytes)>> =
        LazyLock::new(|| FILES.iter().map(|file| (file.path, unpacked(file.gzip).into())).collect());
    let found = PLAIN.iter().find(|(path, _)| *path == file.path);
    found.map_or_else(Bytes::new, |(_, plain)| plain.clone())
}

fn unpacked(gzip: &[u8]) -> Vec<u8> {
    let length = gzip.last_chunk().map_or(0, |length| u32::from_le_bytes(*length));
    let mut plain = vec![0; usize::try_from(length).unwrap_or_default()];
    // Files that were packed at build time are complete, as a test of `docs_page` checks.
    let length = Decompressor::new().gzip_decompress(gzip, &mut plain).unwrap_or_default();
    plain.truncate(length);
    plain
}
