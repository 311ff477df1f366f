//! Tests which URLs count as the same database. A copy from a database to itself or to its standby would do harm.

use std::time::Duration;

use pointbook_store::postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::build;
use pointbook_testkit::postgres::Cluster;

fn options() -> PostgresOptions {
    PostgresOptions::new(build::noon())
}

/// Connects as soon as the server has the role that the URL requires, and a standby has the schema.
async fn connect(url: &str) -> PostgresStore {
    let url = PostgresUrl::parse(url).unwrap();
    let connected = async {
        loop {
            match PostgresStore::connect(&url, &options()).await {
                Ok(store) => return store,
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    };
    tokio::time::timeout(Duration::from_mins(1), connected).await.unwrap()
}

/// One URL per server of a cluster.
fn servers(cluster: &Cluster) -> Vec<String> {
    let url = cluster.url();
    let (scheme, rest) = url.split_once('@').unwrap();
    let (hosts, _) = rest.split_once('/').unwrap();
    hosts.split(',').map(|host| format!("{scheme}@{host}/postgres")).collect()
}

#[tokio::test]
async fn standby_is_same_database_until_promotion() {
    let Some(mut cluster) = Cluster::with_standby() else { return };
    let url = PostgresUrl::parse(&cluster.url()).unwrap();
    PostgresStore::migrate(&url, &options()).await.unwrap();
    let [primary, standby] = servers(&cluster).try_into().unwrap();
    let (one, other) = (connect(&primary).await, connect(&standby).await);
    let again = connect(&format!("{primary}?application_name=again")).await;
    assert!(one.is_one_with(&again).await.unwrap());
    assert!(one.is_one_with(&other).await.unwrap() && other.is_one_with(&one).await.unwrap());
    cluster.promote_standby();
    let promoted = connect(&format!("{standby}?target_session_attrs=read-write")).await;
    assert!(!one.is_one_with(&promoted).await.unwrap() && !promoted.is_one_with(&one).await.unwrap());
}

#[tokio::test]
async fn databases_and_schemas_of_one_server_are_different() {
    let Some(cluster) = Cluster::alone() else { return };
    let [server] = servers(&cluster).try_into().unwrap();
    PostgresStore::migrate(&PostgresUrl::parse(&server).unwrap(), &options()).await.unwrap();
    let (client, connection) = tokio_postgres::connect(&server, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute("CREATE DATABASE clone").await.unwrap();
    client.batch_execute("CREATE SCHEMA other").await.unwrap();
    let one = connect(&server).await;
    let schema = format!("{server}?options=-csearch_path%3Dother");
    for url in [server.replace("/postgres", "/clone"), schema] {
        PostgresStore::migrate(&PostgresUrl::parse(&url).unwrap(), &options()).await.unwrap();
        assert!(!one.is_one_with(&connect(&url).await).await.unwrap(), "{url}");
    }
}
