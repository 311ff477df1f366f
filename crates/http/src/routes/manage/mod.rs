//! `/v1/manage`: the back office.

pub(super) mod activities;
pub(super) mod audit_log;
pub(super) mod campaigns;
pub(super) mod categories;
pub(super) mod clock;
pub(super) mod events;
pub(super) mod keys;
pub(super) mod orders;
pub(super) mod pictures;
pub(super) mod products;
pub(super) mod reports;
pub(super) mod users;
pub(super) mod webhooks;
