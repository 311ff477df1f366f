//! Limits how many writes and short reads of a process run at a time, and how many wait.
//!
//! A write waits here before it takes a connection. So a tenant that writes much, or waits for a row lock, leaves
//! connections for other tenants. Writes never take the last connections, so that reads find one.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use crate::commands;
use crate::postgres::pool::READS_ON_A_CONNECTION;
use crate::queue::{Bounds, Count, Lane, Limits, Overloaded, Permit, Permits};

/// The most writes that may wait or run: as many as may wait for the writer of SQLite (docs/adr/0026). A tenant has half.
const MAX_ADMITTED: Bounds = Bounds { all: 4_096, tenant: 2_048, lane: 256 };

/// The most transactions of each kind that write for one tenant at a time.
const MAX_WRITERS_OF_KIND: usize = 4;

/// The most reads of all tenants that may wait or run. A slow server does them in a tenth of a second. A tenant has half.
const MAX_READS: usize = 1_024;

/// The permits for reads on shared connections. Few reads run at a time, so that a stuck connection delays only a few.
pub(crate) type ReadPermits = Permits<Arc<str>, ()>;

/// No read waits for longer than `max_wait`.
pub(crate) fn read_permits(connections: usize, max_wait: Duration) -> ReadPermits {
    let under_way = connections * READS_ON_A_CONNECTION;
    let bounds = |all: usize| Bounds { all, tenant: all / 2, ..Bounds::default() };
    let (permits, waiting) = (bounds(under_way), bounds(MAX_READS.saturating_sub(under_way)));
    let gauge = metrics::gauge!("pointbook_short_reads_waiting");
    let show = move |count: Count| gauge.set(u32::try_from(count.waiting).unwrap_or(u32::MAX));
    Permits::with_max_wait(Limits { permits, waiting, ..Limits::default() }, max_wait, show)
}

/// The right to wait for a write permit. A request holds it until its response.
pub(crate) type Admission = Permit<Arc<str>, commands::Lane>;

pub(crate) type WritePermit = Permit<Arc<str>, Writer>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Writer {
    /// A group of commands. While one group waits for the disk, another one computes.
    Group,
    /// A command outside of a group, which waits for a user that another transaction has locked.
    Alone,
    /// The back office, which waits for rows that others have locked.
    BackOffice,
}

pub(crate) struct WritePermits {
    admissions: Permits<Arc<str>, commands::Lane>,
    writers: Permits<Arc<str>, Writer>,
}

impl WritePermits {
    /// Five sixths of these connections may write, and two thirds may write for one tenant. Connections for shared reads do
    /// not count.
    pub(crate) fn new(connections: usize) -> Self {
        let (all, tenant) = ((connections * 5 / 6).max(1), (connections * 2 / 3).max(1));
        let waiting = metrics::gauge!("pointbook_writer_waiting");
        let show = move |count: Count| waiting.set(u32::try_from(count.permits).unwrap_or(u32::MAX));
        let permits = Bounds { all, tenant, lane: MAX_WRITERS_OF_KIND };
        Self {
            admissions: Permits::watched(Limits { permits: MAX_ADMITTED, ..Limits::default() }, show),
            writers: Permits::new(Limits { permits, ..Limits::default() }),
        }
    }

    /// Refuses a write when too many wait or run.
    pub(crate) fn admit(&self, tenant: &Arc<str>, lane: commands::Lane) -> Result<Admission, Overloaded> {
        self.admissions.try_acquire(Lane::of(tenant.clone(), lane), 1)
    }

    /// Waits for the turn of an admitted write.
    pub(crate) async fn acquire(&self, tenant: &Arc<str>, writer: Writer) -> Result<WritePermit, Overloaded> {
        self.writers.acquire(Lane::of(tenant.clone(), writer)).await
    }
}
