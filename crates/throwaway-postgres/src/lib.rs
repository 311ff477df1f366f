//! PostgreSQL servers that are thrown away: started from installed binaries, in a folder that ends with them,
//! when whoever started them lets go or ends, however that comes about.
//!
//! Tests and tasks find and start servers by these rules and no others.

mod binaries;
mod server;
mod shell;

pub use self::binaries::{SERVER, environment, find, on_path};
pub use self::server::{host, init, launch, quoted};
pub use self::shell::Shell;
