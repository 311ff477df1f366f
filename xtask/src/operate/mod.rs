//! Calls cargo, builds and starts the pointbook binary, sends it requests, and reads its processor time and memory.
//!
//! Only `xtask` and the benchmarks use this package. It looks at the binary from outside.

pub mod cargo;
pub mod ci;
pub mod http_client;
pub mod numbers;
pub mod pointbook;
pub mod postgres;
pub mod processor_time;
pub mod root;
