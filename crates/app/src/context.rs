//! What every use case is given: for whom, by whom, and when.

use std::sync::Arc;

use pointbook_domain::{Timestamp, UserId};

use crate::{IdSource, ServedTenant};

/// The surroundings of one use case.
#[derive(Clone)]
pub struct Context {
    /// Whose data it works on.
    pub tenant: Arc<ServedTenant>,
    /// Who acts.
    pub actor: Actor,
    /// The time of the whole use case, however long it takes.
    pub now: Timestamp,
    /// Makes the ids that it needs.
    pub ids: Arc<dyn IdSource>,
}

/// Who acts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// A user of the tenant, in an app.
    Customer(UserId),
    /// The tenant's back office, with a super-user token.
    SuperUser,
    /// An operator at the command line.
    CommandLine,
    /// A background job, by its name.
    Job(&'static str),
}
