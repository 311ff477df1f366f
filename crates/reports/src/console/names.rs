//! The path of this section, and the ids of its texts.

/// The path of this section.
pub(super) const PATH: &str = "/reports";

/// The end of the id of a text, which has no `_`.
pub(super) fn hyphens(name: &str) -> String {
    name.replace('_', "-")
}
