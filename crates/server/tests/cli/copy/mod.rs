//! `pointbook copy`, in every direction.

mod again;
mod arrived;
mod fixture;
mod meanwhile;
mod refused;
mod serving;
