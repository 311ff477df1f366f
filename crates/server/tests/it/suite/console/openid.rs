//! Signing in to the console at an OpenID Connect issuer.

mod browser;
mod faults;
mod flow;
mod issuer;
mod members;
mod sessions;
