pub(crate) mod fixture;
mod health;
mod lanes;
mod leases;
mod progress;
pub(crate) mod receiver;
mod run;
