//! Metrics of the build, the process and the size of the database.

mod process;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use pointbook_store::Service;
use tokio::time::{Instant, sleep, timeout};

pub(crate) use self::process::process;
use crate::background::{AbortOnDrop, spawn};
use crate::wiring::DatabaseUrl;

/// How often metrics that are cheap to read are updated.
const INTERVAL: Duration = Duration::from_secs(5);

/// How often PostgreSQL is asked for the size of the database. It stats every file of the database.
const SIZE_INTERVAL: Duration = Duration::from_mins(5);

/// How long PostgreSQL may take to return the size.
const SIZE_TIMEOUT: Duration = Duration::from_secs(10);

/// Sets the gauge `pointbook_build_info`.
pub(crate) fn show_build() {
    use std::env::consts::{ARCH, OS};
    let labels = [("version", env!("CARGO_PKG_VERSION")), ("os", OS), ("arch", ARCH)];
    metrics::gauge!("pointbook_build_info", &labels).set(1.0);
}

/// Updates the gauges of the database's state and size until the result is dropped. No scrape waits for the database.
pub(crate) fn start(service: &Arc<Service>, database: &DatabaseUrl) -> AbortOnDrop {
    let (service, database) = (service.clone(), database.clone());
    spawn(async move {
        let mut asked_at = None;
        loop {
            metrics::gauge!("pointbook_database_up").set(if service.health.is_away() { 0.0 } else { 1.0 });
            match &database {
                DatabaseUrl::Sqlite(path) => show_file(path),
                DatabaseUrl::Postgres(_) => show_server(&service, &mut asked_at).await,
            }
            sleep(INTERVAL).await;
        }
    })
}

fn show_file(path: &Path) {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    for (name, path) in
        [("pointbook_database_bytes", path), ("pointbook_database_log_bytes", Path::new(&log))]
    {
        // The log is missing while no process has the file open.
        let bytes = std::fs::metadata(path).map_or(0, |file| file.len());
        show(name, bytes);
    }
}

async fn show_server(service: &Service, asked_at: &mut Option<Instant>) {
    if service.health.is_away() || asked_at.is_some_and(|at| at.elapsed() < SIZE_INTERVAL) {
        return;
    }
    *asked_at = Some(Instant::now());
    // On an error the gauge keeps its last value. `pointbook_database_up` shows whether the server responds.
    if let Ok(Ok(Some(bytes))) = timeout(SIZE_TIMEOUT, service.database.size_bytes()).await {
        show("pointbook_database_bytes", bytes);
    }
}

#[expect(clippy::cast_precision_loss, reason = "a gauge is a double by definition; bytes fit 53 bits")]
fn show(name: &'static str, value: u64) {
    metrics::gauge!(name).set(value as f64);
}
