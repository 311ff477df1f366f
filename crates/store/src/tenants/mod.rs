//! Adds, changes and removes tenants, checks their settings, and sets the virtual clock of a staging tenant.

pub mod check_settings;
pub mod manage;
pub mod set_clock;
