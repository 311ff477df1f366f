//! How making sample data fails.

use std::error::Error;

/// Why sample data cannot be made: the database failed, or the samples themselves are wrong.
pub(super) type SampleError = Box<dyn Error + Send + Sync>;
pub(super) type SampleResult<T> = Result<T, SampleError>;
