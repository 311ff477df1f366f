//! Tests which work waits for which, and what happens to work that another transaction overtakes.

mod audit;
mod campaigns;
mod catalogue;
mod fixture;
mod groups;
mod instances;
mod keys;
mod lanes;
mod orders;
mod tenants;
mod users;
