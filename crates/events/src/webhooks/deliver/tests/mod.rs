mod ahead;
pub(crate) mod fixture;
mod health;
mod lanes;
mod leases;
mod progress;
mod run;
