//! The black-box suite: the real router on a real database file, asked over a real socket.

mod authentication;
mod categories;
mod client;
mod errors;
mod harness;
mod isolation;
mod point_history;
mod product_filters;
mod product_pages;
mod product_show;
mod protocol;
mod refresh;
mod texts;
