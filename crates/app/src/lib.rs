//! One use case per file, and the ports they need.
