//! The paths of pages below the console.

/// The page with all pictures.
pub(crate) const PICTURES: &str = "/pictures";

/// The list of products. The navigation marks its section.
pub(crate) const PRODUCTS: &str = "/products";

/// The page of a new product.
pub(crate) const NEW_PRODUCT: &str = "/new-product";
