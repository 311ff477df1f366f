//! The error type of the sample data.

use std::error::Error;

/// Why sample data cannot be created: the database failed, or the samples are wrong.
pub type SampleError = Box<dyn Error + Send + Sync>;
pub type SampleResult<T> = Result<T, SampleError>;
