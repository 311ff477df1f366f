//! The headers of answers that say something of the interface.

use pointbook_describe::{Members, Schema};

/// A header: its component's name, its own, what it looks like and what it says.
struct HeaderDoc {
    component: &'static str,
    name: &'static str,
    schema: fn() -> Schema,
    description: &'static str,
}

/// What every answer says. What could not be read as a request has no id.
pub(super) const OF_ALL: [&str; 3] = ["X-Request-Id", "Cache-Control", "X-Content-Type-Options"];
/// What an answer says that is given again.
pub(super) const REPLAYED: &[&str] = &["Idempotency-Replayed"];
/// What a read from memory says while the database is away.
pub(crate) const STALE: &[&str] = &["Warning"];

/// All of them.
const HEADERS: [HeaderDoc; 14] = [
    HeaderDoc {
        component: "XRequestId",
        name: "X-Request-Id",
        schema: Schema::text,
        description: "What the request is called in the server's log: as the client sent it, or made up. Quote it when \
                      something goes wrong. Only what could not be read as a request (400, 431) has none.",
    },
    HeaderDoc {
        component: "CacheControl",
        name: "Cache-Control",
        schema: Schema::text,
        description: "`no-cache, private`: keep the answer, but ask before it is used again. `no-store` where the answer \
                      tells a token.",
    },
    HeaderDoc {
        component: "XContentTypeOptions",
        name: "X-Content-Type-Options",
        schema: || Schema::one_of(["nosniff"]),
        description: "Browsers take the body for what `Content-Type` says, and for nothing else.",
    },
    HeaderDoc {
        component: "ETag",
        name: "ETag",
        schema: || Schema::matching("^(W/)?\"[0-9a-f-]+\"$"),
        description: "Tells this answer from any other; for `If-None-Match`. Weak (`W/`) where the answer is compressed.",
    },
    HeaderDoc {
        component: "ContentEncoding",
        name: "Content-Encoding",
        schema: || Schema::one_of(["gzip", "zstd"]),
        description: "How the body is compressed, for a client that asked for it with `Accept-Encoding`. Else absent.",
    },
    HeaderDoc {
        component: "ContentLanguage",
        name: "Content-Language",
        schema: Schema::text,
        description: "The language of the display texts: what `Accept-Language` asks for among those the tenant has, or \
                      else the tenant's.",
    },
    HeaderDoc {
        component: "Vary",
        name: "Vary",
        schema: Schema::text,
        description: "What in a request decides about the answer beside its address.",
    },
    HeaderDoc {
        component: "IdempotencyReplayed",
        name: "Idempotency-Replayed",
        schema: || Schema::one_of(["true"]),
        description: "This is the answer that the same request got before. Absent on the first one.",
    },
    HeaderDoc {
        component: "Warning",
        name: "Warning",
        schema: || Schema::one_of(["110 - \"Response is Stale\""]),
        description: "The database does not respond at the moment. The response comes from memory and may be out of date. \
                      Else absent.",
    },
    HeaderDoc {
        component: "WwwAuthenticate",
        name: "WWW-Authenticate",
        schema: || Schema::one_of(["Bearer"]),
        description: "What is asked for.",
    },
    HeaderDoc {
        component: "RetryAfter",
        name: "Retry-After",
        schema: Schema::count,
        description: "After how many seconds it makes sense to try again.",
    },
    HeaderDoc {
        component: "RateLimitLimit",
        name: "X-RateLimit-Limit",
        schema: Schema::count,
        description: "How many requests of this kind, reads or writes, the customer has in a minute.",
    },
    HeaderDoc {
        component: "RateLimitRemaining",
        name: "X-RateLimit-Remaining",
        schema: Schema::count,
        description: "How many of them are left in this minute.",
    },
    HeaderDoc {
        component: "RateLimitReset",
        name: "X-RateLimit-Reset",
        schema: Schema::count,
        description: "When all of them are there again, in seconds since 1970.",
    },
];

/// The components.
pub(super) fn shared_headers() -> Members {
    let written = |header: &HeaderDoc| {
        Members::default().with("description", header.description).with("schema", (header.schema)())
    };
    HEADERS.iter().map(|header| (header.component, written(header))).collect()
}

/// These headers of an answer, in whatever case they are named, in the order of the components.
pub(super) fn headers_named<'n>(names: impl IntoIterator<Item = &'n str>) -> Members {
    let names: Vec<&str> = names.into_iter().collect();
    let is_named = |header: &&HeaderDoc| names.iter().any(|name| name.eq_ignore_ascii_case(header.name));
    let component = |header: &HeaderDoc| {
        Members::default().with("$ref", format!("#/components/headers/{}", header.component))
    };
    HEADERS.iter().filter(is_named).map(|header| (header.name, component(header))).collect()
}
