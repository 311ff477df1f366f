//! Temporary PostgreSQL servers, started from installed binaries. A [`Shell`] stops its servers and removes their folder
//! when it is dropped, and also when its process is killed.
//!
//! All tests and tasks find and start their servers with this module.

mod binaries;
mod server;
mod shell;

pub use self::binaries::{SERVER, environment, find, on_path};
pub use self::server::{host, init, launch, quoted};
pub use self::shell::Shell;
