//! Packages that only some rooms may use: external ones, and those that only tests may.

/// External packages that only some rooms may depend on. Tests may use them freely.
pub(super) const CONFINED: &[(&str, &[&str])] = &[
    // The benchmark measures the bare driver as the ceiling of the writes.
    ("rusqlite", &["pointbook-store-sqlite", "pointbook-bench"]),
    // The testkit creates and drops the databases of tests.
    ("tokio-postgres", &["pointbook-store-postgres", "pointbook-testkit", "pointbook-bench"]),
    ("deadpool-postgres", &["pointbook-store-postgres"]),
    ("http", HTTP_STACK_ROOMS),
    (
        "hyper",
        &["pointbook-http-kernel", "pointbook-webhooks", "pointbook-server", "pointbook-bench", "xtask"],
    ),
];

/// The rooms with HTTP: the interface, the program, and the rooms that measure them.
const HTTP_STACK_ROOMS: &[&str] = &[
    "pointbook-endpoint-kit",
    "pointbook-http",
    "pointbook-http-kernel",
    "pointbook-http-manage",
    "pointbook-requests",
    "pointbook-describe",
    "pointbook-texts",
    "pointbook-page-kit",
    "pointbook-console-kit",
    "pointbook-console-imports",
    "pointbook-console-catalogue",
    "pointbook-console-pictures",
    "pointbook-console-programme",
    "pointbook-console",
    "pointbook-web",
    "pointbook-webhooks",
    "pointbook-server",
    "pointbook-bench",
    "xtask",
];

/// Only tests, benches and examples may depend on it.
pub(super) const TESTKIT: &str = "pointbook-testkit";

/// A package that only the tests and examples of a room may use, to compare or to inspect.
pub(super) const EXAMINED: &[(&str, &str)] = &[
    ("pointbook-store-postgres", "pointbook-earning"),
    ("pointbook-store-postgres", "pointbook-store-sqlite"),
    ("pointbook-store-postgres", "pointbook-upkeep"),
    ("pointbook-store-sqlite", "pointbook-earning"),
    ("pointbook-store-sqlite", "pointbook-upkeep"),
    ("pointbook-server", "pointbook-webhooks"),
    ("pointbook-bench", "pointbook-app"),
    ("pointbook-bench", "pointbook-customers"),
    ("pointbook-bench", "pointbook-deliveries"),
    ("pointbook-bench", "pointbook-domain"),
    ("pointbook-bench", "pointbook-endpoint-kit"),
    ("pointbook-bench", "pointbook-http"),
    ("pointbook-bench", "pointbook-http-kernel"),
    ("pointbook-bench", "pointbook-requests"),
    ("pointbook-bench", "pointbook-schema"),
    ("pointbook-bench", "pointbook-server"),
    ("pointbook-bench", "pointbook-store-postgres"),
    ("pointbook-bench", "pointbook-store-sqlite"),
];
