//! Tests of a run of deliveries: lanes, leases, progress, and the states that follow from failures.

mod ahead;
pub(crate) mod fixture;
mod health;
mod lanes;
mod leases;
mod progress;
mod run;
