//! The black-box suite: the real router on a real database file, asked over a real socket.
#![expect(clippy::unwrap_used, reason = "in a test, what cannot happen ends the test")]

mod activities;
mod activity_import;
mod auth_token;
mod authentication;
mod catalogue_changes;
mod categories;
mod client;
mod cut_requests;
mod error_table;
mod errors;
mod harness;
mod import_places;
mod isolation;
mod manage_categories;
mod manage_orders;
mod manage_product_import;
mod manage_products;
mod manage_users;
mod orders;
mod point_history;
mod product_filters;
mod product_pages;
mod product_show;
mod protocol;
mod races;
mod readers;
mod refresh;
mod request_keys;
mod texts;
mod user;
mod write_bodies;
mod write_requests;
mod write_values;
