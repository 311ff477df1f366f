//! The setup of the crash test: a new database with a tenant, a few products, customers and tokens.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Result;
use xtask::operate::pointbook::{NO_RATE_LIMIT, Pointbook, Server};

use super::request::Activity;

const TENANT: &str = "crash";
/// The file of the embedded database.
const FILE: &str = "crash.db";

const BASE_PATH: &str = "/crash/api";

/// The products: id, price and stock (`None` for unlimited).
pub(super) const PRODUCTS: [(&str, i64, Option<i64>); 3] =
    // The last one sells out.
    [("mug", 10, None), ("poster", 25, Some(1_000_000)), ("vase", 40, Some(500))];

/// Users without tokens to whom several clients write at once.
pub(super) const SHARED_USERS: usize = 8;

/// Customers of each client: one with many points, and one with few.
pub(super) const CUSTOMERS_PER_CLIENT: usize = 2;

/// The opening points of customers with many points.
/// Runs a program with the settings for a receiver on this machine.
const ENVIRONMENT: [&str; 3] = [
    "env",
    "POINTBOOK_WEBHOOKS_ALLOW_HTTP_TO_LOOPBACK=true",
    "POINTBOOK_WEBHOOKS_ALLOW_NETWORKS=127.0.0.0/8",
];

const OPENING_POINTS: i64 = 10_000_000;

/// A customer and the token that they order with.
pub(super) struct Customer {
    pub(super) user: String,
    pub(super) token: String,
}

/// The database, its customers and their tokens.
pub(super) struct CrashSetup {
    pub(super) pointbook: Pointbook,
    /// The super-user's token.
    pub(super) back_office: String,
    pub(super) customers: Vec<Customer>,
    /// The activities that were imported before the first request.
    pub(super) seeds: Vec<Activity>,
}

impl CrashSetup {
    /// Creates an embedded database in a folder.
    pub(super) fn in_file(folder: &Path, clients: usize) -> Result<Self> {
        Self::on(Pointbook::new(&folder.join(FILE)), folder, clients)
    }

    /// Fills an empty database with the operator's commands, from files in a folder.
    pub(super) fn on(pointbook: Pointbook, folder: &Path, clients: usize) -> Result<Self> {
        let base_url = format!("http://crash.example{BASE_PATH}");
        let add = ["tenant", "add", TENANT, "--environment", "production", "--base-url", &base_url];
        pointbook.quiet(&[&add[..], &NO_RATE_LIMIT].concat())?;
        import(&pointbook, &folder.join("products.csv"), "products", &products())?;
        let users: Vec<String> =
            (0..clients * CUSTOMERS_PER_CLIENT).map(|place| format!("customer-{place}")).collect();
        let rich = users.iter().step_by(CUSTOMERS_PER_CLIENT);
        let seeds: Vec<Activity> = rich.map(|user| seed(user)).collect();
        import(&pointbook, &folder.join("activities.csv"), "activities", &activities(&seeds))?;
        let back_office = issue(&pointbook, &["--super-user"])?;
        let customer = |user: String| Ok(Customer { token: issue(&pointbook, &["--user", &user])?, user });
        let customers = users.into_iter().map(customer).collect::<Result<_>>()?;
        Ok(Self { pointbook, back_office, customers, seeds })
    }

    /// The same database in another folder.
    pub(super) fn moved(self, folder: &Path) -> Self {
        Self { pointbook: Pointbook::new(&folder.join(FILE)), ..self }
    }

    /// Starts a server that sends webhooks to this machine.
    pub(super) fn serve(&self) -> Result<Server> {
        self.pointbook.serve_under(&ENVIRONMENT)
    }

    /// Runs a command on the tenant and returns its output.
    pub(super) fn command(&self, words: &[&str]) -> Result<String> {
        self.pointbook.quiet(&[words, &["--tenant", TENANT]].concat())
    }
}

/// A path below the tenant's base URL.
pub(super) fn below_base(rest: &str) -> String {
    format!("{BASE_PATH}{rest}")
}

fn issue(pointbook: &Pointbook, whose: &[&str]) -> Result<String> {
    let words = [&["token", "issue", "--tenant", TENANT], whose].concat();
    Ok(pointbook.quiet(&words)?.trim().to_owned())
}

fn import(pointbook: &Pointbook, file: &Path, kind: &str, text: &str) -> Result<()> {
    fs::write(file, text)?;
    pointbook.quiet(&["import", kind, &file.to_string_lossy(), "--tenant", TENANT])?;
    Ok(fs::remove_file(file)?)
}

fn products() -> String {
    let mut text = "sku,title,regular_price,stock\n".to_owned();
    for (id, price, stock) in PRODUCTS {
        let stock = stock.map_or_else(String::new, |pieces| pieces.to_string());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{id},{id},{price},{stock}");
    }
    text
}

fn seed(user: &str) -> Activity {
    Activity { user: user.to_owned(), source_id: "seed".to_owned(), points: OPENING_POINTS, bonus: 0 }
}

fn activities(seeds: &[Activity]) -> String {
    let mut text = "user_id,type,source_id,points,title,created_at\n".to_owned();
    for Activity { user, source_id, points, .. } in seeds {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{user},code,{source_id},{points},Opening balance,2026-01-01T00:00:00Z");
    }
    text
}
