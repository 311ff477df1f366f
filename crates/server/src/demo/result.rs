//! How making sample data fails.

use std::error::Error;

/// Sample data that cannot be made: the database failed, or the samples themselves are wrong.
pub(super) type SampleResult<T> = Result<T, Box<dyn Error + Send + Sync>>;
