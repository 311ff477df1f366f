//! Why a thread or the local server of a pull failed.

use std::io;

use pointbook_access::tokens::issue::IssueTokenError;
use pointbook_store::StoreError;

use crate::check::{TokenError, UrlError};

/// A failure on this machine. A failure of the other server is a [`ReadError`](crate::check::ReadError).
#[derive(Debug, thiserror::Error)]
pub enum PullError {
    /// The operating system starts no thread.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
    /// The thread that reads from the other server panicked.
    #[error("the reading thread panicked")]
    Panicked,
    /// The local server cannot use a port of this machine.
    #[error("cannot listen on this machine")]
    Listen(#[source] io::Error),
    /// The client cannot use the URL of the local server or the base URL of the tenant.
    #[error("cannot connect to the local server of the comparison")]
    Url(#[source] UrlError),
    /// The client cannot use the token that the tenant issued.
    #[error("cannot use the token of the comparison")]
    Token(#[source] TokenError),
    /// The tenant issued no token for the comparison.
    #[error(transparent)]
    Issue(IssueTokenError),
    /// The store did not revoke the token of the comparison.
    #[error(transparent)]
    Revoke(StoreError),
}
