//! The console, by plain HTTP.

mod audit_log;
mod clock;
mod events;
mod every_page;
mod health;
mod keys;
mod operator;
mod operators;
mod session;
mod settings;
mod webhooks;
