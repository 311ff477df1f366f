//! Where a task runs.

pub use crate::throwaway_postgres::environment;

/// Whether this is the machine that guards the branch, which may not go on without what a step needs.
pub fn in_ci() -> bool {
    environment("CI").is_some_and(|value| value == "true")
}
