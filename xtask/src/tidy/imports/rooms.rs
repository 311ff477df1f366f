//! The tables of the rooms.

/// A package of the workspace and the packages of the workspace that it may use (`ARCHITECTURE.md`, rooms).
pub(super) const ROOMS: &[(&str, &[&str])] = &[
    ("pointbook-domain", &[]),
    // It knows neither databases nor HTTP.
    ("pointbook-queue", &[]),
    ("pointbook-catalogue", &["pointbook-domain"]),
    ("pointbook-schema", &["pointbook-domain"]),
    ("pointbook-time", &["pointbook-domain"]),
    ("pointbook-campaigns", &["pointbook-domain", "pointbook-time"]),
    ("pointbook-audit-log", &["pointbook-domain"]),
    ("pointbook-html", &[]),
    // Numbers become pictures. The texts come from the caller.
    ("pointbook-charts", &[]),
    // Keys and sealed values. It reads no file.
    ("pointbook-keyring", &[]),
    // Names of metrics, and counters. It needs no other room.
    ("pointbook-measure", &[]),
    (
        "pointbook-app",
        &[
            "pointbook-domain",
            "pointbook-audit-log",
            "pointbook-campaigns",
            "pointbook-schema",
            "pointbook-time",
            "pointbook-catalogue",
            "pointbook-queue",
            "pointbook-html",
            "pointbook-keyring",
            "pointbook-measure",
        ],
    ),
    (
        "pointbook-store-sqlite",
        &["pointbook-domain", "pointbook-schema", "pointbook-app", "pointbook-queue", "pointbook-measure"],
    ),
    (
        "pointbook-store-postgres",
        &["pointbook-domain", "pointbook-schema", "pointbook-app", "pointbook-queue", "pointbook-measure"],
    ),
    // The files of a page. It needs no other room.
    ("pointbook-pages", &[]),
    // The parts that all requests share. It knows no use case; `http` implements its trait.
    ("pointbook-http-kernel", &["pointbook-domain", "pointbook-queue", "pointbook-measure"]),
    ("pointbook-json", &[]),
    ("pointbook-query-string", &["pointbook-domain"]),
    ("pointbook-describe", &["pointbook-domain", "pointbook-json"]),
    ("pointbook-texts", &["pointbook-domain"]),
    ("pointbook-errors", &[]),
    // Rows of files become commands of use cases. It knows neither a store nor HTTP.
    (
        "pointbook-files",
        &[
            "pointbook-campaigns",
            "pointbook-domain",
            "pointbook-app",
            "pointbook-earning",
            "pointbook-html",
            "pointbook-json",
        ],
    ),
    ("pointbook-copy", &["pointbook-domain", "pointbook-app"]),
    (
        "pointbook-earning",
        &[
            "pointbook-domain",
            "pointbook-audit-log",
            "pointbook-campaigns",
            "pointbook-schema",
            "pointbook-app",
        ],
    ),
    ("pointbook-feed", &["pointbook-domain", "pointbook-schema", "pointbook-app"]),
    // It reads the feed and the ledger, and knows no HTTP.
    (
        "pointbook-figures",
        &[
            "pointbook-domain",
            "pointbook-schema",
            "pointbook-time",
            "pointbook-campaigns",
            "pointbook-app",
            "pointbook-earning",
            "pointbook-feed",
        ],
    ),
    (
        "pointbook-upkeep",
        &["pointbook-domain", "pointbook-audit-log", "pointbook-schema", "pointbook-app", "pointbook-texts"],
    ),
    // It knows the values that use cases give, and no request.
    (
        "pointbook-wire",
        &[
            "pointbook-schema",
            "pointbook-earning",
            "pointbook-campaigns",
            "pointbook-domain",
            "pointbook-app",
            "pointbook-customers",
            "pointbook-feed",
            "pointbook-figures",
            "pointbook-http-kernel",
            "pointbook-describe",
            "pointbook-errors",
            "pointbook-json",
            "pointbook-query-string",
            "pointbook-texts",
        ],
    ),
    // It reads bodies and query strings. `http` maps its errors to responses.
    (
        "pointbook-requests",
        &[
            "pointbook-domain",
            "pointbook-app",
            "pointbook-customers",
            "pointbook-feed",
            "pointbook-upkeep",
            "pointbook-http-kernel",
            "pointbook-describe",
            "pointbook-errors",
            "pointbook-html",
            "pointbook-json",
            "pointbook-query-string",
            "pointbook-wire",
        ],
    ),
    // The catalogue's types reach the interface through the re-exports of `app`.
    (
        "pointbook-http",
        &[
            "pointbook-earning",
            "pointbook-campaigns",
            "pointbook-domain",
            "pointbook-app",
            "pointbook-customers",
            "pointbook-deliveries",
            "pointbook-feed",
            "pointbook-figures",
            "pointbook-upkeep",
            "pointbook-http-kernel",
            "pointbook-describe",
            "pointbook-errors",
            "pointbook-json",
            "pointbook-pages",
            "pointbook-query-string",
            "pointbook-queue",
            "pointbook-requests",
            "pointbook-sessions",
            "pointbook-texts",
            "pointbook-wire",
        ],
    ),
    ("pointbook-sessions", &["pointbook-domain", "pointbook-audit-log", "pointbook-schema", "pointbook-app"]),
    // What the endpoints and the pages of customers share.
    ("pointbook-customers", &["pointbook-domain", "pointbook-catalogue", "pointbook-app"]),
    (
        "pointbook-page-kit",
        &["pointbook-domain", "pointbook-app", "pointbook-http-kernel", "pointbook-texts"],
    ),
    (
        "pointbook-console",
        &[
            "pointbook-domain",
            "pointbook-app",
            "pointbook-campaigns",
            "pointbook-charts",
            "pointbook-errors",
            "pointbook-earning",
            "pointbook-deliveries",
            "pointbook-feed",
            "pointbook-figures",
            "pointbook-http-kernel",
            "pointbook-json",
            "pointbook-page-kit",
            "pointbook-query-string",
            "pointbook-requests",
            "pointbook-schema",
            "pointbook-sessions",
            "pointbook-texts",
            "pointbook-time",
            "pointbook-upkeep",
            "pointbook-wire",
        ],
    ),
    // Pages are served beside the interface, and use its use cases and its readers, not its endpoints.
    (
        "pointbook-web",
        &[
            "pointbook-domain",
            "pointbook-app",
            "pointbook-console",
            "pointbook-customers",
            "pointbook-deliveries",
            "pointbook-http-kernel",
            "pointbook-page-kit",
            "pointbook-query-string",
            "pointbook-requests",
            "pointbook-sessions",
            "pointbook-texts",
            "pointbook-upkeep",
        ],
    ),
    (
        "pointbook-jobs",
        &[
            "pointbook-domain",
            "pointbook-app",
            "pointbook-earning",
            "pointbook-feed",
            "pointbook-figures",
            "pointbook-upkeep",
        ],
    ),
    // One signed request to one receiver. It knows no database.
    ("pointbook-webhooks", &["pointbook-domain"]),
    // Webhooks of tenants: it decides what is sent, and `webhooks` sends it.
    (
        "pointbook-deliveries",
        &[
            "pointbook-domain",
            "pointbook-audit-log",
            "pointbook-schema",
            "pointbook-app",
            "pointbook-feed",
            "pointbook-queue",
            "pointbook-webhooks",
            "pointbook-wire",
        ],
    ),
    // It knows only the interface, so it examines any server.
    ("pointbook-check", &[]),
    // It reads both servers through the interface, and serves the tenant for that.
    (
        "pointbook-pull",
        &["pointbook-domain", "pointbook-app", "pointbook-check", "pointbook-http", "pointbook-http-kernel"],
    ),
    (
        "pointbook-server",
        &[
            "pointbook-schema",
            "pointbook-earning",
            "pointbook-campaigns",
            "pointbook-domain",
            "pointbook-catalogue",
            "pointbook-app",
            "pointbook-feed",
            "pointbook-figures",
            "pointbook-sessions",
            "pointbook-upkeep",
            "pointbook-deliveries",
            "pointbook-check",
            "pointbook-copy",
            "pointbook-files",
            "pointbook-pull",
            "pointbook-store-sqlite",
            "pointbook-store-postgres",
            "pointbook-http",
            "pointbook-http-kernel",
            "pointbook-html",
            "pointbook-json",
            "pointbook-texts",
            "pointbook-console",
            "pointbook-web",
            "pointbook-jobs",
            "pointbook-measure",
            // An export of the audit log has the JSON of the interface.
            "pointbook-wire",
        ],
    ),
    ("pointbook-throwaway-postgres", &[]),
    (
        "pointbook-testkit",
        &[
            "pointbook-earning",
            "pointbook-campaigns",
            "pointbook-domain",
            "pointbook-catalogue",
            "pointbook-app",
            "pointbook-deliveries",
            "pointbook-feed",
            "pointbook-figures",
            "pointbook-sessions",
            "pointbook-upkeep",
            "pointbook-schema",
            "pointbook-throwaway-postgres",
        ],
    ),
    // The benchmarks measure the released program from outside. Only the instruction counts use its internals.
    ("pointbook-bench", &[]),
    // Generated input uses the types of the domain.
    ("pointbook-bench-runner", &["pointbook-charts", "pointbook-domain", "pointbook-operate"]),
    ("pointbook-operate", &["pointbook-throwaway-postgres"]),
    ("xtask", &["pointbook-operate"]),
];

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
    "pointbook-http",
    "pointbook-http-kernel",
    "pointbook-requests",
    "pointbook-describe",
    "pointbook-texts",
    "pointbook-page-kit",
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
    ("pointbook-bench", "pointbook-deliveries"),
    ("pointbook-bench", "pointbook-domain"),
    ("pointbook-bench", "pointbook-http"),
    ("pointbook-bench", "pointbook-http-kernel"),
    ("pointbook-bench", "pointbook-requests"),
    ("pointbook-bench", "pointbook-schema"),
    ("pointbook-bench", "pointbook-store-postgres"),
    ("pointbook-bench", "pointbook-store-sqlite"),
];
