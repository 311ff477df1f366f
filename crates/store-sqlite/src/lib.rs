//! The ports over SQLite.
