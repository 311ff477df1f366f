//! `cargo xtask realdata FOLDER [--database postgres|URL]`: imports real catalogues and a real ledger with the release
//! binary, and compares every figure with the expected one. It takes minutes, so `cargo xtask check` does not run it.

mod campaigns;
mod reports;

use std::collections::{BTreeMap, HashSet};
use std::io::Read as _;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use xtask::operate::http_client::get;
use xtask::operate::pointbook::{Finished, NO_RATE_LIMIT, Pointbook, announce, build_release};
use xtask::operate::postgres::Postgres;

/// The history of every hundredth user is also read through the interface.
const HISTORY_SAMPLE: usize = 100;
/// Users who are always in the sample: those with the most rows and the most days.
const HEAVY_USERS: [&str; 2] = ["or-17841", "cd-14048"];

/// The expected transactions, days and points of each user.
type Expected = BTreeMap<String, [i64; 3]>;

/// Imports, audits, serves and compares.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let (folder, database) = match words {
        [folder] => (folder, None),
        [folder, option, database] if option == "--database" => (folder, Some(database)),
        _ => bail!("usage: cargo xtask realdata FOLDER [--database postgres|URL]"),
    };
    let folder = PathBuf::from(folder);
    ensure!(folder.join("README.md").exists(), "{} has no README.md: not a data folder", folder.display());
    build_release(&["pointbook-server"])?;
    let scratch = tempfile::tempdir()?;
    let postgres = database.map(|word| Postgres::open(word)).transpose()?;
    let pointbook = match &postgres {
        Some(postgres) => postgres.pointbook(),
        None => Pointbook::new(&scratch.path().join("realdata.db")),
    };
    import(&pointbook, &folder)?;
    let expected = expected_users(&folder.join("activity/expected-users.csv.gz"))?;
    compare_totals(&pointbook, &expected)?;
    reports::compare(&pointbook, &folder)?;
    serve(&pointbook, &expected)?;
    campaigns::compare(&pointbook, &folder, scratch.path())
}

fn import(pointbook: &Pointbook, folder: &Path) -> Result<()> {
    for (tenant, locale) in [("store-en", "en"), ("store-ja", "ja")] {
        let base_url = format!("https://{tenant}.example/{tenant}/api");
        let add = ["tenant", "add", tenant, "--environment", "production", "--base-url", &base_url];
        pointbook.run(&[&add[..], &["--locale", locale], &NO_RATE_LIMIT].concat())?;
        import_file(pointbook, tenant, "categories", &folder.join(tenant).join("categories.json"))?;
        import_file(pointbook, tenant, "products", &folder.join(tenant).join("products.jsonl.gz"))?;
    }
    reports::begin(pointbook)?;
    import_file(pointbook, "store-ja", "activities", &folder.join("activity/activities.csv.gz"))
}

fn import_file(pointbook: &Pointbook, tenant: &str, kind: &str, file: &Path) -> Result<()> {
    let file = file.to_str().context("a path that is not UTF-8")?;
    let finished = pointbook.run(&["import", kind, file, "--tenant", tenant])?;
    println!("{tenant}: {}, {}", finished.stdout.trim(), cost(&finished));
    Ok(())
}

fn cost(finished: &Finished) -> String {
    format!("{:.1} s, peak {} MB", finished.wall.as_secs_f64(), finished.peak_memory_bytes / 1_000_000)
}

fn expected_users(file: &Path) -> Result<Expected> {
    parse_totals(&read_gzip(file)?)
}

fn read_gzip(file: &Path) -> Result<String> {
    let mut text = String::new();
    let zipped = std::fs::File::open(file).with_context(|| format!("cannot open {}", file.display()))?;
    flate2::read::MultiGzDecoder::new(zipped).read_to_string(&mut text)?;
    Ok(text)
}

/// Reads `user_id,transactions,days,user_points` and ignores further columns.
fn parse_totals(text: &str) -> Result<Expected> {
    let mut users = Expected::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        ensure!(cells.len() >= 4, "a line needs at least four cells: {line}");
        users.insert(cells[0].to_owned(), [cells[1].parse()?, cells[2].parse()?, cells[3].parse()?]);
    }
    Ok(users)
}

/// Compares the audit's totals, which it recomputes from the ledger, with the expected ones.
fn compare_totals(pointbook: &Pointbook, expected: &Expected) -> Result<()> {
    announce("audit");
    let finished = pointbook.run(&["audit", "--tenant", "store-ja", "--totals"])?;
    let found = parse_totals(&finished.stdout)?;
    for (user, totals) in expected {
        let stored = found.get(user).with_context(|| format!("user {user} is missing"))?;
        ensure!(stored == totals, "user {user}: expected {totals:?}, found {stored:?}");
    }
    ensure!(found.len() == expected.len(), "found {} users, expected {}", found.len(), expected.len());
    println!("audit: {} users as expected, {}", found.len(), cost(&finished));
    Ok(())
}

fn serve(pointbook: &Pointbook, expected: &Expected) -> Result<()> {
    let mut tokens = BTreeMap::new();
    for tenant in ["store-en", "store-ja"] {
        tokens.insert(tenant, issue(pointbook, tenant, "realdata")?);
    }
    let started = Instant::now();
    let server = pointbook.serve()?;
    for (tenant, token) in &tokens {
        get(server.address, &format!("/{tenant}/api/v1/store/products"), token)?;
    }
    let (accepts, answers) = (server.start.as_millis(), started.elapsed().as_millis());
    println!("serve: accepts after {accepts} ms, has served a list of both catalogues after {answers} ms");
    let mut rendered = 0;
    for (tenant, token) in &tokens {
        rendered += walk(server.address, tenant, token)?;
    }
    let resident = server.resident_bytes()? / 1_000_000;
    println!("serve: {resident} MB resident for {} MB of product JSON", rendered / 1_000_000);
    compare_histories(pointbook, server.address, expected)
}

fn issue(pointbook: &Pointbook, tenant: &str, user: &str) -> Result<String> {
    Ok(pointbook.quiet(&["token", "issue", "--tenant", tenant, "--user", user])?.trim().to_owned())
}

/// Follows `links.next` from the first page to the last. Returns the size of all products in bytes.
fn walk(address: SocketAddr, tenant: &str, token: &str) -> Result<usize> {
    let base = format!("https://{tenant}.example");
    let mut path = format!("/{tenant}/api/v1/store/products?page[size]=100");
    let mut seen = HashSet::new();
    let mut bytes = 0;
    loop {
        let page = get(address, &path, token)?.json()?;
        for product in page["data"].as_array().context("no data")? {
            let id = product["id"].as_str().context("a product without an id")?;
            ensure!(seen.insert(id.to_owned()), "product {id} is on two pages");
            bytes += serde_json::to_vec(product)?.len();
        }
        let Value::String(next) = &page["links"]["next"] else {
            ensure!(page["meta"]["total"] == seen.len(), "read {} products, {}", seen.len(), page["meta"]);
            println!("{tenant}: {} products, once each", seen.len());
            return Ok(bytes);
        };
        next.strip_prefix(&base).context("a link outside the base URL")?.clone_into(&mut path);
    }
}

fn compare_histories(pointbook: &Pointbook, address: SocketAddr, expected: &Expected) -> Result<()> {
    let sampled = expected
        .iter()
        .enumerate()
        .filter(|(place, (user, _))| place % HISTORY_SAMPLE == 0 || HEAVY_USERS.contains(&user.as_str()));
    let mut count = 0;
    for (_, (user, totals)) in sampled {
        let token = issue(pointbook, "store-ja", user)?;
        let found = read_history(address, &token).with_context(|| format!("history of {user}"))?;
        ensure!(found == *totals, "user {user} over the interface: expected {totals:?}, found {found:?}");
        count += 1;
    }
    println!("history: {count} users as expected, every page");
    Ok(())
}

/// Transactions, days and points, counted over all pages.
fn read_history(address: SocketAddr, token: &str) -> Result<[i64; 3]> {
    let (mut transactions, mut days, mut number, mut sum) = (0, 0, 1, 0);
    loop {
        let path = format!("/store-ja/api/v1/user/point-history?page[number]={number}");
        let page = get(address, &path, token)?.json()?;
        for groups in page["data"].as_object().context("no data")?.values() {
            days += 1;
            for row in
                groups.as_array().into_iter().flatten().filter_map(|group| group["data"].as_array()).flatten()
            {
                transactions += 1;
                sum += row["points"].as_i64().unwrap_or(0) + row["bonus_points"].as_i64().unwrap_or(0);
            }
        }
        if page["meta"]["last_page"] == number {
            ensure!(
                page["user_points"] == sum,
                "user_points is {}, but the sum of the rows is {sum}",
                page["user_points"]
            );
            return Ok([transactions, days, sum]);
        }
        number += 1;
    }
}
