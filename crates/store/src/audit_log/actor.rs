//! Who acts, and through which request.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

use pointbook_domain::{Email, OperatorId, Timestamp, TokenLabel, UserId};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// A user of the tenant, in an app.
    Customer(UserId),
    /// The tenant's back office, with a key.
    Key {
        /// The id of the key, as `TokenId` is written.
        id: Arc<str>,
        label: Option<TokenLabel>,
    },
    /// An operator of the tenant, in the console.
    Operator { id: OperatorId, email: Email },
    /// An operator of the server, at the command line.
    CommandLine,
    /// A background job, by its name.
    Job(&'static str),
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Customer(user_id) => write!(f, "customer:{user_id}"),
            Self::Key { id, label: _ } => write!(f, "key:{id}"),
            Self::Operator { id, email: _ } => write!(f, "operator:{id}"),
            Self::CommandLine => f.write_str("command-line"),
            Self::Job(name) => write!(f, "job:{name}"),
        }
    }
}

/// Where a use case comes from, besides its actor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// The id of the request, as the access log has it.
    pub request_id: Option<Arc<str>>,
    /// The address of the client.
    pub address: Option<IpAddr>,
    /// The user of the operating system at the command line.
    pub system_user: Option<Arc<str>>,
}

/// The author of the changes of one command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    pub actor: Actor,
    pub origin: Origin,
    /// When the changes are made.
    pub at: Timestamp,
}
