//! Tests of the rights of the service role, with any statement.

mod refusals;
mod rows;
