//! The pages that explain the interface, and what they are given along.

use pointbook_pages::{FILES, PageFile};
use serde::Serialize;

/// What the pages are filled in with. Nothing, but in a demo: whoever opens them would else have a token.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct DocsSettings {
    /// The host and port of that address. Tokens are told to whom asks this host, or this machine by its own names.
    #[serde(skip)]
    pub host: Option<String>,
    /// The path of a tenant's base address, with `/api` at its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_path: Option<String>,
    /// Tokens that anybody may use.
    pub tokens: DocsTokens,
}

/// Tokens by who they speak for, by the names that the description has for them.
#[derive(Debug, Default, Clone, PartialEq, Eq, Serialize)]
pub struct DocsTokens {
    /// A customer's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer: Option<String>,
    /// A back office's.
    #[serde(rename = "superUser", skip_serializing_if = "Option::is_none")]
    pub super_user: Option<String>,
}

pub(super) fn file_at(path: &str) -> Option<&'static PageFile> {
    FILES.iter().find(|file| file.path == path)
}
