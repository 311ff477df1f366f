//! What the demo prints: where it is, who may ask, and lines to be copied into a terminal.

use std::fmt::Write;

use pointbook_domain::{Environment, Tenant};

use super::people::{PEOPLE, SUPER_USER_TOKEN};

/// A request to try: what it shows, the token if any, curl's options beyond the usual, the path below
/// the base address of production, and what is sent there by POST, if anything.
struct Stop {
    shows: &'static str,
    token: Option<&'static str>,
    options: &'static str,
    path: &'static str,
    body: Option<&'static str>,
}

impl Stop {
    /// A request without anything, to be filled in.
    const NOTHING: Self = Self { shows: "", token: None, options: "", path: "", body: None };
}

/// Reads, writes, and the refusals that are met first.
const STOPS: [Stop; 15] = [
    Stop {
        shows: "The first page of the gift store",
        token: Some("demo-ben"),
        path: "/v1/store/products",
        ..Stop::NOTHING
    },
    Stop {
        shows: "Mugs for 1,000 points at most, cheapest first, two to a page",
        token: Some("demo-ben"),
        path: "/v1/store/products?filter[category]=mugs&filter[maxPrice]=1000&sort=price&page[size]=2",
        ..Stop::NOTHING
    },
    Stop {
        shows: "Search: case and accents do not matter, so this finds the Café mug",
        token: Some("demo-ben"),
        path: "/v1/store/products?filter[title]=cafe",
        ..Stop::NOTHING
    },
    Stop {
        shows: "What is popular and on sale, dearest first",
        token: Some("demo-ben"),
        path: "/v1/store/products?filter[onlyPopular]=true&filter[onSale]=true&sort=-price",
        ..Stop::NOTHING
    },
    Stop {
        shows: "One product",
        token: Some("demo-ben"),
        path: "/v1/store/products/cafe-mug",
        ..Stop::NOTHING
    },
    Stop {
        shows: "The categories, three levels deep",
        token: Some("demo-ben"),
        path: "/v1/store/categories",
        ..Stop::NOTHING
    },
    Stop {
        shows: "Two years of points: page 2 of aiko's history",
        token: Some("demo-aiko"),
        path: "/v1/user/point-history?page[number]=2",
        ..Stop::NOTHING
    },
    Stop {
        shows: "The back office records a scan with a birthday bonus; sent again, it is the same one, not another",
        token: Some(SUPER_USER_TOKEN),
        path: "/v1/manage/users/ben/activities",
        body: Some(
            r#"{"type": "code", "source_id": "tour-1", "points": 60, "title": "QR code scan", "subtitle": "Green tea", "bonus_breakdown": [{"type": "birthday", "points": 200, "title": "Happy birthday"}]}"#,
        ),
        ..Stop::NOTHING
    },
    Stop {
        shows: "ben spends 100 of the points",
        token: Some("demo-ben"),
        path: "/v1/store/orders",
        body: Some(r#"{"product_id": "arcade-credits"}"#),
        ..Stop::NOTHING
    },
    Stop { shows: "What ben ordered", token: Some("demo-ben"), path: "/v1/store/orders", ..Stop::NOTHING },
    Stop {
        shows: "More than there is: 422, and nothing is taken",
        token: Some("demo-ben"),
        options: " -i",
        path: "/v1/store/orders",
        body: Some(r#"{"product_id": "city-e-bike"}"#),
    },
    Stop {
        shows: "What is to be sent out: the placed orders of everybody",
        token: Some(SUPER_USER_TOKEN),
        path: "/v1/manage/orders?filter[status]=placed",
        ..Stop::NOTHING
    },
    Stop {
        shows: "Cancelling gives aiko's points back, once; a second time is 409",
        token: Some(SUPER_USER_TOKEN),
        path: "/v1/manage/orders/demo-order-3/cancel",
        body: Some("{}"),
        ..Stop::NOTHING
    },
    Stop { shows: "Without a token: 401", options: " -i", path: "/v1/user/point-history", ..Stop::NOTHING },
    Stop {
        shows: "With parameters that make no sense: 422, every field at once",
        token: Some("demo-ben"),
        options: " -i",
        path: "/v1/store/products?page[size]=many&filter[minPrice]=-1&sort=colour",
        ..Stop::NOTHING
    },
];

/// The whole text. The tenants are the demo's own, production first.
pub(super) fn text(tenants: &[Tenant], database: &str) -> Result<String, std::fmt::Error> {
    let mut text = String::from("pointbook demo: sample data, ready to be called\n\n");
    for tenant in tenants {
        writeln!(text, "{:<12}{}", tenant.environment.as_str(), tenant.base_url)?;
    }
    if let Some(tenant) = tenants.first() {
        writeln!(text, "{:<12}http://{}/docs (for a browser)", "docs", tenant.base_url.authority())?;
    }
    writeln!(text, "{:<12}{database} (delete it to start afresh)\n", "data")?;
    write_people(&mut text)?;
    if let Some(tenant) = tenants.first() {
        write_limits(&mut text, tenant)?;
    }
    for tenant in tenants {
        match tenant.environment {
            Environment::Production => write_stops(&mut text, tenant.base_url.as_str())?,
            Environment::Staging => write_staging_stop(&mut text, tenant.base_url.as_str())?,
        }
    }
    text.push_str("\nServing now; Ctrl-C ends it. Started again, the demo finds its data as it left it.\n");
    Ok(text)
}

fn write_people(text: &mut String) -> std::fmt::Result {
    writeln!(text, "{:<12}{:<10}{:<20}shows", "environment", "user", "token")?;
    for person in &PEOPLE {
        if let Some(token) = person.token {
            let environment = person.environment.as_str();
            writeln!(text, "{environment:<12}{:<10}{token:<20}{}", person.id, person.shows)?;
        }
    }
    let production = Environment::Production.as_str();
    writeln!(
        text,
        "{production:<12}{:<10}{SUPER_USER_TOKEN:<20}the back office: /v1/manage is for this token alone",
        "-"
    )
}

/// A load test of the demo meets 429 soon. The settings stay as they are when the demo is started again.
fn write_limits(text: &mut String, tenant: &Tenant) -> std::fmt::Result {
    let per_minute = |limit: u32, what: &str| match limit {
        0 => format!("any number of {what}"),
        limit => format!("{limit} {what}"),
    };
    let settings = &tenant.settings;
    writeln!(
        text,
        "\nEach user may send {} and {} a minute, and gets 429 beyond that; the back office has no limit.",
        per_minute(settings.rate_limit_reads_per_minute, "reads"),
        per_minute(settings.rate_limit_writes_per_minute, "writes")
    )
}

fn write_stops(text: &mut String, base_url: &str) -> std::fmt::Result {
    for stop in &STOPS {
        write_stop(text, stop, base_url)?;
    }
    Ok(())
}

fn write_staging_stop(text: &mut String, base_url: &str) -> std::fmt::Result {
    let stop = Stop {
        shows: "Staging is another world: its own products, its own ben",
        token: Some("demo-staging-ben"),
        path: "/v1/user/point-history",
        ..Stop::NOTHING
    };
    write_stop(text, &stop, base_url)
}

/// `-g` keeps curl from reading brackets as ranges; double quotes work in every shell, and hold nothing
/// that any of them would replace.
fn write_stop(text: &mut String, stop: &Stop, base_url: &str) -> std::fmt::Result {
    let Stop { shows, token, options, path, body } = stop;
    write!(text, "\n# {shows}\ncurl -s -g{options}")?;
    if let Some(token) = token {
        write!(text, " -H \"Authorization: Bearer {token}\"")?;
    }
    if let Some(body) = body {
        let body = body.replace('"', "\\\"");
        write!(text, " -H \"Content-Type: application/json\" -d \"{body}\"")?;
    }
    writeln!(text, " \"{base_url}{path}\"")
}

#[cfg(test)]
mod tests {
    use pointbook_testkit::build;

    use super::*;

    #[test]
    fn the_limits_of_users_are_told_as_they_are_set() {
        let mut tenant = build::tenant("acme");
        let printed = text(std::slice::from_ref(&tenant), "sqlite:demo.db").unwrap();
        let line = "\nEach user may send 1200 reads and 120 writes a minute, and gets 429 beyond that; the back office has no limit.\n";
        assert!(printed.contains(line), "{printed}");
        tenant.settings.rate_limit_writes_per_minute = 0;
        let printed = text(&[tenant], "sqlite:demo.db").unwrap();
        assert!(printed.contains(" 1200 reads and any number of writes a minute"), "{printed}");
    }
}
