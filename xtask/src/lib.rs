//! What tasks, benchmarks and tests share: they start the program and PostgreSQL servers, and look at them from outside. It uses no
//! room of the product, so a task is compiled quickly.

pub mod operate;
pub mod throwaway_postgres;
