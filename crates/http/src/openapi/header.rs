//! The response headers in the OpenAPI document.

use crate::describe::{Members, Schema};

/// A header: the name of its component, its own name, its schema and its description.
struct HeaderDoc {
    component: &'static str,
    name: &'static str,
    schema: fn() -> Schema,
    description: &'static str,
}

/// The headers of every response. A request that could not be parsed has no id, and only a tenant with a virtual clock has
/// `X-Pointbook-Clock`.
pub(super) const OF_ALL: [&str; 4] =
    ["X-Request-Id", "Cache-Control", "X-Content-Type-Options", "X-Pointbook-Clock"];
/// The header of a repeated response.
pub(super) const REPLAYED: &[&str] = &["Idempotency-Replayed"];

/// All of them.
const HEADERS: [HeaderDoc; 17] = [
    HeaderDoc {
        component: "ErrorCode",
        name: "Error-Code",
        schema: || Schema::named("ErrorCode"),
        description: "Why the request failed, for programs. Every error response has it; a body with a `code` has the same one.",
    },
    HeaderDoc {
        component: "XRequestId",
        name: "X-Request-Id",
        schema: Schema::text,
        description: "The id of the request in the server's log: the id that the client sent, or a new one. Name it \
                      when you report a problem. Requests that the server could not parse (400, 431) have no id.",
    },
    HeaderDoc {
        component: "CacheControl",
        name: "Cache-Control",
        schema: Schema::text,
        description: "`no-cache, private`: a client may keep the response, but must revalidate it. `no-store` when the \
                      response has a token or a key.",
    },
    HeaderDoc {
        component: "XContentTypeOptions",
        name: "X-Content-Type-Options",
        schema: || Schema::one_of(["nosniff"]),
        description: "Browsers must not guess another content type.",
    },
    HeaderDoc {
        component: "PointbookClock",
        name: "X-Pointbook-Clock",
        schema: Schema::date_time,
        description: "Present when the tenant has a virtual clock, which only staging tenants may have: the time of the \
                      tenant at which the request arrived.",
    },
    HeaderDoc {
        component: "ETag",
        name: "ETag",
        schema: || Schema::matching("^(W/)?\"[0-9a-f-]+\"$"),
        description: "The version of this response, for `If-None-Match`. Weak (`W/`) when the response is compressed.",
    },
    HeaderDoc {
        component: "ContentDisposition",
        name: "Content-Disposition",
        schema: Schema::text,
        description: "Present for CSV: browsers save it as a file with this name.",
    },
    HeaderDoc {
        component: "ContentEncoding",
        name: "Content-Encoding",
        schema: || Schema::one_of(["gzip", "zstd"]),
        description: "How the body is compressed. Present when the client request for compression with \
                      `Accept-Encoding`.",
    },
    HeaderDoc {
        component: "ContentLanguage",
        name: "Content-Language",
        schema: Schema::text,
        description: "The language of the display texts: the best match for `Accept-Language`, otherwise the language \
                      of the tenant.",
    },
    HeaderDoc {
        component: "Vary",
        name: "Vary",
        schema: Schema::text,
        description: "The request headers that decide about the response.",
    },
    HeaderDoc {
        component: "IdempotencyReplayed",
        name: "Idempotency-Replayed",
        schema: || Schema::one_of(["true"]),
        description: "Present when the server repeats the first response to the same request.",
    },
    HeaderDoc {
        component: "Warning",
        name: "Warning",
        schema: || Schema::one_of(["110 - \"Response is Stale\""]),
        description: "Present when the database does not respond: the response comes from memory and may be out of \
                      date.",
    },
    HeaderDoc {
        component: "WwwAuthenticate",
        name: "WWW-Authenticate",
        schema: || Schema::one_of(["Bearer"]),
        description: "What the user gets.",
    },
    HeaderDoc {
        component: "RetryAfter",
        name: "Retry-After",
        schema: Schema::count,
        description: "Seconds to wait before the next try.",
    },
    HeaderDoc {
        component: "RateLimitLimit",
        name: "X-RateLimit-Limit",
        schema: Schema::count,
        description: "How many requests of this kind (reads or writes) the customer may send in a minute.",
    },
    HeaderDoc {
        component: "RateLimitRemaining",
        name: "X-RateLimit-Remaining",
        schema: Schema::count,
        description: "How many requests are left in this minute.",
    },
    HeaderDoc {
        component: "RateLimitReset",
        name: "X-RateLimit-Reset",
        schema: Schema::count,
        description: "When all requests are available again, in seconds since 1970.",
    },
];

/// The components.
pub(super) fn shared_headers() -> Members {
    let written = |header: &HeaderDoc| {
        Members::default().with("description", header.description).with("schema", (header.schema)())
    };
    HEADERS.iter().map(|header| (header.component, written(header))).collect()
}

/// References to these headers, in the order of the components. The case of their names does not matter.
pub(super) fn headers_named<'n>(names: impl IntoIterator<Item = &'n str>) -> Members {
    let names: Vec<&str> = names.into_iter().collect();
    let is_named = |header: &&HeaderDoc| names.iter().any(|name| name.eq_ignore_ascii_case(header.name));
    let component = |header: &HeaderDoc| {
        Members::default().with("$ref", format!("#/components/headers/{}", header.component))
    };
    HEADERS.iter().filter(is_named).map(|header| (header.name, component(header))).collect()
}
