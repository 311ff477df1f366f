//! Operators who are signed in to the console, and requests for pages.

use anyhow::{Context as _, Result, ensure};
use xtask::operate::http_client::exchange;
use xtask::operate::pointbook::Pointbook;

use crate::data::TENANT;
use crate::service::Service;

/// How many sessions an operator may have at a time.
const SESSIONS_OF_ONE: usize = 10;

/// Opens this many sessions. Returns the cookie of each.
pub(super) fn sign_in(service: &Service, sessions: usize) -> Result<Vec<String>> {
    let pointbook = &service.database()?.pointbook;
    let session = |number: usize| {
        let email = format!("operator-{}@example.com", number / SESSIONS_OF_ONE);
        if number.is_multiple_of(SESSIONS_OF_ONE) {
            add(pointbook, &email)?;
        }
        open(service, pointbook, &email)
    };
    (0..sessions).map(session).collect()
}

/// A request of a browser for a page.
pub(super) fn page(service: &Service, path: &str, cookie: &str) -> Vec<u8> {
    let host = service.target.address;
    format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nAccept: text/html\r\nCookie: {cookie}\r\n\r\n")
        .into_bytes()
}

/// Adds the operator. A database that was used before has the operator already.
fn add(pointbook: &Pointbook, email: &str) -> Result<()> {
    if !pointbook.quiet(&["operator", "list", "--tenant", TENANT])?.contains(email) {
        pointbook.quiet(&[
            "operator", "add", "--tenant", TENANT, email, "--name", "Operator", "--role", "owner",
        ])?;
    }
    Ok(())
}

fn open(service: &Service, pointbook: &Pointbook, email: &str) -> Result<String> {
    let printed = pointbook.quiet(&["operator", "link", "--tenant", TENANT, email])?;
    let link = printed.split_once("link=").and_then(|(_, rest)| rest.split_whitespace().next());
    let body = format!("link={}", link.with_context(|| format!("no link in {printed}"))?);
    let address = service.target.address;
    let request = format!(
        "POST /console/{TENANT}/sign-in HTTP/1.1\r\nHost: {address}\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len(),
    );
    let response = exchange(address, request.as_bytes())?;
    let cookie = response.header("set-cookie").and_then(|cookie| cookie.split(';').next());
    ensure!(response.status()? == 303, "no session: {}", String::from_utf8_lossy(&response.bytes));
    Ok(cookie.context("no cookie")?.to_owned())
}
