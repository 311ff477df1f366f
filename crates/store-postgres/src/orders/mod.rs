//! Orders: points for pieces of a product.
