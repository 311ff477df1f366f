//! Writes every request of the suite and its response to one file, when the environment asks for it.
//! `cargo xtask contract` lets a proxy of another project judge them.
//! Each exchange is a line and two HTTP messages. The line has the length of the request in bytes, the length of the
//! response, and the base path of the tenant, or nothing.

use std::fs::File;
use std::io::Write;
use std::sync::{LazyLock, Mutex};

use http::StatusCode;

use super::base_path;
use crate::contract;

/// The path of the file, if any.
const ASKED_FOR: &str = "POINTBOOK_EXCHANGES";

static FILE: LazyLock<Option<Mutex<File>>> =
    LazyLock::new(|| path().map(|path| Mutex::new(File::create(path).unwrap())));

#[expect(clippy::disallowed_methods, reason = "only a task that starts the suite wants them")]
fn path() -> Option<std::ffi::OsString> {
    std::env::var_os(ASKED_FOR)
}

/// Writes a request and its response as raw bytes, and the base path of the tenant.
pub(crate) fn write(base: Option<&str>, request: &[u8], answer: &[u8]) {
    if let Some(file) = &*FILE {
        file.lock().unwrap().write_all(&framed(base, request, answer)).unwrap();
    }
}

/// The same for bytes that may not be a request. If they are one, they name a new host.
pub(crate) fn write_raw(request: &[u8], answer: &[u8]) {
    write(base_of(request, answer), request, answer);
}

fn base_of(request: &[u8], answer: &[u8]) -> Option<&'static str> {
    let base = std::str::from_utf8(request).ok()?.split(' ').nth(1).and_then(contract::base);
    let status =
        answer.strip_prefix(b"HTTP/1.1 ").and_then(|rest| StatusCode::from_bytes(rest.get(..3)?).ok());
    base.filter(|_| !status.is_some_and(|status| contract::may_be_unknown_base_url(true, status)))
}

fn framed(base: Option<&str>, request: &[u8], answer: &[u8]) -> Vec<u8> {
    let line = format!("{} {} {}\n", request.len(), answer.len(), base.unwrap_or_default());
    [line.as_bytes(), request, answer].concat()
}

#[test]
fn exchange_has_lengths_tenant_and_bytes() {
    let (request, answer) = (b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n\xff\n");
    let bytes = b"GET / HTTP/1.1\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\xff\n";
    assert_eq!(framed(None, request, answer), [&b"18 21 \n"[..], bytes].concat());
    assert_eq!(framed(Some("/a/api"), request, answer), [&b"18 21 /a/api\n"[..], bytes].concat());
}

#[test]
fn response_404_has_no_tenant() {
    let request = format!("GET {}/v1 HTTP/1.1\r\nHost: x\r\n\r\n", base_path());
    assert_eq!(base_of(request.as_bytes(), b"HTTP/1.1 200 OK\r\n\r\n"), Some(base_path()));
    assert_eq!(base_of(request.as_bytes(), b""), Some(base_path()));
    assert_eq!(base_of(request.as_bytes(), b"HTTP/1.1 404 Not Found\r\n\r\n"), None);
    assert_eq!(base_of(b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n"), None);
}
