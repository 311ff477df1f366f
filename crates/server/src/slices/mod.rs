//! What the program consists of.

#[cfg(test)]
mod openapi_rules;
#[cfg(test)]
mod tests;
