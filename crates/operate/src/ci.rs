//! Where a task runs.

use std::env;

/// Whether this is the machine that guards the branch, which may not go on without what a step needs.
#[expect(clippy::disallowed_methods, reason = "a task is told by the environment where it runs")]
pub fn in_ci() -> bool {
    env::var("CI").is_ok_and(|value| value == "true")
}
