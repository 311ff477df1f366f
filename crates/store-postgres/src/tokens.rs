//! Access tokens.
