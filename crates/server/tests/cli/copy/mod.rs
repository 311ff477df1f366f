//! `pointbook copy` between all kinds of databases.

mod again;
mod arrived;
mod feed;
mod fixture;
mod meanwhile;
mod refused;
mod serving;
