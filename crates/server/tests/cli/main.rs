//! The program as operators use it: its output, its exit codes and its log.
#![expect(clippy::unwrap_used, reason = "an error fails the test")]

mod audit;
mod audit_log;
mod backup;
mod campaign_back_tests;
mod campaigns;
mod clock;
mod config;
mod copy;
mod databases;
mod doctor;
mod events;
mod idle;
mod jobs;
mod keyring;
mod keys;
mod log_lines;
mod openid;
mod operator_sessions;
mod operators;
mod own_console;
mod postgres;
mod program;
mod reports;
mod secrets;
mod serving;
mod tenants;
mod tokens;
mod usage;
mod webhooks;
