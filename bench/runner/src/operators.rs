//! Operators who are signed in to the console.

use anyhow::{Context as _, Result, ensure};
use pointbook_operate::http_client::exchange;
use pointbook_operate::pointbook::{Pointbook, Server};

use super::TENANT;

/// How many sessions an operator may have at a time.
const SESSIONS_OF_ONE: u32 = 10;

/// Signs in as many operators as this takes; gives the cookie of each session.
pub(super) fn sign_in(pointbook: &Pointbook, server: &Server, sessions: u32) -> Result<Vec<String>> {
    let mut cookies = Vec::new();
    for number in 0..sessions {
        let email = format!("operator-{}@example.com", number / SESSIONS_OF_ONE);
        if number % SESSIONS_OF_ONE == 0 {
            add(pointbook, &email)?;
        }
        cookies.push(open(pointbook, server, &email)?);
    }
    Ok(cookies)
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

fn open(pointbook: &Pointbook, server: &Server, email: &str) -> Result<String> {
    let printed = pointbook.quiet(&["operator", "link", "--tenant", TENANT, email])?;
    let link = printed.split_once("link=").and_then(|(_, rest)| rest.split_whitespace().next());
    let body = format!("link={}", link.with_context(|| format!("no link in {printed}"))?);
    let request = format!(
        "POST /console/{TENANT}/sign-in HTTP/1.1\r\nHost: {}\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}",
        server.address,
        body.len(),
    );
    let response = exchange(server.address, request.as_bytes())?;
    let cookie = response.header("set-cookie").and_then(|cookie| cookie.split(';').next());
    ensure!(response.status()? == 303, "no session: {}", String::from_utf8_lossy(&response.bytes));
    Ok(cookie.context("no cookie")?.to_owned())
}
