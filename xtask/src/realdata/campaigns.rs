//! Five campaigns must give every bonus of the real ledger: in an import, one by one over HTTP, and in back-tests.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};
use xtask::operate::http_client::{Call, Connection};
use xtask::operate::pointbook::{NO_RATE_LIMIT, Pointbook, announce};

use super::{cost, read_gzip};

/// The definitions, each with the title of its bonuses in the ledger.
const CAMPAIGNS: [(&str, &str, &str); 5] = [
    ("welcome", "Welcome bonus", include_str!("campaigns/welcome.json")),
    ("birthday", "Birthday bonus", include_str!("campaigns/birthday.json")),
    ("double-points", "Double points week", include_str!("campaigns/double-points.json")),
    ("holiday", "Holiday campaign", include_str!("campaigns/holiday.json")),
    ("easter", "Easter campaign", include_str!("campaigns/easter.json")),
];

/// The rows are years old, the birth dates are new, and a welcome bonus is more than ten times a small scan.
const SETTINGS: [&str; 6] = [
    "--set",
    "campaign_max_age_days=0",
    "--set",
    "campaign_birth_date_days=0",
    "--set",
    "campaign_ceiling_factor=0",
];

/// How many rows are recorded one by one, at least.
const SINGLE_ROWS: usize = 20_000;
const CLIENTS: usize = 8;

/// A row of the ledger, as an export has it.
type Row = Map<String, Value>;

/// The tenant `store-ja` has the ledger with its bonuses.
pub(super) fn compare(pointbook: &Pointbook, folder: &Path, scratch: &Path) -> Result<()> {
    announce("campaigns");
    let rows = export(pointbook, "store-ja", &scratch.join("ledger.jsonl"))?;
    let users = scratch.join("users.jsonl");
    write_users(&folder.join("activity/expected-users.csv.gz"), &users)?;
    by_import(pointbook, scratch, &users, &rows)?;
    one_by_one(pointbook, scratch, &users, &rows)?;
    back_tests(pointbook, &rows)
}

fn export(pointbook: &Pointbook, tenant: &str, file: &Path) -> Result<Vec<Row>> {
    let path = file.to_str().context("a path that is not UTF-8")?;
    pointbook.quiet(&["export", "activities", "--tenant", tenant, "--format", "jsonl", "--output", path])?;
    let lines = BufReader::new(File::open(file)?).lines();
    lines.map(|line| Ok(serde_json::from_str(&line?)?)).collect()
}

/// The users of the expected totals, with their birthdays in a leap year.
fn write_users(totals: &Path, file: &Path) -> Result<()> {
    let mut users = BufWriter::new(File::create(file)?);
    for line in read_gzip(totals)?.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let [user, .., birthday] = &cells[..] else { anyhow::bail!("a line without a birthday: {line}") };
        let birth_date = (!birthday.is_empty()).then(|| format!("1980-{birthday}"));
        writeln!(users, "{}", json!({"user_id": user, "birth_date": birth_date}))?;
    }
    Ok(users.flush()?)
}

/// Adds a tenant with the users and the campaigns, which run from before the first row.
fn add_tenant(pointbook: &Pointbook, tenant: &str, scratch: &Path, users: &Path) -> Result<()> {
    let base_url = format!("https://{tenant}.example/{tenant}/api");
    let add = ["tenant", "add", tenant, "--environment", "production", "--base-url", &base_url];
    pointbook.quiet(&[&add[..], &["--locale", "en"], &NO_RATE_LIMIT, &SETTINGS].concat())?;
    let users = users.to_str().context("a path that is not UTF-8")?;
    pointbook.quiet(&["import", "users", users, "--tenant", tenant])?;
    put_campaigns(pointbook, tenant, scratch)?;
    for (id, ..) in CAMPAIGNS {
        let at = "1990-01-01T00:00:00Z";
        pointbook.quiet(&["campaign", "schedule", id, "--tenant", tenant, "--at", at])?;
    }
    Ok(())
}

fn put_campaigns(pointbook: &Pointbook, tenant: &str, scratch: &Path) -> Result<()> {
    let mut files: Vec<String> = Vec::new();
    for (id, _, definition) in CAMPAIGNS {
        let file: PathBuf = scratch.join(format!("{id}.json"));
        fs::write(&file, definition)?;
        files.push(file.to_str().context("a path that is not UTF-8")?.to_owned());
    }
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    pointbook.quiet(&[&["campaign", "put", "--tenant", tenant][..], &files].concat())?;
    Ok(())
}

fn by_import(pointbook: &Pointbook, scratch: &Path, users: &Path, rows: &[Row]) -> Result<()> {
    add_tenant(pointbook, "by-import", scratch, users)?;
    let file = scratch.join("without.jsonl");
    let mut without = BufWriter::new(File::create(&file)?);
    for row in rows {
        let mut row = row.clone();
        row.remove("bonus_breakdown");
        writeln!(without, "{}", Value::Object(row))?;
    }
    without.flush()?;
    let path = file.to_str().context("a path that is not UTF-8")?;
    let imported =
        pointbook.run(&["import", "activities", path, "--tenant", "by-import", "--apply-rules"])?;
    let found = export(pointbook, "by-import", &scratch.join("found.jsonl"))?;
    ensure!(found.len() == rows.len(), "{} rows instead of {}", found.len(), rows.len());
    let expected: HashMap<_, _> = rows.iter().map(|row| (key(row), breakdown(row))).collect();
    let differing = found.iter().filter(|row| expected.get(&key(row)) != Some(&breakdown(row))).count();
    ensure!(differing == 0, "{differing} rows got other bonuses");
    let bonuses: usize = found.iter().map(|row| breakdown(row).len()).sum();
    let with_bonus = found.iter().filter(|row| !breakdown(row).is_empty()).count();
    println!("import --apply-rules: {bonuses} bonuses in {with_bonus} rows as expected, {}", cost(&imported));
    audit(pointbook, "by-import")
}

fn audit(pointbook: &Pointbook, tenant: &str) -> Result<()> {
    print!("{tenant}: {}", pointbook.quiet(&["audit", "--tenant", tenant])?);
    Ok(())
}

/// What names a row for ever.
fn key(row: &Row) -> (String, String, String) {
    let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    (text("user_id"), text("type"), text("source_id"))
}

fn breakdown(row: &Row) -> Vec<Value> {
    row.get("bonus_breakdown").and_then(Value::as_array).cloned().unwrap_or_default()
}

fn points(row: &Row) -> i64 {
    let bonuses = breakdown(row).iter().filter_map(|bonus| bonus["points"].as_i64()).sum::<i64>();
    row.get("points").and_then(Value::as_i64).unwrap_or_default() + bonuses
}

/// Records whole users over HTTP. A balance must not fall below 0 there, so users whose balance does so are left out.
fn one_by_one(pointbook: &Pointbook, scratch: &Path, users: &Path, rows: &[Row]) -> Result<()> {
    add_tenant(pointbook, "one-by-one", scratch, users)?;
    let key = ["key", "add", "--tenant", "one-by-one", "--label", "realdata", "--expires-in", "never"];
    let key = pointbook.quiet(&[&key[..], &["--scopes", "activities:write"]].concat())?;
    let mut by_user: BTreeMap<&str, Vec<&Row>> = BTreeMap::new();
    for row in rows {
        by_user.entry(row["user_id"].as_str().unwrap_or_default()).or_default().push(row);
    }
    let mut chosen = Vec::new();
    let mut count = 0;
    for rows in by_user.into_values().filter(|rows| stays_positive(rows)) {
        count += rows.len();
        chosen.push(rows);
        if count >= SINGLE_ROWS {
            break;
        }
    }
    let server = pointbook.serve()?;
    let started = Instant::now();
    record_all(server.address, key.trim(), &chosen)?;
    let seconds = started.elapsed().as_secs_f64();
    println!("one by one: {count} rows of {} users as expected, {seconds:.1} s", chosen.len());
    drop(server);
    audit(pointbook, "one-by-one")
}

fn stays_positive(rows: &[&Row]) -> bool {
    let mut balance = 0;
    rows.iter().all(|row| {
        balance += points(row);
        balance >= 0
    })
}

fn record_all(address: SocketAddr, token: &str, users: &[Vec<&Row>]) -> Result<()> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<()> {
        let mut connection = Connection::new(address);
        while let Some(rows) = users.get(next.fetch_add(1, Ordering::Relaxed)) {
            rows.iter().try_for_each(|row| record(&mut connection, token, row))?;
        }
        Ok(())
    };
    thread::scope(|scope| {
        let clients: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(work)).collect();
        clients
            .into_iter()
            .try_for_each(|client| client.join().unwrap_or_else(|_| anyhow::bail!("a client panicked")))
    })
}

fn record(connection: &mut Connection, token: &str, row: &Row) -> Result<()> {
    let (user, ..) = key(row);
    let mut body = row.clone();
    body.remove("user_id");
    body.remove("bonus_breakdown");
    let path = format!("/one-by-one/api/v1/manage/users/{user}/activities");
    let call = Call { method: "POST", path, token, key: None, body: Some(Value::Object(body)) };
    let answer = connection.send(&call)?;
    ensure!(answer.status == 201, "{row:?}: {} {}", answer.status, answer.text());
    let found = answer.json()?["data"]["bonus_breakdown"].as_array().cloned().unwrap_or_default();
    ensure!(found == breakdown(row), "{row:?}: got {found:?}");
    Ok(())
}

fn back_tests(pointbook: &Pointbook, rows: &[Row]) -> Result<()> {
    for (id, title, _) in CAMPAIGNS {
        let window = ["--from", "1990-01-01T00:00:00Z", "--until", "2020-01-01T00:00:00Z"];
        let test = ["campaign", "back-test", id, "--tenant", "by-import", "--json"];
        let finished = pointbook.run(&[&test[..], &window].concat())?;
        let result: Value = serde_json::from_str(&finished.stdout)?;
        let of_campaign = rows.iter().flat_map(breakdown).filter(|bonus| bonus["title"] == title);
        let points: Vec<i64> = of_campaign.filter_map(|bonus| bonus["points"].as_i64()).collect();
        let expected = json!({"awards": points.len(), "points": points.iter().sum::<i64>(), "differing": 0});
        let found =
            json!({"awards": result["awards"], "points": result["points"], "differing": result["differing"]});
        ensure!(found == expected, "{id}: expected {expected}, found {found}");
        println!("back-test of {id}: {} awards as expected, {}", points.len(), cost(&finished));
    }
    Ok(())
}
