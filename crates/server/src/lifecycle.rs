//! From a listener to a server that runs, and to its end.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use pointbook_app::Service;
use pointbook_http::routes::{self, HttpState};
use pointbook_http::{Gateway, MetricsHandle, serve_metrics};
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{MissedTickBehavior, interval};

use crate::commands::{Exit, Failure};
use crate::config::Config;
use crate::sources::{OsSecrets, UuidIds, process_name};
use crate::telemetry;

/// How many rounds of refreshes may run at once, against a database that does not answer.
const MAX_RUNNING_REFRESHES: usize = 8;

/// Where a server is reached.
pub struct Listeners {
    /// For requests.
    pub requests: TcpListener,
    /// For metrics, when they are given out.
    pub metrics: Option<TcpListener>,
}

impl Listeners {
    /// Listens on the configured addresses.
    ///
    /// # Errors
    /// [`Failure`] names the address, its key and what is wrong.
    pub async fn bind(config: &Config) -> Result<Self, Failure> {
        let requests = bind(config.listen, "--listen or listen.address").await?;
        let metrics = match config.metrics_listen {
            Some(address) => Some(bind(address, "listen.metrics").await?),
            None => None,
        };
        Ok(Self { requests, metrics })
    }

    /// Where requests are answered; tells the port when the system chose it.
    ///
    /// # Errors
    /// When the system does not know.
    pub fn address(&self) -> Result<SocketAddr, Failure> {
        self.requests.local_addr().map_err(|error| unknown_address(&error))
    }
}

fn unknown_address(error: &io::Error) -> Failure {
    Failure::trouble("cannot tell the address that is listened on", error)
}

async fn bind(address: SocketAddr, key: &str) -> Result<TcpListener, Failure> {
    TcpListener::bind(address).await.map_err(|error| match error.kind() {
        io::ErrorKind::AddrInUse => Failure::failed(format!(
            "cannot listen on {address}: another program does; stop it or choose another address with {key}"
        )),
        _ => Failure::trouble(&format!("cannot listen on {address} (choose with {key})"), &error),
    })
}

/// Sets up logs and metrics. Before the database is opened, so that nothing is missed.
///
/// # Errors
/// [`Failure`] when something else in the process collects metrics.
pub fn start_telemetry(config: &Config) -> Result<(), Failure> {
    telemetry::start_logging(&config.log);
    // Without a listener nobody would ever fetch what piles up.
    config.metrics_listen.map(|_| collect_metrics()).transpose()?;
    Ok(())
}

fn collect_metrics() -> Result<MetricsHandle, Failure> {
    pointbook_http::install_metrics().map_err(|error| Failure::trouble("cannot collect metrics", &error))
}

/// Serves until `shutdown` completes, then drains: readiness off, no new connections, running
/// requests to their end within the configured time.
///
/// # Errors
/// [`Failure`] when what serving needs cannot be set up.
pub async fn start(
    listeners: Listeners,
    config: &Config,
    service: Arc<Service>,
    shutdown: impl Future<Output = ()>,
) -> Result<(), Failure> {
    let address = listeners.address()?;
    let access_log = telemetry::access_log(&config.log)
        .map_err(|error| Failure::trouble("cannot start the access log", &error))?;
    let metrics = listeners.metrics.map(serve_metrics_of_process).transpose()?;
    let router = routes::router(HttpState::new(Arc::new(UuidIds), Arc::new(OsSecrets)));
    let gateway = Gateway::new(service.clone(), router, config.http, access_log.clone(), &process_name());
    tracing::info!("listening on http://{address}");
    let background = [
        spawn(keep_fresh(service.clone(), config.cache.refresh_interval_ms)),
        spawn(warm_up(service, config.cache.catalogue_bytes)),
    ];
    pointbook_http::serve(listeners.requests, Arc::new(gateway), shutdown).await;
    drop((background, metrics));
    if let Some(log) = access_log {
        log.close();
    }
    Ok(())
}

/// Gives metrics out until the end of the drain, so that it is seen too.
fn serve_metrics_of_process(listener: TcpListener) -> Result<AbortOnDrop, Failure> {
    let address = listener.local_addr().map_err(|error| unknown_address(&error))?;
    tracing::info!("metrics at http://{address}/metrics");
    Ok(spawn(serve_metrics(listener, collect_metrics()?, std::future::pending())))
}

fn spawn(task: impl Future<Output = ()> + Send + 'static) -> AbortOnDrop {
    AbortOnDrop(tokio::spawn(task))
}

/// A background task that ends with what it works for.
struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Takes in what other processes changed. A round begins on time even when the one before is still
/// building a large catalogue: it leaves that tenant out, so no other tenant waits for it.
async fn keep_fresh(service: Arc<Service>, interval_ms: u64) {
    let mut rounds = interval(Duration::from_millis(interval_ms));
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut running = JoinSet::new();
    loop {
        rounds.tick().await;
        while running.try_join_next().is_some() {}
        if running.len() < MAX_RUNNING_REFRESHES {
            running.spawn(refresh(service.clone()));
        }
    }
}

async fn refresh(service: Arc<Service>) {
    if let Err(error) = service.refresh().await {
        let error: &dyn std::error::Error = &error;
        tracing::warn!(error, "refresh failed");
    }
}

/// Loads the catalogues of all tenants in order, while they fit the memory for them, so that the
/// first request of each need not wait.
async fn warm_up(service: Arc<Service>, catalogue_bytes: usize) {
    let tenants = service.directory().tenants().to_vec();
    let mut held_bytes = 0_usize;
    for served in tenants {
        if held_bytes >= catalogue_bytes {
            return;
        }
        if let Err(error) = served.snapshot(service.clock.now()).await {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(tenant = %served.name(), error, "catalogue not loaded");
        }
        held_bytes = held_bytes.saturating_add(served.catalogue.memory_bytes());
    }
}

/// Completes at the first SIGTERM or SIGINT. At the second one the process ends at once.
///
/// # Errors
/// [`Failure`] when the signals cannot be listened for.
pub fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static, Failure> {
    let listen = |kind| signal(kind).map_err(|error| Failure::trouble("cannot listen for signals", &error));
    let mut terminate = listen(SignalKind::terminate())?;
    let mut interrupt = listen(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        tracing::info!("stopping; a second signal ends the process at once");
        tokio::spawn(async move {
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
            std::process::exit(i32::from(Exit::Trouble as u8));
        });
    })
}

/// A worker per core.
///
/// # Errors
/// When the system gives no threads.
pub fn runtime() -> io::Result<Runtime> {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    Builder::new_multi_thread().worker_threads(cores).enable_all().build()
}
