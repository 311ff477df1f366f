//! The parts of a process that slices share with their endpoints and pages, by type.

use std::any::{Any, type_name};
use std::sync::Arc;

use crate::ports::StoreError;

/// Parts by type, such as the sender of webhooks. The program puts them in, and the crates between do not know them.
#[derive(Default, Clone)]
pub struct Parts(Vec<Arc<dyn Any + Send + Sync>>);

impl Parts {
    /// The same parts with one more.
    #[must_use]
    pub fn with<T: Send + Sync + 'static>(mut self, part: Arc<T>) -> Self {
        self.0.push(part);
        self
    }

    /// The part of this type.
    ///
    /// # Errors
    /// When the program did not put it in.
    pub fn get<T: 'static>(&self) -> Result<&T, StoreError> {
        let found = self.0.iter().find_map(|part| part.downcast_ref());
        found.ok_or_else(|| StoreError::Failed(format!("the program has no {}", type_name::<T>()).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_found_by_its_type() {
        let parts = Parts::default().with(Arc::new(7_u8)).with(Arc::new("seven"));
        assert_eq!((parts.get::<u8>().unwrap(), parts.get::<&str>().unwrap()), (&7, &"seven"));
        assert_eq!(parts.get::<u16>().unwrap_err().to_string(), parts.get::<u32>().unwrap_err().to_string());
    }
}
