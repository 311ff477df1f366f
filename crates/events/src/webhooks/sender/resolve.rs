use std::io;
use std::net::IpAddr;

use async_trait::async_trait;
use tokio::net::lookup_host;

/// Finds the addresses of a host name. A port, so that a test can change the result between two calls.
#[async_trait]
pub trait Resolve: Send + Sync {
    /// All addresses, those to try first at the beginning. `host` is a name in ASCII and never an address.
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>>;
}

/// The resolver of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

#[async_trait]
impl Resolve for SystemResolver {
    async fn resolve(&self, host: &str) -> io::Result<Vec<IpAddr>> {
        Ok(lookup_host((host, 0)).await?.map(|found| found.ip()).collect())
    }
}
