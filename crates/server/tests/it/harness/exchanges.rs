//! Every request of the suite with its answer, whole, where the environment asks for them: in one file, for
//! `cargo xtask contract`, which has a proxy of others judge them.
//!
//! Each is a line and two messages as HTTP has them. The line says how many bytes the request has, how many the answer,
//! and the base path of the tenant that was asked, or nothing.

use std::fs::File;
use std::io::Write;
use std::sync::{LazyLock, Mutex};

use crate::contract;

/// Where they are to be written, if anywhere.
const ASKED_FOR: &str = "POINTBOOK_EXCHANGES";

static FILE: LazyLock<Option<Mutex<File>>> =
    LazyLock::new(|| path().map(|path| Mutex::new(File::create(path).unwrap())));

#[expect(clippy::disallowed_methods, reason = "only a task that starts the suite wants them")]
fn path() -> Option<std::ffi::OsString> {
    std::env::var_os(ASKED_FOR)
}

/// Writes a request and its answer, as they went over the wire, and the base path of the tenant that was asked.
pub(crate) fn write(base: Option<&str>, request: &[u8], answer: &[u8]) {
    if let Some(file) = &*FILE {
        file.lock().unwrap().write_all(&framed(base, request, answer)).unwrap();
    }
}

/// The same for bytes that need not be a request.
pub(crate) fn write_raw(request: &[u8], answer: &[u8]) {
    let path = std::str::from_utf8(request).ok().and_then(|request| request.split(' ').nth(1));
    write(path.and_then(contract::base), request, answer);
}

fn framed(base: Option<&str>, request: &[u8], answer: &[u8]) -> Vec<u8> {
    let line = format!("{} {} {}\n", request.len(), answer.len(), base.unwrap_or_default());
    [line.as_bytes(), request, answer].concat()
}

#[test]
fn an_exchange_is_its_lengths_its_tenant_and_its_bytes() {
    let (request, answer) = (b"GET / HTTP/1.1\r\n\r\n", b"HTTP/1.1 200 OK\r\n\r\n\xff\n");
    let bytes = b"GET / HTTP/1.1\r\n\r\nHTTP/1.1 200 OK\r\n\r\n\xff\n";
    assert_eq!(framed(None, request, answer), [&b"18 21 \n"[..], bytes].concat());
    assert_eq!(framed(Some("/a/api"), request, answer), [&b"18 21 /a/api\n"[..], bytes].concat());
}
