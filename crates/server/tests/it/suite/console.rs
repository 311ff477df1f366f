//! The console, by plain HTTP.

mod attacks;
mod audit_log;
mod campaigns;
mod categories;
mod clock;
mod events;
mod every_page;
mod health;
mod hostile_texts;
mod imports;
mod keys;
mod member_points;
mod members;
mod openid;
mod operator;
mod operators;
mod orders;
mod pictures;
mod products;
mod reports;
mod search;
mod session;
mod settings;
mod snapshots;
mod walk;
mod webhooks;
