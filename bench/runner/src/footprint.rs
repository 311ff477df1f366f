//! Memory of an idle server and the time until its first response, for the demo and for the largest catalogue.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use pointbook_operate::http_client::{self, Call, Connection};
use pointbook_operate::pointbook::{Pointbook, Server};

use super::BASE_PATH;
use super::context::Bench;
use super::data::{Database, Dataset, folder};
use super::record::Bound;
use super::requests::{Get, Target};
use super::spread::Spread;

const MEMORY: &str = "memory, large catalogue";
const MEMORY_DEMO: &str = "memory, idle demo";
const START: &str = "start, large catalogue";
const START_DEMO: &str = "start, demo";
const PRODUCTS: u32 = 1_000_000;
const DEMO_LIST: &str = "/acme/api/v1/store/products";
const DEMO_TOKEN: &str = "demo-ben";
/// The largest page size of a list.
const PAGE_SIZE: u32 = 100;
const HEAD: &[&str] = &["scenario", "measured", "of"];
const TITLE: &str = "Memory and start";

pub(super) fn names() -> Vec<String> {
    [MEMORY, MEMORY_DEMO, START, START_DEMO].map(str::to_owned).into()
}

/// Measures the selected scenarios. A quick run leaves out the million products.
pub(super) fn run(bench: &Bench) -> Result<()> {
    if bench.wants(START_DEMO) || bench.wants(MEMORY_DEMO) {
        measure_demo(bench)?;
    }
    let sizes = bench.sizes(&[PRODUCTS]);
    for products in sizes.into_iter().filter(|_| bench.wants(MEMORY) || bench.wants(START)) {
        measure_large(bench, products)?;
    }
    Ok(())
}

fn measure_demo(bench: &Bench) -> Result<()> {
    let database = folder()?.join("demo.db");
    let pointbook = Pointbook::new(&database);
    remove(&database);
    // The first demo fills its tenants. Later ones only serve them.
    drop(demo(&pointbook)?);
    let rounds = bench.repeat(START_DEMO, || {
        let (server, first_ms) = first_list(|| demo(&pointbook), DEMO_LIST, DEMO_TOKEN)?;
        server.wait_until_idle()?;
        Ok((first_ms, megabytes(server.resident_bytes()?)))
    })?;
    let [start_ms, memory] = Spread::of_each(&rounds, [|round| round.0, |round| round.1]);
    eprintln!("{start_ms} ms, {memory} MB");
    if bench.wants(START_DEMO) {
        bench.judge(START_DEMO, "first list under 50 ms", start_ms, Bound::AtMost(50.0));
        bench.row(
            TITLE,
            HEAD,
            vec![START_DEMO.to_owned(), format!("{start_ms} ms"), "until the first list".to_owned()],
        );
    }
    if bench.wants(MEMORY_DEMO) {
        bench.judge(MEMORY_DEMO, "less than 20 MB resident", memory, Bound::AtMost(20.0));
        bench.row(
            TITLE,
            HEAD,
            vec![MEMORY_DEMO.to_owned(), format!("{memory} MB"), "resident after a list".to_owned()],
        );
    }
    Ok(())
}

fn demo(pointbook: &Pointbook) -> Result<Server> {
    pointbook.serve_as("demo", &[])
}

fn measure_large(bench: &Bench, products: u32) -> Result<()> {
    let database = Dataset::Catalogue(products).prepare()?;
    let rendered_bytes = rendered_bytes(&database, products)?;
    let list = format!("{BASE_PATH}/v1/store/products");
    let token = database.tokens.of("user-0")?;
    let name = format!("start and memory, {products} products");
    let rounds = bench.repeat(&name, || {
        let (server, first_ms) = first_list(|| database.pointbook.serve(), &list, token)?;
        server.wait_until_idle()?;
        search_and_rest(&server, token)?;
        Ok((first_ms / 1_000.0, megabytes(server.resident_bytes()?), megabytes(server.peak_bytes()?)))
    })?;
    let [start_s, memory, peak] =
        Spread::of_each(&rounds, [|round| round.0, |round| round.1, |round| round.2]);
    let rendered = megabytes(rendered_bytes);
    let ratio = Spread::of(rounds.iter().map(|round| round.1 / rendered));
    eprintln!("{start_s} s, {memory} MB, {ratio} times the JSON");
    let [start_name, memory_name] = [START, MEMORY].map(|name| format!("{name}, {products} products"));
    if bench.wants(START) {
        bench.judge(&start_name, "first list under 3 s", start_s, Bound::AtMost(3.0));
        bench.row(TITLE, HEAD, vec![start_name, format!("{start_s} s"), "until the first list".to_owned()]);
    }
    if bench.wants(MEMORY) {
        bench.judge(&memory_name, "at most 1.6 times the rendered JSON", ratio, Bound::AtMost(1.6));
        let of = format!("{rendered:.0} MB of JSON; {} MB at most while loading", peak.whole());
        bench.row(TITLE, HEAD, vec![memory_name, format!("{} MB", memory.whole()), of]);
    }
    Ok(())
}

/// Starts a server. Returns it with the milliseconds until the response to a list.
fn first_list(start: impl FnOnce() -> Result<Server>, path: &str, token: &str) -> Result<(Server, f64)> {
    let begun = Instant::now();
    let server = start()?;
    http_client::get(server.address, path, token)?;
    Ok((server, millis(begun.elapsed())))
}

/// Runs a first search, because the memory of its result counts too, and waits until the server is idle.
fn search_and_rest(server: &Server, token: &str) -> Result<()> {
    Target::of(server).ask(&Get::new("/v1/store/products?filter[title]=anchor", token))?;
    server.wait_until_idle()
}

/// The size of all products in lists, in bytes, counted once for each database.
fn rendered_bytes(database: &Database, products: u32) -> Result<u64> {
    let file = database.path.with_extension("rendered");
    // The file is valid for this generation of the database only.
    let stamp = fs::read_to_string(database.path.with_extension("complete"))?;
    let known = fs::read_to_string(&file).unwrap_or_default();
    if let Some((bytes, of)) = known.split_once('\n').filter(|(_, of)| **of == *stamp) {
        return bytes.parse().with_context(|| format!("{} of {of}", file.display()));
    }
    let bytes = count_bytes(database, products)?;
    fs::write(file, format!("{bytes}\n{stamp}"))?;
    Ok(bytes)
}

fn count_bytes(database: &Database, products: u32) -> Result<u64> {
    let server = database.pointbook.serve()?;
    let (mut connection, mut bytes) = (Connection::new(server.address), 0);
    for page in 1..=products.div_ceil(PAGE_SIZE) {
        let path = format!("{BASE_PATH}/v1/store/products?page[size]={PAGE_SIZE}&page[number]={page}");
        let answer = connection.send(&Call::get(path, database.tokens.of("user-0")?))?;
        bytes += data_bytes(&answer.body).context("unexpected form of a list")?;
    }
    ensure!(bytes > 0, "no products");
    Ok(bytes)
}

/// The size of the products, without the JSON around and between them.
fn data_bytes(body: &[u8]) -> Option<u64> {
    let body = std::str::from_utf8(body).ok()?;
    let (data, _) = body.strip_prefix(r#"{"data":["#)?.rsplit_once(r#"],"links":"#)?;
    let commas = data.matches("},{").count();
    u64::try_from(data.len() - commas).ok()
}

fn remove(database: &Path) {
    let files: [PathBuf; 3] = ["db", "db-wal", "db-shm"].map(|suffix| database.with_extension(suffix));
    for file in files {
        // A missing file is fine.
        let _ = fs::remove_file(file);
    }
}

#[expect(clippy::cast_precision_loss, reason = "bytes of a process")]
fn megabytes(bytes: u64) -> f64 {
    bytes as f64 / 1e6
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_products_of_a_list_count() {
        let body = br#"{"data":[{"id":"a"},{"id":"b"}],"links":{"first":"x"},"meta":{}}"#;
        assert_eq!(data_bytes(body), Some(20));
        assert_eq!(data_bytes(b"{}"), None);
    }
}
