//! Adds, changes and removes tenants, checks their settings, and sets the virtual clock of a staging tenant.

pub mod add;
pub mod change;
pub mod check_settings;
pub mod remove;
pub mod set_clock;
