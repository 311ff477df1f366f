//! Test support: fixed clock, builders, the store conformance suite, oracle models.
