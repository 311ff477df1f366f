//! The imports of files that the console runs, in the memory of this process. They end with the process; what they stored stays.

#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use pointbook_domain::{TenantId, Timestamp};

use crate::import::Kind;

/// How many imports of all tenants run at once. Each has its file in memory. A tenant has one.
const MAX_RUNNING: usize = 4;

/// How long the result of an import is kept.
const KEPT_SECONDS: u32 = 60 * 60;

/// How many results of a tenant are kept. The oldest leave first.
const MAX_KEPT_OF_TENANT: usize = 8;

/// The files of refused rows of a tenant that are kept, in bytes, and so the largest one. Results with the oldest leave first.
pub(crate) const MAX_KEPT_BYTES: usize = 32 << 20;

/// The tried files of a tenant that are kept, in bytes. The oldest leave first, and their results stay.
const MAX_TRIED_BYTES: usize = 16 << 20;

/// All these files of all tenants together, in bytes. Beyond it, the oldest of the tenant with the most leave first. So a tenant with less
/// than its share loses none to others.
const MAX_BYTES: usize = 96 << 20;

/// An import that shall run.
#[derive(Debug, Clone)]
pub struct NewImport {
    /// The same for the same file from the same form.
    pub id: String,
    pub tenant: TenantId,
    pub kind: Kind,
    /// Whether it only tries the rows.
    pub is_dry: bool,
    /// The name of the operator.
    pub operator: String,
    /// As the browser sent it.
    pub file_name: String,
    /// The lines of the file.
    pub lines: u64,
    pub started_at: Timestamp,
}

/// A broken rule, without its text. Each language has one for its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownProblem {
    /// The field, which may be empty.
    pub path: String,
    pub kind: &'static str,
    /// The names and values of what differs in the text.
    pub parts: Vec<(&'static str, String)>,
}

/// Why a row or a file is refused.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reasons {
    pub problems: Vec<ShownProblem>,
    /// How many problems were left out.
    pub more: usize,
}

/// How an import ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportEnding {
    /// Every row was read.
    Complete,
    /// The whole file was refused, for these reasons. Nothing was stored.
    Refused(Reasons),
    /// The header of the file was refused, for these reasons. Nothing was stored.
    HeaderRefused(Reasons),
    /// The import broke off. Rows that were stored before stay.
    BrokenOff,
}

/// A refused row as the page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedRow {
    /// The line of the file, from 1.
    pub line: u64,
    pub reasons: Reasons,
}

/// How far an import is.
#[derive(Debug, Default)]
pub struct ImportState {
    /// The line that was reached.
    pub line: u64,
    pub created: u64,
    pub replaced: u64,
    pub unchanged: u64,
    pub refused: u64,
    /// Stored categories that the new tree does not have.
    pub removed: u64,
    /// Columns that the file lacks, which clears the field of every member or product in it.
    pub cleared_columns: Vec<&'static str>,
    /// The column that the file lacks, which makes every product in it active.
    pub activating_column: Option<&'static str>,
    /// Products that name a category which the tree does not have.
    pub in_unknown_categories: u64,
    /// The first of these categories, and how many there are.
    pub unknown_categories: Vec<String>,
    pub unknown_category_count: u64,
    /// How many members a dry run found that the import would create, and the first of them.
    pub new_members: u64,
    pub first_new_members: Vec<String>,
    pub first_refused: Vec<RefusedRow>,
    /// The refused rows as CSV, while the import runs.
    pub refused_rows: Vec<u8>,
    /// The same after the end. All downloads share it.
    pub refused_file: Bytes,
    /// Whether there were more refused rows than fit into the file.
    pub is_cut: bool,
    /// The file after a dry run that read every row, so that the operator can import it without choosing it again.
    pub tried_file: Option<Bytes>,
    /// `None` while it runs.
    pub ending: Option<ImportEnding>,
}

impl ImportState {
    /// The rows that were read, or the categories of a tree.
    pub fn rows(&self) -> u64 {
        self.created + self.replaced + self.unchanged + self.refused
    }

    fn refused_bytes(&self) -> usize {
        self.refused_rows.len() + self.refused_file.len()
    }

    /// Of all its files.
    fn bytes(&self) -> usize {
        self.refused_bytes() + self.tried_file.as_ref().map_or(0, Bytes::len)
    }

    /// Ends the import, once.
    pub fn end(&mut self, ending: ImportEnding) {
        if self.ending.is_none() {
            self.refused_file = mem::take(&mut self.refused_rows).into();
            self.ending = Some(ending);
        }
    }
}

/// An import that runs, or its result.
#[derive(Debug)]
pub struct ImportJob {
    pub new: NewImport,
    state: Mutex<ImportState>,
}

impl ImportJob {
    /// The state. Hold it only for a moment, because the import waits.
    pub fn state(&self) -> MutexGuard<'_, ImportState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_running(&self) -> bool {
        self.state().ending.is_none()
    }
}

/// The right to run an import. Without another ending, the import has broken off when this is dropped.
#[derive(Debug)]
pub struct RunningImport(pub Arc<ImportJob>);

impl Drop for RunningImport {
    fn drop(&mut self) {
        self.0.state().end(ImportEnding::BrokenOff);
    }
}

/// What becomes of a new import.
#[derive(Debug)]
pub enum Admission {
    Runs(RunningImport),
    /// The same form with the same file was sent before.
    Known,
    /// Another import of the tenant runs.
    Busy(Arc<ImportJob>),
    /// Too many imports of other tenants run.
    Full,
}

/// All imports, the newest last.
#[derive(Debug, Default)]
pub struct ImportJobs(Mutex<Vec<Arc<ImportJob>>>);

impl ImportJobs {
    pub fn admit(&self, new: NewImport) -> Admission {
        let mut jobs = self.jobs(new.started_at);
        let is_same = |job: &Arc<ImportJob>| job.new.id == new.id && job.new.tenant == new.tenant;
        // An import that broke off may be sent again.
        jobs.retain(|job| !is_same(job) || job.state().ending != Some(ImportEnding::BrokenOff));
        if jobs.iter().any(is_same) {
            return Admission::Known;
        }
        let running: Vec<_> = jobs.iter().filter(|job| job.is_running()).collect();
        if let Some(job) = running.iter().find(|job| job.new.tenant == new.tenant) {
            return Admission::Busy(Arc::clone(job));
        }
        if running.len() >= MAX_RUNNING {
            return Admission::Full;
        }
        let job = Arc::new(ImportJob { new, state: Mutex::default() });
        jobs.push(job.clone());
        Admission::Runs(RunningImport(job))
    }

    /// An import of a tenant. `None` when it is unknown or was an hour ago.
    pub fn find(&self, tenant: &TenantId, id: &str, now: Timestamp) -> Option<Arc<ImportJob>> {
        let jobs = self.jobs(now);
        jobs.iter().find(|job| job.new.id == id && job.new.tenant == *tenant).cloned()
    }

    /// The imports of a tenant, the newest first.
    pub fn of_tenant(&self, tenant: &TenantId, now: Timestamp) -> Vec<Arc<ImportJob>> {
        self.jobs(now).iter().rev().filter(|job| job.new.tenant == *tenant).cloned().collect()
    }

    /// The imports without the results that are not kept any more.
    fn jobs(&self, now: Timestamp) -> MutexGuard<'_, Vec<Arc<ImportJob>>> {
        let mut jobs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut of_tenants, mut newer) = (HashMap::<TenantId, Kept>::new(), Vec::new());
        // From the newest, so that the oldest are those beyond the bounds.
        for job in jobs.drain(..).rev() {
            let kept = of_tenants.entry(job.new.tenant.clone()).or_default();
            let is_recent = job.new.started_at.plus_seconds(KEPT_SECONDS) > now;
            if job.is_running()
                || (is_recent && kept.results < MAX_KEPT_OF_TENANT && kept.has_room(&job.state()))
            {
                kept.add(&mut job.state());
                newer.push(job);
            }
        }
        jobs.extend(newer.into_iter().rev());
        while let Some(place) = beyond_bytes(&jobs) {
            jobs.remove(place);
        }
        jobs
    }
}

/// What is kept of a tenant.
#[derive(Default)]
struct Kept {
    results: usize,
    /// The bytes of refused rows.
    refused: usize,
    /// The bytes of tried files.
    tried: usize,
}

impl Kept {
    /// Whether the refused rows of one more import fit.
    fn has_room(&self, state: &ImportState) -> bool {
        self.refused + state.refused_bytes() <= MAX_KEPT_BYTES
    }

    /// Counts an import. Takes its tried file when there is no room for it.
    fn add(&mut self, state: &mut ImportState) {
        self.results += 1;
        self.refused += state.refused_bytes();
        self.tried += state.tried_file.as_ref().map_or(0, Bytes::len);
        if self.tried > MAX_TRIED_BYTES {
            state.tried_file = None;
        }
    }
}

/// The place of the result that leaves next, when all files together have too many bytes.
fn beyond_bytes(jobs: &[Arc<ImportJob>]) -> Option<usize> {
    let mut of_tenants = HashMap::<&TenantId, usize>::new();
    for job in jobs {
        *of_tenants.entry(&job.new.tenant).or_default() += job.state().bytes();
    }
    if of_tenants.values().sum::<usize>() <= MAX_BYTES {
        return None;
    }
    let (most, _) = of_tenants.into_iter().max_by_key(|(_, bytes)| *bytes)?;
    jobs.iter().position(|job| job.new.tenant == *most && !job.is_running() && job.state().bytes() > 0)
}
