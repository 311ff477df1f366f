//! `pointbook copy` between all kinds of databases.

mod again;
mod arrived;
mod fixture;
mod meanwhile;
mod refused;
mod serving;
