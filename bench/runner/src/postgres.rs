//! The service on PostgreSQL, beside the bare driver on the same server with the same statements and as many
//! connections. Its lists, which need no database, are compared with the service on SQLite.

use anyhow::Result;
use pointbook_operate::pointbook::{Pointbook, Server};
use pointbook_operate::postgres::Postgres;

use super::TENANT;
use super::campaigns;
use super::contest::{self, Contest, Side, Workload};
use super::context::Bench;
use super::data::{self, Dataset};
use super::idle;
use super::script::Script;
use super::writers::{Writers, issue};

/// How many clients read or write at once.
const READERS: u32 = 32;
const WRITERS: u32 = 64;
/// The user whose token reads lists.
const READER: &str = "user-50";
/// The value of `--database` for a temporary server.
const STARTED: &str = "postgres";

/// Measures the selected scenarios, and prints their table.
pub(super) fn run(bench: &Bench, database: &str) -> Result<()> {
    let scenario = bench.options.scenario.as_str();
    // A given database was empty, and gets the data of one scenario only.
    let is_idle_alone = !scenario.is_empty() && bench.wants(idle::POSTGRES);
    if is_idle_alone || scenario.is_empty() && database == STARTED {
        idle::run_on_postgres(bench, database)?;
    }
    if is_idle_alone {
        return Ok(());
    }
    let setup = PostgresSetup::prepare(database)?;
    let contests =
        [setup.histories(), setup.activities(), setup.orders(), setup.orders_of_one(), setup.lists()];
    contest::print_head();
    if campaigns::names().iter().any(|name| bench.wants(name)) {
        let tenants = campaigns::Tenants::add(&setup.postgres.pointbook())?;
        tenants.run(bench, &setup.server, setup.postgres.process())?;
    }
    for contest in contests.into_iter().filter(|contest| bench.wants(contest.name)) {
        contest.run(bench, setup.postgres.process())?;
    }
    Ok(())
}

/// A filled database, and servers on it.
struct PostgresSetup {
    postgres: Postgres,
    writers: Writers,
    server: Server,
    /// A server under row-level security, when the role could be created.
    as_service_role: Option<Server>,
    unprepared: Server,
    /// The same catalogue, and a customer's token there.
    sqlite: (Server, String),
}

impl PostgresSetup {
    fn prepare(database: &str) -> Result<Self> {
        let folder = data::folder()?;
        let postgres = Postgres::open(database)?;
        let pointbook = postgres.pointbook();
        Dataset::Writes.fill(&pointbook, &folder, data::today_end()?)?;
        let writers = Writers::add(&pointbook, &folder)?;
        let role = postgres.service_url()?;
        let as_service_role = role.map(|url| Pointbook::on(url).serve()).transpose()?;
        let mark = if postgres.url.contains('?') { '&' } else { '?' };
        let unprepared = Pointbook::on(format!("{}{mark}prepared_statements=off", postgres.url)).serve()?;
        let sqlite = Dataset::Writes.prepare()?.pointbook;
        let token = issue(&sqlite, TENANT, &["--user", READER])?;
        let (server, sqlite) = (pointbook.serve()?, (sqlite.serve()?, token));
        Ok(Self { postgres, writers, server, as_service_role, unprepared, sqlite })
    }

    /// The newest page of a history: 15 days, some 50 rows.
    fn histories(&self) -> Contest<'_> {
        let side = |name, server| {
            let script = || Script::histories(&self.writers);
            Side { name, workload: Workload::Http { server, clients: READERS, script: Box::new(script) } }
        };
        let as_service_role = self.as_service_role.iter();
        let mut sides = vec![side("pointbook", &self.server)];
        sides.extend(as_service_role.map(|server| side("as a role under row-level security", server)));
        sides.push(side("prepared_statements=off", &self.unprepared));
        sides.push(self.bare("bare driver", ["history", "user-", "16", "1"]));
        Contest { name: "history, 500 rows", sides, aim: 0.70 }
    }

    fn activities(&self) -> Contest<'_> {
        let sides = vec![
            self.writing(Script::activities_of_many),
            self.bare("bare driver, 16 to a transaction", ["activities", "writer-", "4", "16"]),
            self.bare("bare driver, one to a transaction", ["activities", "writer-", "16", "1"]),
        ];
        Contest { name: "activities of many users", sides, aim: 0.60 }
    }

    fn orders(&self) -> Contest<'_> {
        let bare = self.bare("bare driver", ["orders", "buyer-", "16", "1"]);
        Contest { name: "orders", sides: vec![self.writing(Script::orders_of_many), bare], aim: 0.60 }
    }

    /// Orders of one product. Only one order at a time can lock the product's row.
    fn orders_of_one(&self) -> Contest<'_> {
        let bare = self.bare("bare driver", ["orders-of-one", "buyer-", "16", "1"]);
        Contest {
            name: "orders of one product",
            sides: vec![self.writing(Script::orders_of_one), bare],
            aim: 0.60,
        }
    }

    fn lists(&self) -> Contest<'_> {
        let side = |name, server, token| {
            let script = move || Script::list(&self.writers, token);
            Side { name, workload: Workload::Http { server, clients: READERS, script: Box::new(script) } }
        };
        let (sqlite, token) = &self.sqlite;
        let sides = vec![
            side("pointbook", &self.server, &self.writers.tokens[READER]),
            side("on SQLite", sqlite, token),
        ];
        Contest { name: "list, page 1", sides, aim: 1.0 }
    }

    fn writing(&self, script: fn(&Writers) -> Result<Script>) -> Side<'_> {
        let script = Box::new(move || script(&self.writers));
        Side {
            name: "pointbook",
            workload: Workload::Http { server: &self.server, clients: WRITERS, script },
        }
    }

    /// The bare driver. `words` are the kind of work, the prefix of user ids, the connections, and the requests per transaction.
    fn bare<'b>(&self, name: &'b str, words: [&str; 4]) -> Side<'b> {
        let words = [self.postgres.url.as_str()].into_iter().chain(words);
        Side { name, workload: Workload::Bare(words.map(str::to_owned).collect()) }
    }
}
