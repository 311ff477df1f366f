//! The rules engine of campaigns.
