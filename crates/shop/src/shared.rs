//! What every page of the shop gets, and what the program tells the front door.

use std::sync::Arc;

use pointbook_domain::texts::Texts;
use pointbook_domain::{Environment, Slug, UserId};
use pointbook_http::pages::Languages;
use pointbook_store::{IdSource, SecretSource, Service};

/// What pages share.
pub(crate) struct Shared {
    pub(crate) service: Arc<Service>,
    pub(crate) ids: Arc<dyn IdSource>,
    pub(crate) secrets: Arc<dyn SecretSource>,
    pub(crate) texts: Texts,
    pub(crate) languages: Languages,
    pub(crate) home: Home,
}

/// What the front door says.
#[derive(Debug, Clone, Default)]
pub struct Home {
    /// Of the program.
    pub version: &'static str,
    /// Whether the server has pages at `/docs`.
    pub has_docs: bool,
    /// The people of a demo. `None` for a real server.
    pub demo: Option<DemoPage>,
}

/// The part of the front door about the demo.
#[derive(Debug, Clone)]
pub struct DemoPage {
    /// The base URL of production, without a trailing slash.
    pub base_url: String,
    pub people: Vec<DemoPerson>,
    /// Finds the picture of a product, as SVG, by the last segment of its path.
    pub picture: fn(&str) -> Option<String>,
}

/// A person of the demo, or its back office.
#[derive(Debug, Clone)]
pub struct DemoPerson {
    pub tenant: Slug,
    pub environment: Environment,
    /// `None` for the back office.
    pub user: Option<UserId>,
    pub token: String,
    /// What this token shows.
    pub shows: String,
}
