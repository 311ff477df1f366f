//! The in-memory catalogue of one tenant: an immutable snapshot that filters, sorts and pages.
