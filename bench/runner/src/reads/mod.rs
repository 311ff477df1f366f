//! Reads of the catalogue.

pub(super) mod compressed;
pub(super) mod deep;
pub(super) mod filters;
pub(super) mod queries;
pub(super) mod search;
pub(super) mod warm;

use anyhow::{Context, Result};
use pointbook_operate::http_client::{Call, Connection};
use pointbook_operate::pointbook::Server;

use super::BASE_PATH;
use super::data::Dataset;
use super::requests::{Get, Target};

/// The default number of products on a page.
const PAGE_SIZE: u32 = 15;
/// The number of products in the issue.
const MEDIUM: u32 = 50_000;
const LARGE: u32 = 1_000_000;
/// The sizes in the plot.
const ALL_SIZES: [u32; 4] = [1_000, MEDIUM, 500_000, LARGE];

/// A server with a catalogue.
pub(super) struct Served {
    server: Server,
    target: Target,
    token: String,
}

impl Served {
    pub(super) fn start(products: u32) -> Result<Self> {
        let database = Dataset::Catalogue(products).prepare()?;
        let server = database.pointbook.serve()?;
        let (target, token) = (Target::of(&server), database.tokens.of("user-0")?.to_owned());
        // The first request loads the catalogue. Background work is done when the server is idle.
        target.ask(&Get::new("/v1/store/products", &token))?;
        server.wait_until_idle()?;
        Ok(Self { server, target, token })
    }

    pub(super) fn target(&self) -> &Target {
        &self.target
    }

    /// The token of a customer.
    pub(super) fn token(&self) -> &str {
        &self.token
    }

    fn list(&self, query: &str) -> Get {
        Get::new(format!("/v1/store/products{query}"), &self.token)
    }

    /// How many products match a filter.
    fn total(&self, connection: &mut Connection, filter: &str) -> Result<u32> {
        let path = format!("{BASE_PATH}/v1/store/products?page[size]=1&{filter}");
        let answer = connection.send(&Call::get(path, &self.token))?;
        let total = answer.json()?["meta"]["total"].as_u64();
        Ok(u32::try_from(total.with_context(|| format!("a list without a total: {}", answer.text()))?)?)
    }
}
