//! The database operations of a server without requests.

use std::collections::BTreeMap;

use crate::program::{Folder, Server, get};

/// Operations that run on a timer, regardless of the number of tenants.
const BY_THE_CLOCK: [&str; 5] = ["ping", "data_version", "tenants_version", "due_jobs", "count_jobs"];

/// The maximum number of pings during an observation: at most two per second.
const PINGS: u64 = 4;

/// How many observations to wait for the operations of the start to end.
const LOOKS: usize = 10;

#[test]
fn tenants_without_requests_cost_no_statement() {
    let folder = Folder::with_tenant();
    folder.write("a.toml", "[listen]\nmetrics = \"127.0.0.1:0\"\n");
    for slug in ["b", "c"] {
        let url = format!("http://{slug}.example/api");
        folder.run(&format!("tenant add {slug} --environment production --base-url {url}")).expect_code(0);
    }
    assert_comes_to_rest(&folder.serve("serve --listen 127.0.0.1:0 --config a.toml"));
}

/// After some seconds, the server runs only the operations of its timers.
#[track_caller]
pub(crate) fn assert_comes_to_rest(server: &Server) {
    let url = server.metrics_url.as_deref().unwrap();
    let others = |counts: BTreeMap<String, u64>| {
        counts.into_iter().filter(|(name, _)| !BY_THE_CLOCK.contains(&name.as_str())).collect::<Vec<_>>()
    };
    let mut seen = Vec::new();
    for _ in 0..LOOKS {
        let before = counts(url);
        let pings = before.get("ping").copied().unwrap_or_default();
        while counts(url).get("ping").copied().unwrap_or_default() < pings + PINGS {}
        let (before, after) = (others(before), others(counts(url)));
        assert!(after.iter().any(|(name, _)| name == "catalogue_version"), "{after:?}");
        if before == after {
            return;
        }
        seen.push(after);
    }
    panic!("{seen:#?}");
}

/// How often each operation of the store ran.
pub(crate) fn counts(metrics_url: &str) -> BTreeMap<String, u64> {
    let metrics = get(metrics_url, "");
    let counts = metrics.lines().filter_map(|line| {
        let rest = line.strip_prefix("pointbook_store_seconds_count{operation=\"")?;
        let (operation, count) = rest.split_once("\"} ")?;
        Some((operation.to_owned(), count.parse().unwrap()))
    });
    counts.collect()
}
