//! Databases that Citus can split.

use futures_util::future::join_all;
use tokio::sync::OnceCell;
use tokio_postgres::Client;

use super::admin::Admin;
use super::database::PostgresDatabase;
use super::{connect, tell};
use xtask::throwaway_postgres::environment;

/// A coordinator and its workers.
struct Cluster {
    /// The coordinator first.
    servers: Vec<Admin>,
    /// The statements that tell the coordinator about itself and the workers.
    introductions: Vec<String>,
}

const COORDINATOR: &str = "POINTBOOK_TEST_CITUS";

/// Tests that search the due jobs of all tenants at once.
const LOOKING_FOR_JOBS: [&str; 2] = ["jobs::", "suite::request_keys::"];

/// An empty database after `split`, which gets its URL. After that, Citus refuses every statement for several servers.
/// Returns `None` when `POINTBOOK_TEST_CITUS` names no coordinator.
pub async fn split_database(split: impl AsyncFnOnce(&str)) -> Option<PostgresDatabase> {
    let database = citus_database().await?;
    split(&database.url).await;
    let looks_for_jobs = |test: &str| LOOKING_FOR_JOBS.iter().any(|tests| test.contains(tests));
    if !std::thread::current().name().is_some_and(looks_for_jobs) {
        set(&connect(&database.url).await, &database.name, "multi_task_query_log_level = 'error'").await;
    }
    Some(database)
}

/// An empty database with the extension, whose servers know each other. Returns `None` when `POINTBOOK_TEST_CITUS` names
/// no coordinator.
pub async fn citus_database() -> Option<PostgresDatabase> {
    static CLUSTER: OnceCell<Option<Cluster>> = OnceCell::const_new();
    let Cluster { servers, introductions } = CLUSTER.get_or_init(find).await.as_ref()?;
    let database = PostgresDatabase::create_on_all(servers).await;
    let extend = servers.iter().map(async |server| {
        let client = connect(&server.url_of(&database.name)).await;
        client.batch_execute("CREATE EXTENSION citus").await.unwrap();
    });
    join_all(extend).await;
    let coordinator = connect(&database.url).await;
    for introduction in introductions {
        introduce(&coordinator, introduction).await;
    }
    // Few shards are created and dropped faster, and each of two workers still has one.
    for setting in ["propagate_set_commands = 'local'", "shard_count = 2"] {
        set(&coordinator, &database.name, setting).await;
    }
    Some(database)
}

/// Retries, because connections between servers can fail under load.
async fn introduce(coordinator: &Client, introduction: &str) {
    for _ in 0..4 {
        if coordinator.batch_execute(introduction).await.is_ok() {
            return;
        }
    }
    coordinator.batch_execute(introduction).await.unwrap();
}

async fn set(client: &Client, database: &str, setting: &str) {
    client.batch_execute(&format!("ALTER DATABASE {database} SET citus.{setting}")).await.unwrap();
}

async fn find() -> Option<Cluster> {
    let Some(url) = environment(COORDINATOR) else {
        tell(&format!("tests on Citus are skipped: {COORDINATOR} names no coordinator"));
        return None;
    };
    let url = url.into_string().unwrap();
    let (_, rest) = url.split_once("://").unwrap();
    let (user, rest) = rest.split_once('@').unwrap();
    let (_, options) = rest.split_once('/').unwrap();
    let select = "SELECT nodename, nodeport, groupid FROM pg_dist_node WHERE isactive ORDER BY groupid";
    let mut cluster = Cluster { servers: Vec::new(), introductions: Vec::new() };
    for node in connect(&url).await.query(select, &[]).await.unwrap() {
        let (host, port, group): (&str, i32, i32) = (node.get(0), node.get(1), node.get(2));
        let introduce = if group == 0 { "citus_set_coordinator_host" } else { "citus_add_node" };
        cluster.introductions.push(format!("SELECT {introduce}('{host}', {port})"));
        cluster.servers.push(Admin::connect(&format!("postgres://{user}@{host}:{port}/{options}")));
    }
    assert!(cluster.servers.len() > 1, "the coordinator of POINTBOOK_TEST_CITUS has no workers");
    Some(cluster)
}
