//! `pointbook openapi`: the description of the interface, for generators of clients and for checks.

use super::{CommandResult, Verdict, print};

/// Prints what a server has at `/openapi.json`.
pub(super) fn run() -> CommandResult {
    print(String::from_utf8_lossy(&pointbook_http::openapi::document()))?;
    Ok(Verdict::Fine)
}
