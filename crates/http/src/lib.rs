//! The documented interface over HTTP.
