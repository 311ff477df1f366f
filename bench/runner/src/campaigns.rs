//! Durable activities of tenants with fifty running campaigns, beside a tenant without campaigns on the same server.

use std::fs;

use anyhow::Result;
use pointbook_operate::pointbook::{Pointbook, Server};
use serde_json::{Value, json};

use super::contest::{self, Contest, Side, Workload};
use super::context::Bench;
use super::data::{self, Dataset, copy};
use super::script::Script;
use super::writers::Writers;

pub(super) const NAME: &str = "activities with campaigns";
const CLIENTS: u32 = 64;
/// How many campaigns run.
const RUNNING: u32 = 50;
/// The tenants with campaigns.
const NONE_GIVES: (&str, &str) = ("none-gives", "/none-gives/api");
const ONE_GIVES: (&str, &str) = ("one-gives", "/one-gives/api");

pub(super) fn names() -> Vec<String> {
    vec![NAME.to_owned()]
}

/// Measures on SQLite.
pub(super) fn run(bench: &Bench) -> Result<()> {
    let (folder, template) = (data::folder()?, Dataset::Writes.prepare()?.path);
    let database = folder.join("campaigns.db");
    copy(&template, &database)?;
    let pointbook = Pointbook::new(&database);
    let writers = Writers::add(&pointbook, &folder)?;
    let server = pointbook.serve()?;
    contest::print_head();
    contest(&pointbook, &server, &writers)?.run(bench, None)
}

/// Adds the tenants with campaigns, and compares them with the tenant without.
pub(super) fn contest<'c>(
    pointbook: &Pointbook,
    server: &'c Server,
    without: &'c Writers,
) -> Result<Contest<'c>> {
    let folder = data::folder()?;
    let mut sides = Vec::new();
    for (name, (tenant, base_path)) in
        [("50 campaigns, none gives a bonus", NONE_GIVES), ("50 campaigns, one gives a bonus", ONE_GIVES)]
    {
        data::add_tenant(pointbook, tenant, base_path)?;
        let writers = Writers::of_tenant(pointbook, &folder, tenant, base_path)?;
        start_campaigns(pointbook, tenant)?;
        sides.push(side(name, server, move || Script::activities_of_many(&writers)));
    }
    sides.push(side("no campaigns", server, || Script::activities_of_many(without)));
    Ok(Contest { name: NAME, sides, aim: 0.95 })
}

fn side<'c>(name: &'c str, server: &'c Server, script: impl Fn() -> Result<Script> + 'c) -> Side<'c> {
    Side { name, workload: Workload::Http { server, clients: CLIENTS, script: Box::new(script) } }
}

fn start_campaigns(pointbook: &Pointbook, tenant: &str) -> Result<()> {
    for number in 0..RUNNING {
        let id = format!("campaign-{number}");
        let file = data::folder()?.join("campaign.json");
        let gives = tenant == ONE_GIVES.0 && number == 0;
        fs::write(&file, campaign(number, &id, gives).to_string())?;
        pointbook.quiet(&["campaign", "put", "--tenant", tenant, &file.to_string_lossy()])?;
        pointbook.quiet(&["campaign", "schedule", &id, "--tenant", tenant])?;
    }
    Ok(())
}

/// A campaign on scanned codes. Unless it gives a bonus, the requests of the benchmark fail one of its conditions.
fn campaign(number: u32, id: &str, gives: bool) -> Value {
    let mut conditions = match number % 5 {
        0 => json!({"attributes": {"sku": [format!("sku-{number}")]}}),
        1 => json!({"min_points": 1_000 + number}),
        2 => json!({"source_prefixes": [format!("other-{number}")]}),
        3 => json!({"member_before": "2020-01-01T00:00:00Z"}),
        _ => json!({"members": [format!("member-{number}"), "someone-else"]}),
    };
    if gives {
        conditions = json!({});
    }
    conditions["types"] = json!(["code"]);
    json!({"id": id, "title": {"en": "Bonus"}, "conditions": conditions, "reward": {"percent": 50}})
}
