//! The sample data of the demo: its products with their pictures, its people, and what they did. It writes nothing: `demo`
//! imports the data as a server would import a file.

pub mod diary;
pub mod goods;
pub mod people;
pub mod pictures;
mod result;

pub use result::{SampleError, SampleResult};
