//! Memory of an idle server and the time until its first response, for the demo and for a large catalogue.

use std::time::Instant;

use anyhow::Result;
use xtask::operate::http_client::{self, get};
use xtask::operate::pointbook::Server;

use super::Scenario;
use super::reads::LIST;
use crate::data::{Dataset, TENANT, base_path};
use crate::measure::{Figures, Side};
use crate::options::Options;
use crate::subject::{Subject, Use};

const PRODUCTS: u32 = 1_000_000;

pub(super) fn scenarios(options: &Options) -> Vec<Scenario> {
    let large = |products| {
        Scenario::new(format!("start and memory, {products} products"), move |subject| {
            large(subject, products)
        })
    };
    let demo = Scenario::new("start and memory, demo", demo);
    [demo].into_iter().chain(options.sizes_or(PRODUCTS).into_iter().map(large)).collect()
}

fn demo(subject: &Subject) -> Result<Vec<Side>> {
    // The first demo fills its tenants. Later ones only serve them.
    let pointbook = subject.fresh("demo.db")?;
    let turn = move || start(|| pointbook.serve_as("demo", &[]), "/acme/api", "demo-ben", "");
    Ok(vec![Side::new("", turn)])
}

fn large(subject: &Subject, products: u32) -> Result<Vec<Side>> {
    let database = subject.open(Dataset::Catalogue(products), Use::Read)?;
    let token = database.tokens.of(TENANT, "user-0")?.to_owned();
    // The memory of the result of a search counts too.
    let search = "?filter[title]=anchor";
    Ok(vec![Side::new("", move || start(|| database.pointbook.serve(), &base_path(TENANT), &token, search))])
}

/// Starts a server, asks for a list and perhaps for a search, and lets the server rest.
fn start(serve: impl Fn() -> Result<Server>, base_path: &str, token: &str, search: &str) -> Result<Figures> {
    let begun = Instant::now();
    let server = serve()?;
    get(server.address, &format!("{base_path}{LIST}"), token)?;
    let first_ms = begun.elapsed().as_secs_f64() * 1_000.0;
    server.wait_until_idle()?;
    if !search.is_empty() {
        http_client::get(server.address, &format!("{base_path}{LIST}{search}"), token)?;
        server.wait_until_idle()?;
    }
    #[expect(clippy::cast_precision_loss, reason = "bytes of a process")]
    let resident = server.resident_bytes()? as f64 / 1e6;
    Ok(vec![("ms until the first list", first_ms), ("MB resident", resident)])
}
