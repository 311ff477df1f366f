//! Durable activities of tenants with fifty running campaigns and of a tenant without campaigns, on the same server.

use std::fs;

use anyhow::Result;
use pointbook_operate::pointbook::{Pointbook, Server};
use serde_json::{Value, json};

use super::contest::{self, Contest, Side, Workload};
use super::context::Bench;
use super::data::{self, Dataset, copy};
use super::script::Script;
use super::writers::Writers;

const NAME: &str = "activities with campaigns";
const NAME_OF_BONUSES: &str = "bonuses of campaigns";
const CLIENTS: u32 = 64;
/// How many campaigns run.
const RUNNING: u32 = 50;
/// How many campaigns of a tenant give a bonus to the activities of this benchmark.
const NONE_GIVES: (&str, &str) = ("none-gives", "/none-gives/api");
const ONE_GIVES: (&str, &str) = ("one-gives", "/one-gives/api");
/// A tenant without campaigns.
const WITHOUT: (&str, &str) = ("without", "/without/api");

pub(super) fn names() -> Vec<String> {
    vec![NAME.to_owned(), NAME_OF_BONUSES.to_owned()]
}

/// Measures on SQLite.
pub(super) fn run(bench: &Bench) -> Result<()> {
    let (folder, template) = (data::folder()?, Dataset::Writes.prepare()?.path);
    let database = folder.join("campaigns.db");
    copy(&template, &database)?;
    let pointbook = Pointbook::new(&database);
    let tenants = Tenants::add(&pointbook)?;
    let server = pointbook.serve()?;
    contest::print_head();
    tenants.run(bench, &server, None)
}

/// The users of three tenants that are equal but for their campaigns.
pub(super) struct Tenants {
    none_gives: Writers,
    one_gives: Writers,
    without: Writers,
}

impl Tenants {
    pub(super) fn add(pointbook: &Pointbook) -> Result<Self> {
        let folder = data::folder()?;
        let add = |(tenant, base_path)| {
            data::add_tenant(pointbook, tenant, base_path)?;
            Writers::of_tenant(pointbook, &folder, tenant, base_path)
        };
        let (none_gives, one_gives, without) = (add(NONE_GIVES)?, add(ONE_GIVES)?, add(WITHOUT)?);
        for (tenant, _) in [NONE_GIVES, ONE_GIVES] {
            start_campaigns(pointbook, tenant)?;
        }
        Ok(Self { none_gives, one_gives, without })
    }

    pub(super) fn run(&self, bench: &Bench, server: &Server, database: Option<u32>) -> Result<()> {
        for contest in [self.campaigns(server), self.bonuses(server)] {
            if bench.wants(contest.name) {
                contest.run(bench, database)?;
            }
        }
        Ok(())
    }

    /// What campaigns cost that give nothing.
    fn campaigns<'c>(&'c self, server: &'c Server) -> Contest<'c> {
        let sides = vec![
            side("50 campaigns, none gives a bonus", server, || Script::activities_of_many(&self.none_gives)),
            side("no campaigns", server, || Script::activities_of_many(&self.without)),
        ];
        Contest { name: NAME, sides, aim: 0.95 }
    }

    /// What it costs to let campaigns give a bonus, which every activity gets here.
    fn bonuses<'c>(&'c self, server: &'c Server) -> Contest<'c> {
        let sides = vec![
            side("of 50 campaigns, one gives a bonus", server, || {
                Script::activities_of_many(&self.one_gives)
            }),
            side("no campaigns, no bonus", server, || Script::activities_of_many(&self.without)),
            side("the back office sends the bonus", server, || Script::bonuses_of_many(&self.without)),
        ];
        Contest { name: NAME_OF_BONUSES, sides, aim: 0.95 }
    }
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
