//! `cargo xtask bench [--quick] [--products N,N] [--rounds N] [--scenario WORD] [--database postgres|URL]`: what
//! requests cost, beside a server of fixed answers on the same HTTP stack, in one run; and writes, and all that is
//! done on PostgreSQL, beside the bare database driver.

mod data;
mod load;
mod postgres;
mod report;
mod scenarios;
mod script;
mod writers;
mod writes;

use std::collections::HashMap;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use self::report::Measured;
use self::scenarios::Scenario;
use crate::http_client;
use crate::pointbook::{Pointbook, Server, announce, build_release, release_binary};
use crate::root::repository;

const TENANT: &str = "bench";
const BASE_PATH: &str = "/bench/api";

/// What to measure.
struct Options {
    sizes: Vec<u32>,
    rounds: usize,
    /// What the names of the scenarios have in them.
    scenario: String,
    /// How long a round takes in which not only memory is at work.
    seconds: u32,
    /// The word of a PostgreSQL server.
    database: Option<String>,
}

/// How long and how often is measured.
#[derive(Clone, Copy)]
struct Extent {
    rounds: usize,
    seconds: u32,
}

/// Runs the benchmark and prints its table.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let options = parse(words)?;
    build_release(&["pointbook-server", "pointbook-bench"])?;
    let extent = Extent { rounds: options.rounds, seconds: options.seconds };
    if let Some(database) = &options.database {
        return postgres::run(database, &options.scenario, extent);
    }
    let mut measured = Vec::new();
    for products in options.sizes.iter().filter(|products| options.wants_reads(**products)) {
        measured.extend(measure_size(*products, &options)?);
    }
    if !measured.is_empty() {
        report::print(&measured);
    }
    writes::run(&options.scenario, extent)
}

impl Options {
    fn wants_reads(&self, products: u32) -> bool {
        scenarios::all(products).iter().any(|scenario| scenario.name.contains(&self.scenario))
    }
}

fn parse(words: &[String]) -> Result<Options> {
    let mut options = Options {
        sizes: vec![1_000, 50_000, 1_000_000],
        rounds: 3,
        scenario: String::new(),
        seconds: 2,
        database: None,
    };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--quick" => {
                options.sizes = vec![1_000, 50_000];
                options.seconds = 1;
            }
            "--rounds" => options.rounds = words.next().context("--rounds needs a number")?.parse()?,
            "--products" => {
                let list = words.next().context("--products needs sizes, such as 1000,50000")?;
                options.sizes = list.split(',').map(str::parse).collect::<Result<_, _>>()?;
            }
            "--scenario" => {
                words.next().context("--scenario needs a word")?.clone_into(&mut options.scenario);
            }
            "--database" => options.database = Some(words.next().context("--database needs a word")?.clone()),
            _ => bail!(
                "unknown option {word:?}; there are --quick, --products N,N, --rounds N, --scenario WORD and --database"
            ),
        }
    }
    Ok(options)
}

fn measure_size(products: u32, options: &Options) -> Result<Vec<Measured>> {
    let pointbook = Pointbook::new(&prepare(products)?);
    let server = pointbook.serve()?;
    eprintln!("{products} products: serving after {} ms", server.start.as_millis());
    let mut tokens: HashMap<String, String> = HashMap::new();
    let mut measured = Vec::new();
    for scenario in scenarios::all(products) {
        if !scenario.name.contains(&options.scenario) {
            continue;
        }
        if !tokens.contains_key(&scenario.user) {
            let issue = ["token", "issue", "--tenant", TENANT, "--user", &scenario.user];
            tokens.insert(scenario.user.clone(), pointbook.run(&issue)?.stdout.trim().to_owned());
        }
        measured.push(measure(&server, &scenario, &tokens[&scenario.user], products, options.rounds)?);
    }
    eprintln!("{products} products: {} MB resident", server.resident_bytes()? / 1_000_000);
    Ok(measured)
}

fn measure(
    server: &Server,
    scenario: &Scenario,
    token: &str,
    products: u32,
    rounds: usize,
) -> Result<Measured> {
    announce(&format!("{products} products, {}", scenario.name));
    let path = format!("{BASE_PATH}{}", scenario.path);
    let answer = http_client::get(server.address, &path, token)?;
    let is_empty =
        [&br#"{"data":[]"#[..], br#"{"data":{}"#].iter().any(|empty| answer.body().starts_with(empty));
    ensure!(!is_empty, "{path} has an empty answer, which measures nothing");
    let ceiling = fixed_body(&answer.bytes)?;
    load::drive(server, &path, token)?;
    let mut pairs = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        pairs.push((load::drive(server, &path, token)?, load::drive(&ceiling, &path, token)?));
    }
    eprintln!("{:.1} us", pairs[0].0.cpu_us);
    Ok(Measured { scenario: scenario.name, products, body_bytes: answer.body().len(), rounds: pairs })
}

/// A server that answers everything with these bytes.
fn fixed_body(answer: &[u8]) -> Result<Server> {
    let file = data_folder()?.join("answer.http");
    fs::write(&file, answer)?;
    let address = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let mut command = Command::new(release_binary("fixed-body"));
    Server::start(command.arg(address.to_string()).arg(&file).stdout(Stdio::null()), address)
}

fn data_folder() -> Result<PathBuf> {
    let folder = repository().join("target/bench");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The database of this size; made at its first use of a day and kept for the next run.
fn prepare(products: u32) -> Result<PathBuf> {
    let (folder, newest) = (data_folder()?, today_end()?);
    let database = folder.join(format!("{products}.db"));
    let complete = folder.join(format!("{products}.complete"));
    let stamp = format!("{} {}", data::VERSION, newest.0);
    if fs::read_to_string(&complete).ok().as_ref() != Some(&stamp) {
        for leftover in ["db", "db-wal", "db-shm"] {
            // What is not there need not be removed.
            let _ = fs::remove_file(database.with_extension(leftover));
        }
        fill(&Pointbook::new(&database), &folder, products, newest)?;
        fs::write(complete, stamp)?;
    }
    Ok(database)
}

/// The last midnight.
#[expect(clippy::disallowed_methods, reason = "new products are those of the days before the run")]
fn today_end() -> Result<data::DayEnd> {
    const DAY_SECONDS: u64 = 86_400;
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_secs();
    Ok(data::DayEnd(i64::try_from(now - now % DAY_SECONDS)?))
}

fn fill(pointbook: &Pointbook, folder: &Path, products: u32, newest: data::DayEnd) -> Result<()> {
    let base_url = format!("http://bench.example{BASE_PATH}");
    pointbook.run(&["tenant", "add", TENANT, "--environment", "production", "--base-url", &base_url])?;
    let (categories, goods) = (folder.join("categories.json"), folder.join("products.jsonl"));
    let activities = folder.join("activities.csv");
    data::write_categories(&categories)?;
    data::write_products(&goods, products, newest)?;
    data::write_activities(&activities, newest)?;
    for (kind, file) in [("categories", &categories), ("products", &goods), ("activities", &activities)] {
        let finished = pointbook.run(&["import", kind, &file.to_string_lossy(), "--tenant", TENANT])?;
        eprintln!("{} in {:.1} s", finished.stdout.trim(), finished.wall.as_secs_f64());
    }
    for file in [goods, activities] {
        fs::remove_file(file)?;
    }
    Ok(())
}
